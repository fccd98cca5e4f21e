import type { Pool } from "pg";
import type { Lease, Leases } from "../runtime/ports";
import { GroupCommit } from "./group-commit";
import type { HeldLease, HeldLeases } from "./held-leases";
import type { RunWriter } from "./run-writer";

export interface RunLeasesOptions {
  readonly pool: Pool;
  /** Names this process; unique over all that ever ran. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly held: HeldLeases;
  readonly writer: RunWriter;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** A renewal saw that a run's log is longer than this process knew: for when the notice of it was lost. */
  readonly onNews: (runId: string) => void;
}

/**
 * Ownership of runs on the database clock. A lease is taken by raising the run's epoch, extended by every append and
 * by a renewal once a third of it has passed, and given back by the driver or, silently, by the run's last event.
 */
export class RunLeases implements Leases {
  readonly #options: RunLeasesOptions;
  readonly #acquisitions: GroupCommit<string, HeldLease | undefined>;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;

  constructor(options: RunLeasesOptions) {
    this.#options = options;
    this.#acquisitions = new GroupCommit((runIds) => this.#acquire(runIds), {
      keyOf: (runId) => runId,
      signal: options.signal,
    });
    options.signal.addEventListener("abort", () => clearInterval(this.#timer), { once: true });
  }

  async acquire(runId: string): Promise<Lease | undefined> {
    this.#timer ??= setInterval(() => this.#tick(), this.#options.leaseMs / 6).unref();
    return this.#acquisitions.submit(runId);
  }

  release(lease: Lease, seenSeq: number, wakeAt?: number): Promise<boolean> {
    return this.#options.writer.release(lease, seenSeq, wakeAt);
  }

  /**
   * A lease of this process's own is taken again: its driver failed and has come back, and one process never drives
   * a run twice at once. Rows that somebody else has locked are passed over: whoever holds the lock (another owner, a person's decision, a
   * release) leaves a live lease or a job of its own behind.
   */
  async #acquire(runIds: readonly string[]): Promise<readonly (HeldLease | undefined)[]> {
    const { pool, owner, leaseMs, held } = this.#options;
    const startedAt = performance.now();
    const result = await pool.query<{ id: string; key: string; workspace_id: string; epoch: number }>({
      name: "acquire_runs",
      text: `
        UPDATE runs SET
          epoch = epoch + 1,
          lease_owner = $2,
          lease_until = clock_timestamp() + $3::float8 * interval '1 ms'
        WHERE key IN (
          SELECT key FROM runs
          WHERE id = ANY($1::text[]) AND finished_at IS NULL
            AND (lease_until IS NULL OR lease_until < clock_timestamp() OR lease_owner = $2)
          FOR NO KEY UPDATE SKIP LOCKED)
        RETURNING id, key::text, workspace_id, epoch`,
      values: [[...runIds], owner, leaseMs],
    });
    const leaseOf = new Map(
      result.rows.map((row) => {
        const lease = { runId: row.id, runKey: row.key, workspaceId: row.workspace_id, epoch: row.epoch };
        return [row.id, held.add(lease, startedAt)];
      }),
    );
    return runIds.map((runId) => leaseOf.get(runId));
  }

  #tick(): void {
    this.#renewing ??= this.#renew()
      .catch(this.#options.onError)
      .finally(() => {
        this.#renewing = undefined;
      });
  }

  /** Never waits for a row lock: a row that is being appended to is being extended too. */
  async #renew(): Promise<void> {
    const { pool, owner, leaseMs, held, onNews } = this.#options;
    const startedAt = performance.now();
    const due = held.extendedBefore(startedAt - leaseMs / 3);
    if (due.length === 0) return;
    const result = await pool.query<{ key: string; seq: number; ours: boolean; renewed: boolean }>({
      name: "renew_leases",
      text: `
        WITH held AS MATERIALIZED (
          SELECT * FROM unnest($1::bigint[], $2::int[]) AS held(run_key, epoch)
        ), free AS MATERIALIZED (
          SELECT key FROM runs JOIN held ON held.run_key = runs.key
          WHERE runs.epoch = held.epoch AND runs.lease_owner = $3
          FOR NO KEY UPDATE OF runs SKIP LOCKED
        ), renewed AS (
          UPDATE runs SET lease_until = clock_timestamp() + $4::float8 * interval '1 ms'
          FROM free WHERE runs.key = free.key RETURNING runs.key
        )
        SELECT runs.key::text, runs.seq, renewed.key IS NOT NULL AS renewed,
               runs.epoch = held.epoch AND runs.lease_owner IS NOT DISTINCT FROM $3 AS ours
        FROM held JOIN runs ON runs.key = held.run_key LEFT JOIN renewed ON renewed.key = runs.key`,
      values: [due.map((lease) => lease.runKey), due.map((lease) => lease.epoch), owner, leaseMs],
    });
    const rowOf = new Map(result.rows.map((row) => [row.key, row]));
    for (const lease of due) {
      const row = rowOf.get(lease.runKey);
      if (row?.renewed) held.extended(lease, startedAt);
      else if (!row?.ours) held.lose(lease);
      if (row?.ours && held.learn(lease, row.seq)) onNews(lease.runId);
    }
  }
}
