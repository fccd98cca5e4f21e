import type { Pool } from "pg";
import type { CallHistory, CapabilityHistory, PastDuration } from "../runtime/capability-history";
import { quantile } from "./duration-buckets";

interface HistoryRow {
  readonly key: string;
  readonly outcome: string;
  readonly bucket: number;
  readonly calls: number;
  readonly last_at: Date;
}

/** Reads what `countHistory` has counted. */
export function createCapabilityHistory(pool: Pool): CapabilityHistory {
  const read = async (key: string, where: string, values: readonly unknown[]) => {
    const { rows } = await pool.query<HistoryRow>(
      `SELECT ${key}::text AS key, outcome, bucket, sum(calls)::float8 AS calls, max(last_at) AS last_at
       FROM capability_history WHERE ${where} GROUP BY 1, 2, 3`,
      [...values],
    );
    return historyOf(rows);
  };
  return {
    ofWorkspace: (workspaceId) => read("name", "workspace_id = $1", [workspaceId]),

    async ofVersions(workspaceId, name) {
      const byVersion = await read("version", "workspace_id = $1 AND name = $2", [workspaceId, name]);
      return new Map([...byVersion].map(([version, history]) => [Number(version), history]));
    },

    async ofTasks(planId) {
      const { rows } = await pool.query<{ task_id: string; bucket: number; calls: number }>(
        "SELECT task_id, bucket, calls::float8 AS calls FROM task_history WHERE plan_id = $1",
        [planId],
      );
      const counts = new Map<string, Map<number, number>>();
      for (const { task_id, bucket, calls } of rows) mapIn(counts, task_id).set(bucket, calls);
      const durations = new Map<string, PastDuration>();
      for (const [taskId, buckets] of counts) {
        const [p50Seconds, p95Seconds] = [quantile(buckets, 0.5), quantile(buckets, 0.95)];
        if (p50Seconds === undefined || p95Seconds === undefined) continue;
        const calls = [...buckets.values()].reduce((sum, each) => sum + each, 0);
        durations.set(taskId, { calls, p50Seconds, p95Seconds });
      }
      return durations;
    },
  };
}

function mapIn(maps: Map<string, Map<number, number>>, key: string): Map<number, number> {
  const known = maps.get(key);
  if (known !== undefined) return known;
  const made = new Map<number, number>();
  maps.set(key, made);
  return made;
}

function historyOf(rows: readonly HistoryRow[]): ReadonlyMap<string, CallHistory> {
  const groups = new Map<string, HistoryRow[]>();
  for (const row of rows) {
    const group = groups.get(row.key);
    if (group === undefined) groups.set(row.key, [row]);
    else group.push(row);
  }
  return new Map([...groups].map(([key, group]) => [key, summaryOf(group)]));
}

function summaryOf(rows: readonly HistoryRow[]): CallHistory {
  const outcomes = new Map<string, number>();
  const succeeded = new Map<number, number>();
  let lastAt = 0;
  for (const { outcome, bucket, calls, last_at } of rows) {
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + calls);
    if (outcome === "ok") succeeded.set(bucket, (succeeded.get(bucket) ?? 0) + calls);
    lastAt = Math.max(lastAt, last_at.getTime());
  }
  const calls = [...outcomes.values()].reduce((sum, each) => sum + each, 0);
  const [p50Seconds, p95Seconds] = [quantile(succeeded, 0.5), quantile(succeeded, 0.95)];
  return {
    calls,
    failed: calls - (outcomes.get("ok") ?? 0),
    ...(p50Seconds === undefined ? {} : { p50Seconds }),
    ...(p95Seconds === undefined ? {} : { p95Seconds }),
    outcomes: [...outcomes].map(([outcome, count]) => ({ outcome, calls: count })).sort((a, b) => b.calls - a.calls),
    lastAt,
  };
}
