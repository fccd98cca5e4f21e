import type { ReactNode } from "react";

export interface SideBoxProps {
  readonly title: string;
  readonly aside?: string;
  readonly children: ReactNode;
}

/** One box of the column beside the arguments. */
export const SideBox = ({ title, aside, children }: SideBoxProps) => (
  <section className="box overflow-hidden" aria-label={title}>
    <h2 className="flex h-9 items-center gap-2 border-b border-hairline px-3.5 text-body font-semibold">
      {title}
      {aside === undefined ? null : <span className="font-normal text-fg-3">{aside}</span>}
    </h2>
    {children}
  </section>
);
