import type { Workload } from "./workload";

/** What one pass of a workload looked like from inside the process that did it. */
export interface Pass {
  readonly elapsedMs: number;
  /** From the end of a task's last parent to its own start, milliseconds, for tasks that had to wait for nothing else. */
  readonly dispatchMs: readonly number[];
  /** The lower bound with the durations that the calls really had. */
  readonly callsBoundMs: number;
  readonly beforeFirstCallMs: number;
  readonly afterLastCallMs: number;
}

/** Something that runs task graphs durably on one Postgres database. */
export interface System {
  readonly run: (workload: Workload) => Promise<Pass>;
  /** Connections report their counts to the statistics only now and then; this makes them do it. */
  readonly settle: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export const SYSTEMS = ["planwright", "group-commit", "commit-per-task", "graphile", "dbos", "langgraph"] as const;
export type SystemName = (typeof SYSTEMS)[number];

/** Other people's systems; the rest are ours and the floors. */
export const PEERS = ["graphile", "dbos", "langgraph"] as const satisfies readonly SystemName[];

/** Peers whose packages `test/bench/peers` holds. */
export const INSTALLED_PEERS = ["dbos", "langgraph"] as const satisfies readonly (typeof PEERS)[number][];
