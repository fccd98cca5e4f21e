"use client";

import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { Count } from "./pill";

export interface TabItem {
  readonly id: string;
  readonly label: string;
  readonly count?: number;
  readonly disabled?: boolean;
}

export interface TabsProps {
  readonly items: readonly TabItem[];
  readonly value: string;
  readonly onValueChange: (id: string) => void;
  /** Names the tab list for a screen reader. */
  readonly label: string;
  /** Stands at the right of the tabs, on the same line. */
  readonly aside?: ReactNode;
  /** One {@link TabPanel} an item. */
  readonly children: ReactNode;
  readonly className?: string;
}

export function Tabs({ items, value, onValueChange, label, aside, children, className }: TabsProps) {
  return (
    <Radix.Root
      value={value}
      onValueChange={onValueChange}
      className={classNames("flex min-h-0 min-w-0 flex-1 flex-col", className)}
    >
      <div className="panel-header gap-0 px-2">
        <Radix.List aria-label={label} className="flex min-w-0 gap-0.5 self-stretch overflow-x-auto">
          {items.map((item) => (
            <Radix.Trigger key={item.id} value={item.id} disabled={item.disabled} className="tab">
              {item.label}
              {item.count === undefined ? null : <Count>{item.count}</Count>}
            </Radix.Trigger>
          ))}
        </Radix.List>
        <span className="flex-1" />
        {aside}
      </div>
      {children}
    </Radix.Root>
  );
}

export interface TabPanelProps {
  readonly id: string;
  readonly className?: string;
  readonly children: ReactNode;
}

export const TabPanel = ({ id, className, children }: TabPanelProps) => (
  <Radix.Content value={id} className={classNames("min-h-0 flex-1 overflow-auto", className)}>
    {children}
  </Radix.Content>
);
