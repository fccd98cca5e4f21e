import { IconButton } from "./button";
import { Refusal } from "./refusal";

export interface FloatingRefusalProps {
  readonly message: string;
  readonly onDismiss?: () => void;
}

/** A refusal below the top bar, which has no room for a sentence beside its buttons. */
export const FloatingRefusal = ({ message, onDismiss }: FloatingRefusalProps) => (
  <div className="tone-failed absolute top-full right-3 mt-2 flex max-w-[min(420px,calc(100vw-24px))] items-center gap-2 rounded-control border border-tone-bd bg-surface py-1 pr-1 pl-3 shadow-float">
    <Refusal message={message} className={onDismiss === undefined ? "py-1 pr-2" : ""} />
    {onDismiss === undefined ? null : <IconButton icon="cross" label="Dismiss" size="small" onClick={onDismiss} />}
  </div>
);
