"use client";

import { useMemo, useState } from "react";
import { workerBound } from "#kernel/plan/schedule";
import { type DispatchPolicy, type Simulation, simulate } from "#kernel/plan/simulate";
import { formatClock, formatSeconds } from "../ui/duration";
import { EmptyState } from "../ui/empty-state";
import { Segmented } from "../ui/segmented";
import { SkeletonRows } from "../ui/skeleton";
import { CycleNotice } from "./cycle-notice";
import { useDesigner } from "./designer-context";
import { useDesignerModel } from "./designer-view-model";
import { useGestures } from "./use-gestures";

type Quantile = "p50" | "p95";

/** The real scheduler on expected durations, no call made: what N workers would need, against the bound. */
export function SimulateTab() {
  const { analysis, plan } = useDesignerModel();
  const [workers, setWorkers] = useState(4);
  const [policy, setPolicy] = useState<DispatchPolicy>("critical_path");
  const [quantile, setQuantile] = useState<Quantile>("p50");
  const result = analysis.result;
  const figures = result?.analysis;
  const seconds = quantile === "p50" ? result?.durations.seconds : result?.durationsP95.seconds;
  const outcome = useMemo(() => {
    if (figures === undefined || seconds === undefined || seconds.length !== plan.tasks.length) return undefined;
    const run = (chosen: DispatchPolicy) => simulate(figures.graph, seconds, { workers, policy: chosen, plan });
    return {
      chosen: run(policy),
      fifo: run("fifo"),
      bySize: WORKER_STEPS.map(
        (n) => [n, simulate(figures.graph, seconds, { workers: n, policy, plan })?.makespan ?? 0] as const,
      ),
    };
  }, [figures, seconds, workers, policy, plan]);

  if (result === undefined) return <SkeletonRows rows={4} label="Simulating" />;
  if (figures === undefined) return <CycleNotice />;
  if (plan.tasks.length === 0 || outcome?.chosen === undefined) return <EmptyState title="Nothing to simulate" />;
  const bound = workerBound(figures, workers);
  const { makespan } = outcome.chosen;
  return (
    <div className="flex h-full min-h-0">
      <div className="flex w-64 flex-none flex-col gap-2 overflow-auto border-r border-hairline p-3 text-small">
        <label className="flex items-center justify-between gap-2">
          Workers
          <span className="input w-20" style={{ minHeight: 26, padding: "1px 8px" }}>
            <input
              type="number"
              min={1}
              max={10_000}
              value={workers}
              onChange={(event) =>
                setWorkers(Math.max(1, Math.min(10_000, Math.floor(event.target.valueAsNumber) || 1)))
              }
            />
          </span>
        </label>
        <Segmented
          label="Which task starts first"
          value={policy}
          options={[
            { value: "critical_path", label: "longest path first" },
            { value: "fifo", label: "first in" },
          ]}
          onValueChange={setPolicy}
        />
        <Segmented
          label="Durations"
          value={quantile}
          options={[
            { value: "p50", label: "p50" },
            { value: "p95", label: "p95" },
          ]}
          onValueChange={setQuantile}
        />
        <dl className="flex flex-col gap-1">
          <Line name="Makespan" value={formatSeconds(makespan)} strong />
          {quantile === "p50" ? (
            <>
              <Line name={`Bound with ${workers}`} value={formatSeconds(bound)} />
              <Line name="Over the bound" value={bound > 0 ? `${((makespan / bound - 1) * 100).toFixed(1)} %` : "–"} />
            </>
          ) : null}
          {policy === "critical_path" && outcome.fifo !== undefined ? (
            <Line name="First in, first out" value={formatSeconds(outcome.fifo.makespan)} />
          ) : null}
        </dl>
        {outcome.chosen.unscheduled.length > 0 ? (
          <p className="tone-failed text-tone">
            {outcome.chosen.unscheduled.length} tasks never start: they need more of a pool than there is.
          </p>
        ) : null}
      </div>
      <WorkerChart simulation={outcome.chosen} />
      <dl className="w-40 flex-none overflow-auto border-l border-hairline p-3 text-small @max-3xl:hidden">
        <div className="label mb-1 flex justify-between">
          <span>Workers</span>
          <span>Makespan</span>
        </div>
        {outcome.bySize.map(([n, length]) => (
          <Line key={n} name={String(n)} value={formatSeconds(length)} strong={n === workers} />
        ))}
      </dl>
    </div>
  );
}

const WORKER_STEPS = [1, 2, 4, 8, 16, 32] as const;

function Line({ name, value, strong }: { readonly name: string; readonly value: string; readonly strong?: boolean }) {
  return (
    <div className="flex justify-between gap-2">
      <dt className="text-fg-2">{name}</dt>
      <dd className={`number ${strong ? "font-semibold" : ""}`}>{value}</dd>
    </div>
  );
}

const LANE_HEIGHT = 18;
const LANES_MAX = 40;

/** A lane a worker, a bar a task. Positions are shares of the makespan, so that the chart fills its panel. */
function WorkerChart({ simulation }: { readonly simulation: Simulation }) {
  const gestures = useGestures();
  const selected = useDesigner((state) => state.selection.tasks);
  const { analysis } = useDesignerModel();
  const critical = useMemo(() => new Set(analysis.result?.analysis?.criticalPath), [analysis.result]);
  const lanes = Math.min(LANES_MAX, 1 + Math.max(0, ...simulation.schedule.map(({ worker }) => worker)));
  const share = (seconds: number): string =>
    `${simulation.makespan === 0 ? 0 : ((seconds / simulation.makespan) * 100).toFixed(3)}%`;
  return (
    <div className="min-w-0 flex-1 overflow-auto p-3">
      <div className="number mb-1 flex justify-between text-micro text-fg-3">
        {[0, 0.25, 0.5, 0.75, 1].map((part) => (
          <span key={part}>{formatClock(part * simulation.makespan)}</span>
        ))}
      </div>
      <div className="relative" style={{ height: lanes * LANE_HEIGHT }}>
        {Array.from({ length: lanes }, (_, lane) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a lane is its number
            key={lane}
            className={`absolute inset-x-0 ${lane % 2 === 0 ? "bg-sunken opacity-60" : ""}`}
            style={{ top: lane * LANE_HEIGHT, height: LANE_HEIGHT }}
          />
        ))}
        {simulation.schedule
          .filter(({ worker }) => worker < lanes)
          .map(({ task, start, end, worker }) => (
            <button
              key={task}
              type="button"
              tabIndex={-1}
              title={`${task}, ${formatClock(start)} to ${formatClock(end)}`}
              aria-label={`${task}, worker ${worker + 1}, ${formatClock(start)} to ${formatClock(end)}`}
              className={`absolute rounded-tag ${selected.has(task) ? "bg-accent-bd" : critical.has(task) ? "bg-ink" : "bg-line-strong"}`}
              style={{
                left: share(start),
                width: `max(2px, calc(${share(end - start)} - 1px))`,
                top: worker * LANE_HEIGHT + 4,
                height: 10,
              }}
              onClick={() => gestures.reveal(task)}
            />
          ))}
      </div>
    </div>
  );
}
