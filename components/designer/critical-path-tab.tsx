"use client";

import { useMemo } from "react";
import { scheduleOf } from "#kernel/plan/schedule";
import { formatClock, formatSeconds } from "../ui/duration";
import { EmptyState } from "../ui/empty-state";
import { SkeletonRows } from "../ui/skeleton";
import { Table, Td, Th } from "../ui/table";
import type { PlanAnalysis } from "./analyse";
import { CycleNotice } from "./cycle-notice";
import { useDesigner } from "./designer-context";
import { useDesignerModel } from "./designer-view-model";
import { useGestures } from "./use-gestures";

const SOURCE_WORD = {
  actual: "measured",
  elapsed: "elapsed",
  history: "earlier runs",
  estimate: "the plan",
  capability: "the capability",
  default: "assumed",
} as const;

/** Rows shown; the most critical come first. */
const ROWS_MAX = 120;
/** "If it took 0 s" is one schedule each, so only for the rows that could gain anything. */
const GAINS_MAX = 120;

export function CriticalPathTab() {
  const { analysis } = useDesignerModel();
  const gestures = useGestures();
  const selected = useDesigner((state) => state.selection.tasks);
  const rows = useMemo(() => (analysis.result === undefined ? [] : slackRows(analysis.result)), [analysis.result]);
  if (analysis.result === undefined) return <SkeletonRows rows={4} label="Finding the critical path" />;
  const figures = analysis.result.analysis;
  if (figures === undefined) return <CycleNotice />;
  if (rows.length === 0) return <EmptyState title="No tasks, no path" />;
  return (
    <div className="flex h-full min-h-0">
      <dl className="flex w-52 flex-none flex-col gap-1.5 border-r border-hairline p-3 text-small @max-3xl:hidden">
        <Fact name="Lower bound" value={formatSeconds(figures.lowerBound)} />
        <Fact name="Work" value={formatSeconds(figures.work)} />
        <Fact name="Width" value={`${figures.widthExact ? "" : "≥ "}${figures.width}`} />
        <Fact
          name="Speed-up, at most"
          value={figures.lowerBound > 0 ? `${(figures.work / figures.lowerBound).toFixed(2)} ×` : "–"}
        />
        <Fact name="Tasks on the path" value={String(figures.criticalPath.length)} />
      </dl>
      <div className="min-w-0 flex-1 overflow-auto">
        <Table aria-label="Slack">
          <thead>
            <tr>
              <Th>Task</Th>
              <Th numeric>Duration</Th>
              <Th>From</Th>
              <Th numeric>Earliest</Th>
              <Th numeric>Latest</Th>
              <Th numeric>Slack</Th>
              <Th numeric>If it took 0 s, gain at most</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr
                key={row.id}
                data-clickable="true"
                aria-selected={selected.has(row.id)}
                onClick={() => gestures.reveal(row.id)}
              >
                <Td className="max-w-56">
                  <button type="button" className="cut block max-w-full text-left" title={row.id}>
                    {row.id}
                  </button>
                </Td>
                <Td numeric>{formatSeconds(row.seconds)}</Td>
                <Td className="text-fg-3">{SOURCE_WORD[row.source]}</Td>
                <Td numeric>{formatClock(row.earliest)}</Td>
                <Td numeric>{formatClock(row.latest)}</Td>
                <Td numeric>{formatSeconds(row.slack)}</Td>
                <Td numeric>{formatSeconds(row.gain)}</Td>
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
    </div>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="flex justify-between gap-2">
      <dt className="text-fg-2">{name}</dt>
      <dd className="number font-semibold">{value}</dd>
    </div>
  );
}

function slackRows({ analysis, durations }: PlanAnalysis) {
  if (analysis === undefined) return [];
  const { graph, slack, earliestStart, latestStart, seconds, lowerBound, order } = analysis;
  const tasks = graph.ids
    .map((id, index) => ({
      id,
      index,
      seconds: seconds[index] ?? 0,
      source: durations.sources[index] ?? "default",
      earliest: earliestStart[index] ?? 0,
      latest: latestStart[index] ?? 0,
      slack: slack[index] ?? 0,
    }))
    .sort((a, b) => a.slack - b.slack || b.seconds - a.seconds)
    .slice(0, ROWS_MAX);
  return tasks.map((task, rank) => {
    if (task.slack > 0 || rank >= GAINS_MAX) return { ...task, gain: 0 };
    const without = seconds.slice();
    without[task.index] = 0;
    return { ...task, gain: lowerBound - (scheduleOf(graph, without, order)?.lowerBound ?? lowerBound) };
  });
}
