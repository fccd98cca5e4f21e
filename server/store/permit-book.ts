import type { ClientBase, Pool, PoolClient } from "pg";
import { amountFor, grantPermits, type Verdict, type WaitsOn } from "../runtime/permits/grant-permits";
import type { Ceiling, Permit } from "../runtime/permits/permit";
import type { PermitBook, PermitEnd, PermitExchange } from "../runtime/permits/permit-book";
import type { Wakeups } from "../runtime/ports";
import { chargeCeilings, readCeilings } from "./ceilings";
import { databaseNow } from "./database-clock";
import { lockCeilings } from "./run-ceilings";
import { WAKE_CHANNEL } from "./run-news";
import { inTransaction } from "./transaction";
import { retryTransient } from "./transient";

/** A worker that has not been heard of for this long holds nothing any more. */
const HOLDER_LIVE_MS = 5_000;
/** Workers that were last heard of before this are forgotten; each process leaves one row. */
const HOLDER_KEPT_MS = 3_600_000;
/** What a worker is told by, in place of a run's id. */
export const PERMIT_NEWS = "@permits";
/** Apart from grants, which come by the dozen: at this one every process reads the ceilings again. */
export const CEILING_NEWS = "@ceilings";

interface PermitRow {
  readonly id: string;
  readonly run_id: string;
  readonly task_id: string;
  readonly owner: string;
  readonly person_id: string | null;
  readonly demand: string;
  readonly state: Permit["state"];
  readonly wanted_at: number;
  readonly started_at: number | null;
  readonly live: boolean;
}

export interface PostgresPermitBookOptions {
  readonly pool: Pool;
  readonly owner: string;
  readonly wakeups: Wakeups;
  readonly signal: AbortSignal;
}

/**
 * The book of permits in Postgres. Every exchange takes the workspace's lock, so that any worker that talks to it
 * grants for all: a slot that frees is given to whoever is next, on whichever machine, and its worker is told.
 */
export class PostgresPermitBook implements PermitBook {
  readonly #options: PostgresPermitBookOptions;
  #hasSwept = false;

  constructor(options: PostgresPermitBookOptions) {
    this.#options = options;
  }

  onNews(listener: () => void): () => void {
    return this.#options.wakeups.onNews(PERMIT_NEWS, listener);
  }

  onCeilings(listener: () => void): () => void {
    return this.#options.wakeups.onNews(CEILING_NEWS, listener);
  }

  async ceilings(workspaceId: string): Promise<readonly Ceiling[]> {
    const { pool, signal } = this.#options;
    const all = await retryTransient(() => readCeilings(pool, workspaceId), signal);
    return all.filter(({ budget }) => budget !== "runs");
  }

  async exchange(workspaceId: string, exchange: PermitExchange): Promise<readonly Verdict[]> {
    const { pool, signal } = this.#options;
    const verdicts = await retryTransient(
      () => inTransaction(pool, (client) => this.#exchange(client, workspaceId, exchange)),
      signal,
    );
    this.#hasSwept = true;
    return verdicts;
  }

  async #exchange(client: PoolClient, workspaceId: string, exchange: PermitExchange): Promise<readonly Verdict[]> {
    const { owner } = this.#options;
    const now = await this.#begin(client, workspaceId);
    await withdraw(client, exchange.withdrawn);
    const taken = await ask(client, { workspaceId, owner, now }, exchange);
    const ended = await end(client, exchange.ended);
    const rows = await readPermits(client, workspaceId);
    const dead = rows.filter((row) => !row.live && row.state !== "over");
    const buried = await abandon(
      client,
      dead.map(({ id }) => id),
    );
    const permits = [...rows.filter((row) => row.live || row.state === "over"), ...buried].map(permitOf);
    let ceilings = await readCeilings(client, workspaceId);
    if (ceilings.length > 0) {
      const used = [...ended, ...[...taken, ...buried].map((row) => ({ permit: permitOf(row) }))];
      await chargeCeilings(client, ceilings, used);
      if (used.length > 0) ceilings = await readCeilings(client, workspaceId);
    }
    const verdicts = grantPermits(permits, reserveGranted(ceilings, permits), now);
    await this.#grant(client, permits, verdicts, now);
    return verdictsFor(owner, permits, verdicts);
  }

  /** The lock, the time, and this worker's sign of life. */
  async #begin(client: PoolClient, workspaceId: string): Promise<number> {
    await lockCeilings(client, workspaceId);
    if (!this.#hasSwept) await sweepHolders(client);
    const result = await client.query<{ now: string }>({
      name: "permit_alive",
      text: `INSERT INTO permit_holders (owner, live_until)
             VALUES ($1, clock_timestamp() + $2::float8 * interval '1 ms')
             ON CONFLICT (owner) DO UPDATE SET live_until = excluded.live_until
             RETURNING (extract(epoch FROM clock_timestamp()) * 1000)::text AS now`,
      values: [this.#options.owner, HOLDER_LIVE_MS],
    });
    return Number(result.rows[0]?.now);
  }

  async #grant(
    client: PoolClient,
    permits: readonly Permit[],
    verdicts: readonly Verdict[],
    now: number,
  ): Promise<void> {
    const granted = new Set(verdicts.filter(({ type }) => type === "granted").map(({ id }) => id));
    if (granted.size === 0) return;
    const owners = new Set(permits.filter(({ id }) => granted.has(id)).map(({ owner }) => owner));
    owners.delete(this.#options.owner);
    await client.query(
      `WITH granted AS (
         UPDATE call_permits SET state = 'granted', started_at = to_timestamp($2::float8 / 1000) WHERE id = ANY($1::text[])
       )
       SELECT pg_notify($3, other || ':' || $4) FROM unnest($5::text[]) AS other`,
      [[...granted], now, WAKE_CHANNEL, PERMIT_NEWS, [...owners]],
    );
  }
}

async function withdraw(client: PoolClient, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await client.query("DELETE FROM call_permits WHERE id = ANY($1::text[])", [ids]);
}

/**
 * A run that has changed hands asks anew: what its last worker held for it died with that worker's lease.
 *
 * @returns the calls which that worker may have made.
 */
async function ask(
  client: PoolClient,
  { workspaceId, owner, now }: { workspaceId: string; owner: string; now: number },
  { asks }: PermitExchange,
): Promise<readonly PermitRow[]> {
  if (asks.length === 0) return [];
  const others = await client.query<{ id: string }>(
    `SELECT id FROM call_permits
     WHERE workspace_id = $1 AND run_id = ANY($2::text[]) AND owner <> $3 AND state <> 'over'`,
    [workspaceId, [...new Set(asks.map(({ runId }) => runId))], owner],
  );
  const taken = await abandon(
    client,
    others.rows.map(({ id }) => id),
  );
  await client.query(
    `INSERT INTO call_permits (id, workspace_id, run_id, task_id, owner, person_id, demand, wanted_at)
     SELECT id, $1, run_id, task_id, $2, person_id, demand, to_timestamp($3::float8 / 1000) + place * interval '1 us'
     FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) WITH ORDINALITY
       AS asked(id, run_id, task_id, person_id, demand, place)
     ON CONFLICT DO NOTHING`,
    [
      workspaceId,
      owner,
      now,
      asks.map(({ id }) => id),
      asks.map(({ runId }) => runId),
      asks.map(({ taskId }) => taskId),
      asks.map(({ personId }) => personId ?? null),
      asks.map(({ demand }) => JSON.stringify(demand)),
    ],
  );
  return taken;
}

interface EndedCall {
  readonly permit: Permit;
  readonly usage?: PermitEnd["usage"];
}

/** Ends calls once: what was ended before, or buried with its worker, is charged no second time. */
async function end(client: PoolClient, ends: readonly PermitEnd[]): Promise<readonly EndedCall[]> {
  if (ends.length === 0) return [];
  const result = await client.query<PermitRow>(
    `UPDATE call_permits SET
       state = 'over',
       started_at = to_timestamp(ended.started_at / 1000),
       counts_until = to_timestamp(ended.started_at / 1000)
         + coalesce((demand::json->'rateLimit'->>'perSeconds')::float8, 0) * interval '1 s'
     FROM unnest($1::text[], $2::float8[]) AS ended(id, started_at)
     WHERE call_permits.id = ended.id AND state = 'granted'
     RETURNING ${COLUMNS}`,
    [ends.map(({ id }) => id), ends.map(({ startedAt }) => startedAt)],
  );
  const usageOf = new Map(ends.map(({ id, usage }) => [id, usage]));
  return result.rows.map((row) => {
    const usage = usageOf.get(row.id);
    return { permit: permitOf(row), ...(usage !== undefined && { usage }) };
  });
}

const COLUMNS = `
  call_permits.id, run_id, task_id, owner, person_id, demand, state,
  (extract(epoch FROM wanted_at) * 1000)::float8 AS wanted_at,
  (extract(epoch FROM call_permits.started_at) * 1000)::float8 AS started_at`;

/** Every permit of the workspace that counts; what counts no more is swept out on the way. */
async function readPermits(client: ClientBase | Pool, workspaceId: string): Promise<readonly PermitRow[]> {
  const result = await client.query<PermitRow>({
    name: "read_permits",
    text: `WITH spent AS (
             DELETE FROM call_permits
             WHERE workspace_id = $1 AND state = 'over' AND counts_until <= clock_timestamp() RETURNING id
           )
           SELECT ${COLUMNS}, coalesce(holder.live_until > clock_timestamp(), false) AS live
           FROM call_permits LEFT JOIN permit_holders AS holder USING (owner)
           WHERE workspace_id = $1 AND call_permits.id NOT IN (SELECT id FROM spent)`,
    values: [workspaceId],
  });
  return result.rows;
}

/**
 * Permits of a worker that is dead or lost the run. Nobody says any more what its calls used, so those that were granted
 * are taken to have been made: they are to be charged, and their starts count for the rate limit as any others.
 *
 * @returns those.
 */
async function abandon(client: PoolClient, ids: readonly string[]): Promise<readonly PermitRow[]> {
  if (ids.length === 0) return [];
  const result = await client.query<PermitRow>(
    `WITH waited AS (DELETE FROM call_permits WHERE id = ANY($1::text[]) AND state = 'waiting')
     UPDATE call_permits SET
       state = 'over',
       counts_until = coalesce(started_at, clock_timestamp())
         + coalesce((demand::json->'rateLimit'->>'perSeconds')::float8, 0) * interval '1 s'
     WHERE id = ANY($1::text[]) AND state = 'granted'
     RETURNING ${COLUMNS}`,
    [ids],
  );
  return result.rows;
}

async function sweepHolders(client: PoolClient): Promise<void> {
  await client.query("DELETE FROM permit_holders WHERE live_until < clock_timestamp() - $1::float8 * interval '1 ms'", [
    HOLDER_KEPT_MS,
  ]);
}

/** The calls of one run that wait, each with what for. */
export async function waitingPermits(
  pool: Pool,
  workspaceId: string,
  runId: string,
): Promise<readonly { readonly permit: Permit; readonly on: WaitsOn }[]> {
  const rows = await readPermits(pool, workspaceId);
  if (!rows.some((row) => row.run_id === runId && row.state === "waiting")) return [];
  const permits = rows.filter((row) => row.live || row.state === "over").map(permitOf);
  const ceilings = reserveGranted(await readCeilings(pool, workspaceId), permits);
  const permitById = new Map(permits.filter((permit) => permit.runId === runId).map((permit) => [permit.id, permit]));
  return grantPermits(permits, ceilings, await databaseNow(pool)).flatMap((verdict) => {
    const permit = permitById.get(verdict.id);
    return permit === undefined || verdict.type !== "waits" ? [] : [{ permit, on: verdict.on }];
  });
}

const permitOf = (row: PermitRow): Permit => ({
  id: row.id,
  runId: row.run_id,
  taskId: row.task_id,
  owner: row.owner,
  demand: JSON.parse(row.demand),
  state: row.state,
  wantedAt: row.wanted_at,
  ...(row.person_id !== null && { personId: row.person_id }),
  ...(row.started_at !== null && { startedAt: row.started_at }),
});

/** Ceilings with what the calls in progress may still use. */
function reserveGranted(ceilings: readonly Ceiling[], permits: readonly Permit[]): readonly Ceiling[] {
  if (ceilings.length === 0) return ceilings;
  const running = permits.filter(({ state }) => state === "granted");
  return ceilings.map((ceiling) => ({
    ...ceiling,
    reserved: running.reduce((sum, permit) => sum + (amountFor(ceiling, permit) ?? 0), 0),
  }));
}

function verdictsFor(owner: string, permits: readonly Permit[], verdicts: readonly Verdict[]): readonly Verdict[] {
  const mine = new Set(permits.filter((permit) => permit.owner === owner).map(({ id }) => id));
  const held = permits.filter((permit) => permit.owner === owner && permit.state === "granted");
  return [...verdicts.filter(({ id }) => mine.has(id)), ...held.map(({ id }): Verdict => ({ id, type: "granted" }))];
}
