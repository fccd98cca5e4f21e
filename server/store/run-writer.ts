import type { Pool } from "pg";
import type { NewRunEvent } from "#kernel/run/event";
import type { AppendOutcome, Lease } from "../runtime/ports";
import { type AppendRequest, encodeAppends, runAppends, storeDocuments } from "./append-statement";
import { projectGates } from "./gate-projection";
import { GroupCommit } from "./group-commit";
import type { HeldLease, HeldLeases } from "./held-leases";
import { inTransaction } from "./transaction";

export interface ReleaseRequest {
  readonly lease: HeldLease;
  readonly seenSeq: number;
  readonly wakeAt: number | undefined;
}

type WriteRequest =
  | { readonly kind: "append"; readonly append: AppendRequest; readonly lease: HeldLease }
  | { readonly kind: "release"; readonly release: ReleaseRequest };
type WriteOutcome =
  | { readonly kind: "append"; readonly outcome: AppendOutcome }
  | { readonly kind: "release"; readonly released: boolean };

/** Hears what a flush took and which runs finished in it. */
export interface StoreMeter {
  appended(tookMs: number, events: number): void;
  finished(outcome: string): void;
}

export interface RunWriterOptions {
  readonly pool: Pool;
  readonly owner: string;
  readonly leaseMs: number;
  readonly held: HeldLeases;
  readonly signal: AbortSignal;
  readonly meter?: StoreMeter | undefined;
}

/**
 * Appends in groups that end runs of one workspace at most. A run that ends enters its workspace's audit as the
 * statement commits: a statement that took the locks of two chains, in whatever order the rows were met, could block
 * another that takes them in the other order.
 */
function byFinishedWorkspace<Request extends { readonly append: AppendRequest }>(
  requests: readonly Request[],
): readonly (readonly Request[])[] {
  const groups = new Map<string | undefined, Request[]>();
  for (const request of requests) {
    const finishes = request.append.events.some((event) => event.type === "run_finished");
    const key = finishes ? request.append.workspaceId : undefined;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [request]);
    else group.push(request);
  }
  const [quiet, ...ending] = [
    groups.get(undefined) ?? [],
    ...[...groups].flatMap(([key, group]) => (key === undefined ? [] : [group])),
  ];
  const [first, ...rest] = ending;
  return [[...quiet, ...(first ?? [])], ...rest].filter((group) => group.length > 0);
}

/**
 * The one writer of a process to the rows of the runs it drives. Appends and releases share its queue, so that two
 * statements of this process never wait for each other's row locks.
 */
export class RunWriter {
  readonly #options: RunWriterOptions;
  readonly #queue: GroupCommit<WriteRequest, WriteOutcome>;

  constructor(options: RunWriterOptions) {
    this.#options = options;
    this.#queue = new GroupCommit((requests) => this.#flush(requests), {
      // A run's second append waits for the first, since both would move the same row.
      keyOf: (request) => (request.kind === "append" ? request.append.runKey : request.release.lease.runKey),
      weigh: (request) => (request.kind === "append" ? request.append.events.length : 1),
      weightMax: 5_000,
      signal: options.signal,
    });
  }

  async append(lease: Lease, expectedSeq: number, events: readonly NewRunEvent[]): Promise<AppendOutcome> {
    const held = this.#options.held.find(lease);
    if (held === undefined) return { status: "fenced" };
    if (events.length === 0) return { status: "appended", lastSeq: expectedSeq };
    const { runId, runKey, workspaceId, epoch } = held;
    const append = { runId, runKey, workspaceId, epoch, expectedSeq, events };
    const outcome = await this.#queue.submit({ kind: "append", append, lease: held });
    return outcome.kind === "append" ? outcome.outcome : { status: "fenced" };
  }

  /** True: given back, or nothing was left to give. False: something arrived. */
  async release(lease: Lease, seenSeq: number, wakeAt: number | undefined): Promise<boolean> {
    const held = this.#options.held.find(lease);
    if (held === undefined) return true;
    if (this.#options.held.isFinished(held)) {
      this.#options.held.drop(held);
      return true;
    }
    const outcome = await this.#queue.submit({ kind: "release", release: { lease: held, seenSeq, wakeAt } });
    return outcome.kind === "release" && outcome.released;
  }

  drain(): Promise<void> {
    return this.#queue.drain();
  }

  async #flush(requests: readonly WriteRequest[]): Promise<readonly WriteOutcome[]> {
    const appends = requests.flatMap((request) => (request.kind === "append" ? [request] : []));
    const releases = requests.flatMap((request) => (request.kind === "release" ? [request.release] : []));
    const appended = new Map<string, AppendOutcome>();
    for (const group of byFinishedWorkspace(appends)) {
      for (const [runKey, outcome] of await this.#append(group)) appended.set(runKey, outcome);
    }
    const released = releases.length > 0 ? await this.#release(releases) : new Map<string, boolean>();
    return requests.map((request) =>
      request.kind === "append"
        ? { kind: "append", outcome: appended.get(request.append.runKey) ?? { status: "fenced" } }
        : { kind: "release", released: released.get(request.release.lease.runKey) ?? true },
    );
  }

  async #append(
    requests: readonly { readonly append: AppendRequest; readonly lease: HeldLease }[],
  ): Promise<ReadonlyMap<string, AppendOutcome>> {
    const { pool, owner, leaseMs, held, meter } = this.#options;
    const batch = encodeAppends(
      requests.map((request) => request.append),
      owner,
      leaseMs,
    );
    const startedAt = performance.now();
    const moved =
      batch.documents.size === 0 && batch.gateEvents.length === 0
        ? await runAppends(pool, batch)
        : await inTransaction(pool, async (client) => {
            await storeDocuments(client, batch.documents);
            const keys = await runAppends(client, batch);
            await projectGates(
              client,
              batch.gateEvents.filter((event) => keys.has(event.runKey)),
            );
            return keys;
          });
    const tookMs = performance.now() - startedAt;
    let events = 0;
    const outcomes = new Map<string, AppendOutcome>();
    for (const { append, lease } of requests) {
      if (!moved.has(append.runKey)) continue;
      outcomes.set(append.runKey, { status: "appended", lastSeq: append.expectedSeq + append.events.length });
      held.extended(lease, startedAt);
      held.learn(lease, append.expectedSeq + append.events.length);
      events += append.events.length;
      const finished = append.events.find((event) => event.type === "run_finished");
      if (finished === undefined) continue;
      held.finish(lease);
      meter?.finished(finished.outcome);
    }
    meter?.appended(tookMs, events);
    const refused = requests.filter((request) => !moved.has(request.append.runKey));
    if (refused.length > 0) await this.#explain(refused, outcomes);
    return outcomes;
  }

  /** Whether a refused append met a newer event or a newer owner. */
  async #explain(
    requests: readonly { readonly append: AppendRequest; readonly lease: HeldLease }[],
    outcomes: Map<string, AppendOutcome>,
  ): Promise<void> {
    const { pool, owner, held } = this.#options;
    const heads = await pool.query<{ key: string; seq: number; epoch: number; lease_owner: string | null }>(
      "SELECT key::text, seq, epoch, lease_owner FROM runs WHERE key = ANY($1::bigint[])",
      [requests.map((request) => request.append.runKey)],
    );
    const headOf = new Map(heads.rows.map((head) => [head.key, head]));
    for (const { append, lease } of requests) {
      const head = headOf.get(append.runKey);
      if (head?.epoch === append.epoch && head.lease_owner === owner) {
        outcomes.set(append.runKey, { status: "conflict", lastSeq: head.seq });
      } else {
        held.lose(lease);
        outcomes.set(append.runKey, { status: "fenced" });
      }
    }
  }

  /**
   * Lets go of runs whose log still ends where their driver saw it end. A wake-up leaves its job in the same
   * statement; one that is already queued for that moment is not queued twice.
   */
  async #release(requests: readonly ReleaseRequest[]): Promise<ReadonlyMap<string, boolean>> {
    const { pool, owner, held } = this.#options;
    const result = await pool.query<{ key: string; released: boolean; ours: boolean }>({
      name: "release_runs",
      text: `
        WITH request AS MATERIALIZED (
          SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[], $4::float8[])
            AS request(run_key, epoch, seen_seq, wake_at)
        ), released AS (
          UPDATE runs SET
            lease_owner = NULL,
            lease_until = NULL,
            wake_at = to_timestamp(request.wake_at / 1000),
            job_id = NULL,
            wake_job_id = CASE
              WHEN request.wake_at IS NULL THEN NULL
              WHEN to_timestamp(request.wake_at / 1000)::timestamptz(3) = runs.wake_at
                AND runs.wake_at > clock_timestamp() THEN runs.wake_job_id
              ELSE (graphile_worker.add_job('drive_run', json_build_object('runId', runs.id),
                      run_at => to_timestamp(request.wake_at / 1000), max_attempts => 1000)).id
            END
          FROM request
          WHERE runs.key = request.run_key AND runs.epoch = request.epoch AND runs.seq = request.seen_seq
            AND runs.lease_owner = $5
          RETURNING runs.key
        )
        SELECT runs.key::text, released.key IS NOT NULL AS released,
               runs.epoch = request.epoch AND runs.lease_owner IS NOT DISTINCT FROM $5 AS ours
        FROM request JOIN runs ON runs.key = request.run_key LEFT JOIN released ON released.key = runs.key`,
      values: [
        requests.map((request) => request.lease.runKey),
        requests.map((request) => request.lease.epoch),
        requests.map((request) => request.seenSeq),
        requests.map((request) => request.wakeAt ?? null),
        owner,
      ],
    });
    const outcomes = new Map<string, boolean>();
    const rowOf = new Map(result.rows.map((row) => [row.key, row]));
    for (const { lease } of requests) {
      const row = rowOf.get(lease.runKey);
      const keepDriving = row?.released === false && row.ours;
      if (row?.released) held.drop(lease);
      else if (!keepDriving) held.lose(lease);
      outcomes.set(lease.runKey, !keepDriving);
    }
    return outcomes;
  }
}
