import { setTimeout as delay } from "node:timers/promises";
import type { Plan } from "#kernel/plan/plan";
import { type Database, openDatabase } from "../../../server/db";
import { brokenFolds } from "../fold-invariants";
import { brokenInvariants } from "../invariants";
import { planOf } from "../run-fixture";
import { until } from "../until";
import { Crew, type Member, type ProcessOrder } from "./crew";
import { type Ledger, openLedger } from "./ledger";
import { addPeople, ask, type ChaosPeople, newRequestId } from "./requester";

export interface FieldOptions {
  readonly database: Database;
  readonly workers: number;
  readonly webs?: number;
  /** What the processes are told beside where everything is. */
  readonly order?: Partial<ProcessOrder>;
  /** The way to the database of each process; default: straight. */
  readonly urlOf?: (role: ProcessOrder["role"], index: number) => string;
}

/**
 * Web and worker processes on one database, people who ask them, and the judge: runs are started and gates signed
 * through the interface while the test kills, stops and cuts off whom it likes.
 */
export class Field {
  readonly #options: FieldOptions;
  readonly #seats: { readonly role: ProcessOrder["role"]; readonly index: number; member: Member | undefined }[] = [];
  readonly runIds: string[] = [];
  readonly #signed = new Set<string>();
  #closed = false;
  #signing: Promise<void> = Promise.resolve();

  private constructor(
    options: FieldOptions,
    readonly crew: Crew,
    readonly ledger: Ledger,
    readonly people: ChaosPeople,
  ) {
    this.#options = options;
  }

  static async open(options: FieldOptions): Promise<Field> {
    const [crew, ledger, people] = await Promise.all([Crew.open(), openLedger(), addPeople(options.database)]);
    const field = new Field(options, crew, ledger, people);
    for (const [role, count] of [
      ["web", options.webs ?? 1],
      ["worker", options.workers],
    ] as const) {
      for (let index = 0; index < count; index++) field.#seats.push({ role, index, member: undefined });
    }
    for (const seat of field.#seats) seat.member = await field.#enter(seat.role, seat.index);
    field.#signing = field.#signUntilClosed();
    return field;
  }

  get database(): Database {
    return this.#options.database;
  }

  /** Those who live, in that role. */
  members(role: ProcessOrder["role"]): readonly Member[] {
    return this.#seats.flatMap(({ role: own, member }) => (own === role && member?.alive ? [member] : []));
  }

  /** A web process that lives. */
  readonly web = (): Member | undefined => this.members("web")[0];

  /** Kills a process with -9 and puts another in its seat, as a supervisor would. */
  async killAndReplace(member: Member): Promise<void> {
    const seat = this.#seats.find((each) => each.member === member);
    await member.kill();
    if (seat !== undefined) seat.member = await this.#enter(seat.role, seat.index);
  }

  /** Kills a process with -9; its seat stays empty. */
  async kill(member: Member): Promise<void> {
    await member.kill();
  }

  /** Starts a run and returns its id once the start has answered: from then on nothing of it may be lost. */
  async start(plan: Plan): Promise<string> {
    const key = this.people.engineer;
    const created = await ask(this.web, { path: "plans.create", input: { name: plan.name, plan }, key });
    return this.startAgain(created.data.planId);
  }

  async startAgain(planId: string): Promise<string> {
    const input = { planId, requestId: newRequestId() };
    const started = await ask(this.web, { path: "runs.start", input, key: this.people.engineer });
    if (started.status !== 200) throw new Error(`A start was refused: ${JSON.stringify(started)}`);
    this.runIds.push(started.data.runId);
    return started.data.runId;
  }

  async createPlan(plan: Plan): Promise<string> {
    const input = { name: plan.name, plan };
    return (await ask(this.web, { path: "plans.create", input, key: this.people.engineer })).data.planId;
  }

  async untilAllEnded(timeoutMs = 180_000): Promise<void> {
    await until("every run has ended", async () => (await this.unfinished()) === 0, timeoutMs);
  }

  async unfinished(): Promise<number> {
    const { rows } = await this.database.pool.query<{ left: number }>(
      "SELECT count(*)::int AS left FROM runs WHERE finished_at IS NULL",
    );
    return rows[0]?.left ?? 0;
  }

  /** Whom a run is driven by just now, for those that are well under way. */
  async driven(): Promise<readonly { readonly runId: string; readonly pid: number }[]> {
    const { rows } = await this.database.pool.query<{ id: string; owner: string }>(
      `SELECT id, lease_owner AS owner FROM runs
       WHERE finished_at IS NULL AND lease_until > clock_timestamp() AND seq > 2 ORDER BY key`,
    );
    return rows.map((row) => ({ runId: row.id, pid: Number(row.owner.split("/")[1]) }));
  }

  /** Everything that is wrong once all runs have ended: what was lost, what was doubled, what waits for nobody. */
  async faults(): Promise<string[]> {
    const { database, runIds } = this;
    return [
      ...(await brokenInvariants(database.pool)),
      ...(await brokenFolds(database, runIds)),
      ...(await this.#lostWork()),
    ];
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#signing;
    await this.crew.close();
    await this.ledger.close();
  }

  #enter(role: ProcessOrder["role"], index: number): Promise<Member> {
    const { database, order, urlOf } = this.#options;
    const url = urlOf?.(role, index) ?? database.url;
    return this.crew.start({ role, url, ledgerUrl: this.ledger.url, ...order });
  }

  /** The approver signs every gate that opens, and asks again until it is answered. */
  async #signUntilClosed(): Promise<void> {
    while (!this.#closed) {
      const { rows } = await this.database.pool
        .query<{ id: string; payload: string }>(
          `SELECT gates.id, event.payload FROM gates
           JOIN run_events AS event ON event.run_key = gates.run_key AND event.seq = gates.opened_seq
           WHERE gates.status = 'open'`,
        )
        .catch(() => ({ rows: [] }));
      for (const { id, payload } of rows.filter((row) => !this.#signed.has(row.id))) {
        const { nonce, argumentsHash } = JSON.parse(payload);
        const input = { gateId: id, nonce, argumentsHash, decision: "approve", requestId: newRequestId() };
        this.#signed.add(id);
        const answer = await ask(this.web, { path: "gates.decide", input, key: this.people.approver }).catch(() => {});
        if (answer?.status !== 200) this.refusals.push(`${id}: ${JSON.stringify(answer)}`);
      }
      await delay(30);
    }
  }

  /** Decisions that were refused; an approver who signs once must never be told that it was done already. */
  readonly refusals: string[] = [];

  async #lostWork(): Promise<string[]> {
    const { pool } = this.database;
    const { rows } = await pool.query<{ id: string; outcome: string; ended: number; total: number }>(
      `SELECT runs.id, runs.outcome::text, runs.tasks_total AS total,
              count(*) FILTER (WHERE event.type = 'task_succeeded')::int AS ended
       FROM runs JOIN run_events AS event ON event.run_key = runs.key
       WHERE runs.id = ANY($1::text[]) GROUP BY runs.key`,
      [this.runIds],
    );
    const faults = rows
      .filter((run) => run.outcome !== "completed" || run.ended !== run.total)
      .map((run) => `run ${run.id} ended ${run.outcome} with ${run.ended} of ${run.total} tasks`);
    if (rows.length !== this.runIds.length) faults.push(`${this.runIds.length - rows.length} runs are gone`);
    const counted = await pool.query<{ id: string; task_id: string }>(
      `SELECT runs.id, event.task_id FROM run_events AS event JOIN runs ON runs.key = event.run_key
       WHERE event.type = 'task_succeeded' AND event.payload::json #>> '{observation,output,count}' IS NOT NULL`,
    );
    for (const { id, task_id } of counted.rows) {
      const keys = this.ledger.effectsOf(id, task_id).size;
      if (keys !== 1) faults.push(`${id}/${task_id} took effect under ${keys} keys`);
    }
    return [...faults, ...this.refusals];
  }
}

/** 200 tasks in random layers: values handed on, sleeps, keyed effects, calls that fail first, and one gate. */
export function randomPlan(random: () => number, tasks = 200): Plan {
  const width = 8;
  const gateAt = width + Math.floor(random() * (tasks - width));
  return planOf(
    Array.from({ length: tasks }, (_, index) => {
      const layer = Math.floor(index / width);
      const parent = (layer - 1) * width + Math.floor(random() * width);
      const dependsOn = layer === 0 ? [] : [`t${parent}`];
      const id = `t${index}`;
      const kind = random();
      if (index === gateAt) return { id, dependsOn, approval: {} };
      if (kind < 0.4) return { id, dependsOn, arguments: { value: index } };
      if (kind < 0.75) {
        const ms = 5 + Math.floor(random() * 60);
        return { id, dependsOn, capability: "test.sleep", arguments: { ms, value: index } };
      }
      if (kind < 0.9) return { id, dependsOn, capability: "test.count", arguments: { key: `k${index}` } };
      const retry = { maxAttempts: 5, backoffSeconds: 0.05 };
      return { id, dependsOn, capability: "test.flaky", arguments: { failures: 1 + Math.floor(random() * 2) }, retry };
    }),
    { name: "chaos", maxParallel: 4 },
  );
}

/** Another connection to the same database, for a test that restarts the server under it. */
export const reopen = (url: string): Database => openDatabase(url);
