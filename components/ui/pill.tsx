import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { Icon, type IconName } from "./icon";

/** A name of a `.tone-*` class: three variables for foreground, tint and stroke. */
export type Tone =
  | "pending"
  | "ready"
  | "held"
  | "running"
  | "succeeded"
  | "failed"
  | "awaiting"
  | "skipped"
  | "cancelled"
  | "blocked"
  | "unknown"
  | "budget"
  | "added"
  | "removed"
  | "changed"
  | "conflict"
  | "accent"
  | "neutral";

export interface PillProps {
  readonly tone: Tone;
  readonly icon?: IconName;
  readonly pattern?: "hatched";
  readonly strike?: boolean;
  readonly title?: string;
  readonly children: ReactNode;
}

/** Status said once, in a header. In lists use an icon and a coloured word instead. */
export const Pill = ({ tone, icon, pattern, strike, title, children }: PillProps) => (
  <span className={classNames("pill", `tone-${tone}`)} data-pattern={pattern} data-strike={strike} title={title}>
    {icon === undefined ? null : <Icon name={icon} small />}
    {children}
  </span>
);

export interface TagProps {
  readonly tone?: Tone;
  /** `ink` is the strongest: the critical path's tag. */
  readonly kind?: "quiet" | "ink" | "tone";
  readonly icon?: IconName;
  readonly title?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

export const Tag = ({ tone, kind = tone ? "tone" : "quiet", icon, title, className, children }: TagProps) => (
  <span className={classNames("tag", tone && `tone-${tone}`, className)} data-kind={kind} title={title}>
    {icon === undefined ? null : <Icon name={icon} small />}
    {children}
  </span>
);

export const Count = ({ children }: { readonly children: ReactNode }) => <span className="count">{children}</span>;
