import type { Sample } from "./sample";
import { median, quantile } from "./statistics";
import { SYSTEMS, type SystemName } from "./system";
import { lowerBoundMs, taskCount, type Workload } from "./workload";

export interface ReportInput {
  readonly workloads: readonly Workload[];
  /** By `workload/system`. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  /** Median of a lone one-row commit. */
  readonly commitMs: number;
  readonly repeats: number;
}

interface Figures {
  readonly tasksPerSecond: number;
  readonly dispatchP50: number;
  readonly dispatchP95: number;
  readonly makespan: number;
  readonly commits: number;
  readonly rows: number;
  readonly walBytes: number;
  readonly nodeCpuMs: number;
  readonly storeCpuMs: number;
  readonly rssMegabytes: number;
}

/** Prints a table for each workload, then the goals. Ratios are within this run: the machine's own speed cancels. */
export function printReport(input: ReportInput): void {
  const { workloads, commitMs, repeats } = input;
  console.log(`\nOne commit: ${commitMs.toFixed(2)} ms. Medians of ${repeats} interleaved passes.`);
  const figures = new Map<string, Figures>();
  for (const workload of workloads) {
    console.log(`\n${workload.name}: ${workload.title}`);
    console.log(
      row(
        "",
        "tasks/s",
        "dispatch p50",
        "p95 ÷ commit",
        "÷ bound",
        "commits",
        "rows",
        "WAL B",
        "node ms",
        "store ms",
        "RSS MB",
      ),
    );
    for (const system of SYSTEMS) {
      const samples = input.samples.get(`${workload.name}/${system}`);
      if (samples === undefined) continue;
      const figure = figuresOf(workload, samples);
      figures.set(`${workload.name}/${system}`, figure);
      console.log(
        row(
          system,
          figure.tasksPerSecond.toFixed(0),
          `${figure.dispatchP50.toFixed(2)} ms`,
          `${(figure.dispatchP50 / commitMs).toFixed(2)} ${(figure.dispatchP95 / commitMs).toFixed(2)}`,
          Number.isFinite(figure.makespan) ? figure.makespan.toFixed(3) : "–",
          figure.commits.toFixed(3),
          figure.rows.toFixed(2),
          figure.walBytes.toFixed(0),
          figure.nodeCpuMs.toFixed(3),
          figure.storeCpuMs.toFixed(3),
          figure.rssMegabytes.toFixed(0),
        ),
      );
    }
  }
  printGoals(figures, commitMs);
}

function figuresOf(workload: Workload, samples: readonly Sample[]): Figures {
  const tasks = taskCount(workload);
  const of = (value: (sample: Sample) => number): number => median(samples.map(value));
  const elapsedMs = of((sample) => sample.elapsedMs);
  const bound = lowerBoundMs(workload);
  return {
    tasksPerSecond: (tasks / elapsedMs) * 1000,
    dispatchP50: of((sample) => quantile(sample.dispatchMs, 0.5)),
    dispatchP95: of((sample) => quantile(sample.dispatchMs, 0.95)),
    makespan: bound > 0 ? elapsedMs / bound : Number.NaN,
    commits: of((sample) => sample.commits),
    rows: of((sample) => sample.rows),
    walBytes: of((sample) => sample.walBytes),
    nodeCpuMs: of((sample) => sample.nodeCpuMs),
    storeCpuMs: of((sample) => sample.storeCpuMs),
    rssMegabytes: of((sample) => sample.rssBytes) / 1_048_576,
  };
}

interface Goal {
  readonly name: string;
  readonly value: number;
  readonly must: number;
  readonly stretch: number;
  /** True: the more the better. */
  readonly more?: boolean;
}

/**
 * Peers that do not run here stand in by their ratio to one that does, from one earlier run of all of them: the best
 * Postgres peer of W4 is 1.43 × Graphile Worker there, BullMQ with its log always synced 0.56 × one commit a task.
 */
const W4_BEST_POSTGRES_PEER_TO_GRAPHILE = 869 / 609;
const W4_BULLMQ_TO_COMMIT_PER_TASK = 2_130 / 3_788;

function printGoals(figures: ReadonlyMap<string, Figures>, commitMs: number): void {
  const at = (workload: string, system: SystemName = "planwright"): Figures | undefined =>
    figures.get(`${workload}/${system}`);
  const speed = (workload: string, system: SystemName = "planwright"): number =>
    at(workload, system)?.tasksPerSecond ?? Number.NaN;
  const nan = Number.NaN;
  const bestPeerW4 = speed("W4", "graphile") * W4_BEST_POSTGRES_PEER_TO_GRAPHILE;
  const bullmqW4 = speed("W4", "commit-per-task") * W4_BULLMQ_TO_COMMIT_PER_TASK;
  const goals: readonly Goal[] = [
    { name: "W1 ÷ best Postgres peer", value: speed("W1") / speed("W1", "graphile"), must: 5, stretch: 5, more: true },
    { name: "W1 ÷ group commit", value: speed("W1") / speed("W1", "group-commit"), must: 0, stretch: 0.3, more: true },
    {
      name: "W2 dispatch p50 ÷ commit, no effect",
      value: (at("W2")?.dispatchP50 ?? nan) / commitMs,
      must: 1.5,
      stretch: 0.2,
    },
    {
      name: "W2 dispatch p50 ÷ commit, effect",
      value: (at("W2-write")?.dispatchP50 ?? nan) / commitMs,
      must: 1.5,
      stretch: 1.1,
    },
    { name: "W3 makespan ÷ lower bound", value: at("W3")?.makespan ?? nan, must: 1.08, stretch: 1.03 },
    { name: "W4 ÷ best Postgres peer", value: speed("W4") / bestPeerW4, must: 4, stretch: 4, more: true },
    { name: "W4 ÷ BullMQ always", value: speed("W4") / bullmqW4, must: 1.5, stretch: 1.5, more: true },
    { name: "W4 ÷ group commit", value: speed("W4") / speed("W4", "group-commit"), must: 0, stretch: 0.3, more: true },
    { name: "commits a task, W1", value: at("W1")?.commits ?? nan, must: 0.1, stretch: 0.02 },
    { name: "commits a task, W4", value: at("W4")?.commits ?? nan, must: 0.1, stretch: 0.02 },
    { name: "rows a task, W1", value: at("W1")?.rows ?? nan, must: 2, stretch: 1.2 },
    { name: "rows a task, W4", value: at("W4")?.rows ?? nan, must: 2, stretch: 1.2 },
    { name: "WAL bytes a task, W1", value: at("W1")?.walBytes ?? nan, must: 500, stretch: 300 },
    { name: "WAL bytes a task, W4", value: at("W4")?.walBytes ?? nan, must: 500, stretch: 300 },
    { name: "Node CPU ms a task, W4", value: at("W4")?.nodeCpuMs ?? nan, must: 0.2, stretch: 0.1 },
    { name: "RSS MB, W4", value: at("W4")?.rssMegabytes ?? nan, must: 120, stretch: 90 },
  ];
  console.log("\nGoals");
  console.log(goalRow("", "measured", "must", "", "stretch", ""));
  for (const { name, value, must, stretch, more = false } of goals) {
    if (Number.isNaN(value)) continue;
    const met = (limit: number): string => ((more ? value >= limit : value <= limit) ? "yes" : "NO");
    const limit = (bound: number): string => (bound === 0 ? "–" : `${more ? "≥" : "≤"} ${bound}`);
    console.log(
      goalRow(name, value.toFixed(3), limit(must), must === 0 ? "" : met(must), limit(stretch), met(stretch)),
    );
  }
}

const WIDTHS = [16, 9, 13, 13, 8, 8, 7, 7, 9, 9, 7];
const row = (...cells: readonly string[]): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(WIDTHS[0] ?? 0) : cell.padStart(WIDTHS[index] ?? 0))).join(" ");

const GOAL_WIDTHS = [36, 9, 8, 4, 8, 4];
const goalRow = (...cells: readonly string[]): string =>
  cells
    .map((cell, index) => (index === 0 ? cell.padEnd(GOAL_WIDTHS[0] ?? 0) : cell.padStart(GOAL_WIDTHS[index] ?? 0)))
    .join(" ");
