import { classNames } from "./class-names";

/** Holds the place of what loads, at its size, so that nothing jumps when it arrives. */
export const Skeleton = ({ className }: { readonly className?: string }) => (
  <span aria-hidden="true" className={classNames("skeleton block", className)} />
);

export interface SkeletonRowsProps {
  readonly rows: number;
  readonly label: string;
}

export const SkeletonRows = ({ rows, label }: SkeletonRowsProps) => (
  <div role="status" aria-label={label} className="flex flex-col">
    {Array.from({ length: rows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: rows are alike and never move
      <div key={row} className="flex h-7 items-center gap-2 px-3">
        <Skeleton className="h-3 w-3" />
        <Skeleton className={`h-3 ${["w-1/2", "w-2/3", "w-2/5"][row % 3]}`} />
      </div>
    ))}
  </div>
);
