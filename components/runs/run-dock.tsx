"use client";

import type { ReactNode } from "react";
import { Count } from "../ui/pill";
import type { DockTab } from "./view-store";

export interface DockTabItem {
  readonly id: DockTab;
  readonly label: string;
  readonly count?: number;
}

export interface RunDockProps {
  readonly items: readonly DockTabItem[];
  readonly tab: DockTab;
  readonly onTab: (tab: DockTab) => void;
  /** Before the tabs: the transport of a replay. */
  readonly lead?: ReactNode;
  /** After them: the legend. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** Time spans the full width, because time is the axis. */
export function RunDock({ items, tab, onTab, lead, aside, children }: RunDockProps) {
  return (
    <section
      aria-label="Timeline"
      className="z-[var(--z-dock)] flex h-[304px] flex-none flex-col overflow-hidden border-t border-hairline bg-surface max-md:h-[228px]"
    >
      <div className="panel-header gap-3 overflow-x-auto">
        {lead}
        <div role="tablist" aria-label="Dock" className="flex gap-0.5 self-stretch">
          {items.map((item) => (
            <button
              key={item.id}
              type="button"
              role="tab"
              id={`dock-tab-${item.id}`}
              aria-selected={item.id === tab}
              aria-controls="dock-panel"
              data-state={item.id === tab ? "active" : "inactive"}
              className="tab"
              onClick={() => onTab(item.id)}
            >
              {item.label}
              {item.count === undefined ? null : <Count>{item.count}</Count>}
            </button>
          ))}
        </div>
        <span className="flex-1" />
        {aside}
      </div>
      <div id="dock-panel" role="tabpanel" aria-labelledby={`dock-tab-${tab}`} className="flex min-h-0 flex-1">
        {children}
      </div>
    </section>
  );
}
