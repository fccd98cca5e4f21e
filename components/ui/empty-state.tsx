import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon";

export interface EmptyStateProps {
  readonly icon?: IconName;
  readonly title: string;
  /** What will stand here and how it comes about. */
  readonly children?: ReactNode;
  /** The next step: never leave a reader at an empty panel without one. */
  readonly action?: ReactNode;
}

export const EmptyState = ({ icon, title, children, action }: EmptyStateProps) => (
  <div className="flex h-full min-h-32 flex-col items-center justify-center gap-1 p-6 text-center">
    {icon === undefined ? null : <Icon name={icon} className="mb-1 h-5 w-5 text-fg-3" />}
    <p className="text-body font-medium">{title}</p>
    {children === undefined ? null : <div className="max-w-sm text-small text-fg-3">{children}</div>}
    {action === undefined ? null : <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
  </div>
);
