"use client";

import dynamic from "next/dynamic";
import { memo } from "react";
import { formatSeconds } from "../ui/duration";
import { SkeletonRows } from "../ui/skeleton";
import { TabPanel, Tabs } from "../ui/tabs";
import { CriticalPathTab } from "./critical-path-tab";
import { useDesignerModel } from "./designer-view-model";
import { ProblemsTab } from "./problems-tab";
import { ReadySetsTab } from "./ready-sets-tab";
import { SimulateTab } from "./simulate-tab";

const TextTab = dynamic(() => import("./text-tab").then((module) => module.TextTab), {
  loading: () => <SkeletonRows rows={4} label="Loading the text" />,
});

export const DOCK_TABS = ["problems", "ready", "critical", "simulate", "text"] as const;
export type DockTab = (typeof DOCK_TABS)[number];

export interface DockProps {
  readonly tab: DockTab;
  readonly onTab: (tab: DockTab) => void;
  readonly onHoverWave: (wave: ReadonlySet<string> | undefined) => void;
}

export const Dock = memo(function Dock({ tab, onTab, onHoverWave }: DockProps) {
  const { analysis } = useDesignerModel();
  const result = analysis.result;
  const open = (id: string) => {
    const known = DOCK_TABS.find((each) => each === id);
    if (known !== undefined) onTab(known);
  };
  return (
    <section aria-label="Dock" className="@container flex h-full min-h-0 flex-col bg-surface">
      <Tabs
        label="About this plan"
        value={tab}
        onValueChange={open}
        items={[
          { id: "problems", label: "Problems", ...(result === undefined ? {} : { count: result.diagnostics.length }) },
          {
            id: "ready",
            label: "Ready sets",
            ...(result?.analysis === undefined ? {} : { count: result.analysis.levels.length }),
          },
          { id: "critical", label: "Critical path" },
          { id: "simulate", label: "Simulate" },
          { id: "text", label: "Text" },
        ]}
        aside={<Figures />}
      >
        <TabPanel id="problems">
          <ProblemsTab />
        </TabPanel>
        <TabPanel id="ready">
          <ReadySetsTab onHoverWave={onHoverWave} />
        </TabPanel>
        <TabPanel id="critical">
          <CriticalPathTab />
        </TabPanel>
        <TabPanel id="simulate">
          <SimulateTab />
        </TabPanel>
        <TabPanel id="text">
          <TextTab />
        </TabPanel>
      </Tabs>
    </section>
  );
});

function Figures() {
  const { analysis } = useDesignerModel();
  const figures = analysis.result?.analysis;
  if (figures === undefined) return null;
  return (
    <dl
      className={`flex items-baseline gap-3 pr-1 text-small text-fg-2 @max-3xl:hidden ${analysis.isStale ? "opacity-60" : ""}`}
    >
      <Figure name="Bound" value={formatSeconds(figures.lowerBound)} title="Longest path: no schedule can be shorter" />
      <Figure name="Work" value={formatSeconds(figures.work)} title="Sum of all durations: what one worker needs" />
      <Figure
        name="Width"
        value={figures.widthExact ? String(figures.width) : `≥ ${figures.width}`}
        title={
          figures.widthExact
            ? "Most tasks that could ever run at once"
            : "Largest wave; the plan is too large for the exact number"
        }
      />
    </dl>
  );
}

function Figure({ name, value, title }: { readonly name: string; readonly value: string; readonly title: string }) {
  return (
    <div className="flex gap-1 whitespace-nowrap" title={title}>
      <dt>{name}</dt>
      <dd className="font-semibold text-fg">{value}</dd>
    </div>
  );
}
