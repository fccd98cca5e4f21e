import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ok } from "#kernel/result";
import { decide } from "#kernel/run/decide";
import type { RunEvent, RunEventOf } from "#kernel/run/event";
import { capabilityExecutor } from "../../server/capabilities/executor";
import { testImplementations } from "../../server/capabilities/testing";
import { startWorker, type Worker } from "../../server/worker-services";
import type { ApiAnswer, ApiServer, Credentials } from "./api-server";
import { MemoryLog } from "./memory-log";
import { until } from "./until";

/** What a signer who saw a request sends. */
export interface Seen {
  readonly gateId: string;
  readonly nonce: string;
  readonly argumentsHash: string;
}

export const seen = ({ gateId, nonce, argumentsHash }: RunEventOf<"approval_requested">): Seen => ({
  gateId,
  nonce,
  argumentsHash,
});

/** A plan of gated tasks that each leave a line in a ledger outside the product. */
export const countingPlan = (keys: readonly string[], approval: object = {}, rest: object = {}): object => ({
  format: "planwright/v1",
  name: "gated counts",
  tasks: keys.map((key) => ({ id: key, capability: "test.count", arguments: { key }, approval })),
  ...rest,
});

/** Gates of runs in one test file, asked and decided through the interface. */
export class GateWorld {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "gates-"));
  readonly #ledger = path.join(this.#folder, "ledger.jsonl");

  constructor(readonly api: ApiServer) {}

  async start(plan: object, starter: Credentials = this.api.keys.engineer): Promise<string> {
    const created = await this.api.mutate("plans.create", { name: "gates", plan }, starter);
    const started = await this.api.mutate("runs.start", { planId: created.data.planId }, starter);
    return started.data.runId;
  }

  /** Starts a run and lets the kernel ask for its gates, as a driver would. */
  async open(plan: object, starter?: Credentials): Promise<{ runId: string; gates: readonly Seen[] }> {
    const runId = await this.start(plan, starter);
    await this.advance(runId);
    return { runId, gates: (await this.requests(runId)).map(seen) };
  }

  async openOne(plan: object, starter?: Credentials): Promise<{ runId: string; gate: Seen }> {
    const { runId, gates } = await this.open(plan, starter);
    return { runId, gate: first(gates) };
  }

  /** What the kernel records next, without any call being made. */
  async advance(runId: string): Promise<void> {
    await this.api.services.runs.submit(await this.#workspaceOf(runId), runId, (state, now) =>
      ok(decide(state, now).flatMap((command) => (command.type === "record" ? [command.event] : []))),
    );
  }

  async events(runId: string): Promise<readonly RunEvent[]> {
    return (await this.api.services.runs.events(await this.#workspaceOf(runId), runId, 0)) ?? [];
  }

  async requests(runId: string): Promise<readonly RunEventOf<"approval_requested">[]> {
    return (await this.events(runId)).filter((event) => event.type === "approval_requested");
  }

  /** The newest request of a run. */
  async latest(runId: string): Promise<Seen> {
    return seen(first((await this.requests(runId)).slice(-1)));
  }

  decide(gate: object, more: object = {}, who: Credentials = this.api.keys.approver): Promise<ApiAnswer> {
    return this.api.mutate("gates.decide", { ...gate, decision: "approve", ...more }, who);
  }

  async decisions(runId: string): Promise<readonly RunEventOf<"approval_decided">[]> {
    return (await this.events(runId)).filter((event) => event.type === "approval_decided");
  }

  /** Codes of the refused decisions in the audit of the first workspace, newest first. */
  async refusals(gateId: string): Promise<readonly string[]> {
    const { rows } = await this.api.database.pool.query<{ payload: string }>(
      `SELECT payload FROM audit_entries WHERE subject_id = $1 AND action = 'gate.decided_refused' ORDER BY number DESC`,
      [gateId],
    );
    return rows.map(({ payload }) => JSON.parse(payload).detail.code);
  }

  work(nonce?: (gateId: string) => string): Promise<Worker> {
    return startWorker({
      database: this.api.database,
      executor: capabilityExecutor(testImplementations(this.#ledger)),
      log: new MemoryLog(),
      ...(nonce === undefined ? {} : { tuning: { nonce } }),
    });
  }

  /** How often the ledger was written to for a key. */
  effects(key: string): number {
    return this.#lines().filter(([line]) => line === key).length;
  }

  ended(runId: string): Promise<string> {
    return until(`${runId} ends`, async () => {
      const { rows } = await this.api.database.pool.query("SELECT outcome FROM runs WHERE id = $1", [runId]);
      return rows[0]?.outcome ?? undefined;
    });
  }

  close(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true });
    return this.api.close();
  }

  #lines(): [string, string][] {
    const text = readFileSync(this.#ledger, { encoding: "utf8", flag: "a+" });
    return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  }

  async #workspaceOf(runId: string): Promise<string> {
    const { rows } = await this.api.database.pool.query("SELECT workspace_id FROM runs WHERE id = $1", [runId]);
    return rows[0].workspace_id;
  }
}

export const codeOf = (answer: ApiAnswer): string => answer.error?.data.appCode ?? `answered ${answer.status}`;

function first<Value>([value]: readonly Value[]): Value {
  if (value === undefined) throw new Error("The run asked for nothing.");
  return value;
}
