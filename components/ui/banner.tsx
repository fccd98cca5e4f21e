import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { Icon, type IconName } from "./icon";
import type { Tone } from "./pill";

export interface BannerProps {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly children: ReactNode;
  readonly action?: ReactNode;
  readonly className?: string;
}

/** A state of the whole panel: offline, superseded, out of date. Says what holds now and offers the way on. */
export const Banner = ({ tone, icon, children, action, className }: BannerProps) => (
  <div
    role="status"
    className={classNames(
      `tone-${tone} flex min-h-9 items-center gap-2 border-b border-hairline bg-tone-bg px-3 py-1.5 text-small text-tone`,
      className,
    )}
  >
    <Icon name={icon} />
    <span className="min-w-0 flex-1">{children}</span>
    {action}
  </div>
);

export interface ErrorNoticeProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** A panel that could not load: what failed, in words, and what to do. */
export const ErrorNotice = ({ title, children, action }: ErrorNoticeProps) => (
  <div role="alert" className="flex h-full min-h-32 flex-col items-center justify-center gap-1 p-6 text-center">
    <span className="tone-failed text-tone">
      <Icon name="warning" className="mb-1 h-5 w-5" />
    </span>
    <p className="text-body font-medium">{title}</p>
    {children === undefined ? null : <div className="max-w-sm text-small text-fg-3">{children}</div>}
    {action === undefined ? null : <div className="mt-3 flex gap-2">{action}</div>}
  </div>
);
