import type { Figures } from "./figures";
import { PEERS, type SystemName } from "./system";

interface Goal {
  readonly name: string;
  readonly value: number;
  readonly must: number;
  readonly stretch: number;
  /** True: the more the better. */
  readonly more?: boolean;
}

/** BullMQ needs Redis and does not run here: its ratio to one commit a task, from one run of both, stands in. */
const W4_BULLMQ_TO_COMMIT_PER_TASK = 2_130 / 3_788;

/** Prints each goal with what was measured. */
export function printGoals(figures: ReadonlyMap<string, Figures>): void {
  const at = (workload: string, system: SystemName = "planwright"): Figures | undefined =>
    figures.get(`${workload}/${system}`);
  const speed = (workload: string, system: SystemName = "planwright"): number =>
    at(workload, system)?.tasksPerSecond ?? Number.NaN;
  const nan = Number.NaN;
  const bestPeer = (workload: string): number =>
    Math.max(...PEERS.map((peer) => speed(workload, peer)).filter((value) => !Number.isNaN(value)));
  const bullmqW4 = speed("W4", "commit-per-task") * W4_BULLMQ_TO_COMMIT_PER_TASK;
  const goals: readonly Goal[] = [
    { name: "W1 ÷ best Postgres peer", value: speed("W1") / bestPeer("W1"), must: 5, stretch: 5, more: true },
    { name: "W1 ÷ group commit", value: speed("W1") / speed("W1", "group-commit"), must: 0, stretch: 0.3, more: true },
    {
      name: "W2 dispatch p50 ÷ commit, no effect",
      value: at("W2")?.dispatchP50Commits ?? nan,
      must: 1.5,
      stretch: 0.2,
    },
    {
      name: "W2 dispatch p50 ÷ commit, effect",
      value: at("W2-write")?.dispatchP50Commits ?? nan,
      must: 1.5,
      stretch: 1.1,
    },
    { name: "W3 makespan ÷ lower bound", value: at("W3")?.makespan ?? nan, must: 1.08, stretch: 1.03 },
    { name: "W3 makespan ÷ bound of the calls", value: at("W3")?.makespanOfCalls ?? nan, must: 1.08, stretch: 1.03 },
    { name: "W4 ÷ best Postgres peer", value: speed("W4") / bestPeer("W4"), must: 4, stretch: 4, more: true },
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
    if (!Number.isFinite(value) || value === 0) continue;
    const met = (limit: number): string => ((more ? value >= limit : value <= limit) ? "yes" : "NO");
    const limit = (bound: number): string => (bound === 0 ? "–" : `${more ? "≥" : "≤"} ${bound}`);
    console.log(
      goalRow(name, value.toFixed(3), limit(must), must === 0 ? "" : met(must), limit(stretch), met(stretch)),
    );
  }
}

const GOAL_WIDTHS = [36, 9, 8, 4, 8, 4];
const goalRow = (...cells: readonly string[]): string =>
  cells
    .map((cell, index) => (index === 0 ? cell.padEnd(GOAL_WIDTHS[0] ?? 0) : cell.padStart(GOAL_WIDTHS[index] ?? 0)))
    .join(" ");
