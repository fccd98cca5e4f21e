import type { Workload } from "./workload";

/** What one pass of a workload looked like from inside the process that did it. */
export interface Pass {
  readonly elapsedMs: number;
  /** From the end of a task's last parent to its own start, milliseconds, for tasks that had to wait for nothing else. */
  readonly dispatchMs: readonly number[];
}

/** Something that runs task graphs durably on one Postgres database. */
export interface System {
  readonly run: (workload: Workload) => Promise<Pass>;
  /** Connections report their counts to the statistics only now and then; this makes them do it. */
  readonly settle: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export const SYSTEMS = ["planwright", "group-commit", "commit-per-task", "graphile"] as const;
export type SystemName = (typeof SYSTEMS)[number];
