import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { err, ok, type Result } from "#kernel/result";
import type { NewRunEvent } from "#kernel/run/event";
import type { SubmissionAudit, SubmittedDecision } from "../runtime/run-desk";
import { storeDocuments } from "./append-statement";
import { appendAudit } from "./audit-log";
import { encodeEvent } from "./event-codec";
import { projectGates, touchesGates } from "./gate-projection";
import { signersOn } from "./gate-signers";
import { encodeNews } from "./run-news";
import { projectRun, type RunProjection } from "./run-projection";
import type { RunStates } from "./run-states";
import { inTransaction } from "./transaction";
import { retryTransient } from "./transient";

interface Head {
  readonly key: string;
  readonly seq: number;
  readonly owner: string | null;
  readonly live: boolean;
  readonly finished: boolean;
  readonly now: number;
  /** Where this submission's events end, if it has been made before. */
  readonly submitted: number | null;
}

/** How long a person waits for a database that is away before the request fails. */
const PATIENCE_MS = 15_000;

/** Carries a refusal out of the transaction, which it rolls back. */
class Refused<Refusal> extends Error {
  constructor(readonly refusal: Refusal) {
    super("refused");
  }
}

/**
 * Adds facts from outside the driver: decisions, pause, resume, cancel.
 *
 * The run's row is locked while `decide` judges, so the fact is judged by the state it becomes part of. In the same
 * transaction the run is woken: by NOTIFY to its owner while the lease is live, else by a job. A driver lets go only
 * while the log still ends where it saw it end, so one of the two always finds the fact.
 *
 * Each submission has an id, kept with it: one that is made again, since the reply to its commit was lost, is answered
 * as the first time and judged no more.
 */
export class RunSubmissions {
  readonly #pool: Pool;
  readonly #states: RunStates;
  readonly #signal: AbortSignal;

  constructor(pool: Pool, states: RunStates, signal: AbortSignal) {
    this.#pool = pool;
    this.#states = states;
    this.#signal = signal;
  }

  /**
   * The last `seq`, or the refusal of `decide`; undefined where the workspace has no such run.
   *
   */
  async submit<Refusal>(
    submission: Submission,
    decide: SubmittedDecision<Refusal>,
  ): Promise<Result<number, Refusal> | undefined> {
    // Made up here it is still the same one when a lost reply makes us send it again.
    const id = submission.id ?? randomUUID();
    const patience = AbortSignal.any([this.#signal, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      return await retryTransient(
        () => inTransaction(this.#pool, (client) => this.#submit(client, { ...submission, id }, decide)),
        patience,
      );
    } catch (error) {
      if (error instanceof Refused) return err(error.refusal);
      throw error;
    }
  }

  async #submit<Refusal>(
    client: PoolClient,
    submission: Submission & { readonly id: string },
    decide: SubmittedDecision<Refusal>,
  ): Promise<Result<number, Refusal> | undefined> {
    const { workspaceId, runId } = submission;
    const head = await lockHead(client, submission);
    if (head === undefined) return undefined;
    if (head.submitted !== null) return ok(head.submitted);
    const state = await this.#states.stateAt(client, runId, head.seq);
    const decision = await decide(state, head.now, signersOn(client));
    if (!decision.ok) throw new Refused(decision.error);
    const events = decision.value;
    if (events.length === 0) return ok(head.seq);
    await insertEvents(client, head, events);
    await moveHead(client, runId, head, projectRun(events), events.length);
    await projectGates(
      client,
      events.map((event, index) => ({ runKey: head.key, seq: head.seq + index + 1, event })),
    );
    const lastSeq = head.seq + events.length;
    await client.query("INSERT INTO run_submissions (run_key, id, seq) VALUES ($1, $2, $3)", [
      head.key,
      submission.id,
      lastSeq,
    ]);
    const news = encodeNews([{ workspaceId, runId, lastSeq, gatesChanged: events.some(touchesGates) }]);
    await client.query("SELECT pg_notify('run_events', $1)", [news[0]]);
    if (head.live) await client.query("SELECT pg_notify('run_wakeups', $1)", [`${head.owner}:${runId}`]);
    // Last, as the audit asks: nothing is waited for while its chain is held.
    if (submission.audit !== undefined) await appendAudit(client, submission.audit(events, lastSeq));
    return ok(lastSeq);
  }
}

interface Submission {
  readonly workspaceId: string;
  readonly runId: string;
  /** Names what is submitted, in this run; absent: nothing else is this submission. */
  readonly id: string | undefined;
  readonly audit: SubmissionAudit | undefined;
}

async function lockHead(
  client: PoolClient,
  { workspaceId, runId, id }: Submission & { readonly id: string },
): Promise<Head | undefined> {
  // The clock is read after the lock: a decision that waited past its deadline is late.
  await client.query("SELECT key FROM runs WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE", [
    runId,
    workspaceId,
  ]);
  const result = await client.query<Omit<Head, "now"> & { now: string }>(
    `SELECT key::text, seq, lease_owner AS owner, coalesce(lease_until > clock_timestamp(), false) AS live,
            finished_at IS NOT NULL AS finished, (extract(epoch FROM clock_timestamp()) * 1000)::text AS now,
            (SELECT seq FROM run_submissions WHERE run_key = runs.key AND run_submissions.id = $3) AS submitted
     FROM runs WHERE id = $1 AND workspace_id = $2`,
    [runId, workspaceId, id],
  );
  const head = result.rows[0];
  return head === undefined ? undefined : { ...head, now: Number(head.now) };
}

async function insertEvents(client: PoolClient, head: Head, events: readonly NewRunEvent[]): Promise<void> {
  const documents = new Map<string, string>();
  const encoded = events.map((event) => encodeEvent(event, documents));
  await storeDocuments(client, documents);
  await client.query(
    `INSERT INTO run_events (run_key, seq, at, type, task_id, payload)
     SELECT $1::bigint, $2::int + ordinal, at, type, task_id, payload
     FROM unnest($3::float8[], $4::run_event_type[], $5::text[], $6::text[]) WITH ORDINALITY
       AS event(at, type, task_id, payload, ordinal)`,
    [
      head.key,
      head.seq,
      encoded.map((event) => event.at),
      encoded.map((event) => event.type),
      encoded.map((event) => event.taskId ?? null),
      encoded.map((event) => event.payload),
    ],
  );
}

async function moveHead(
  client: PoolClient,
  runId: string,
  head: Head,
  projection: RunProjection,
  added: number,
): Promise<void> {
  const needsJob = !head.live && !head.finished && projection.finishedAt === undefined;
  await client.query(
    `UPDATE runs SET
       seq = seq + $2,
       tasks_total = tasks_total + $3,
       tasks_succeeded = tasks_succeeded + $4,
       tasks_failed = tasks_failed + $5,
       tasks_omitted = tasks_omitted + $6,
       status = coalesce($7::run_status, status),
       outcome = coalesce($8::run_outcome, outcome),
       outcome_reason = coalesce($9, outcome_reason),
       finished_at = coalesce(to_timestamp($10::float8 / 1000), finished_at),
       job_id = CASE WHEN $11 THEN
         (graphile_worker.add_job('drive_run', json_build_object('runId', $12::text), max_attempts => 1000)).id
         ELSE job_id END
     WHERE key = $1`,
    [
      head.key,
      added,
      projection.tasksTotal,
      projection.tasksSucceeded,
      projection.tasksFailed,
      projection.tasksOmitted,
      projection.status ?? null,
      projection.outcome ?? null,
      projection.outcomeReason ?? null,
      projection.finishedAt ?? null,
      needsJob,
      runId,
    ],
  );
}
