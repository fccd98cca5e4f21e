import { diffPlans } from "#kernel/plan/diff";
import type { Plan } from "#kernel/plan/plan";
import { ok } from "#kernel/result";
import { fold } from "#kernel/run/reduce";
import type { Database } from "../../../server/db";
import type { Services } from "../../../server/services";
import { RunReader } from "../../../server/store/run-reader";
import { planOf } from "../run-fixture";
import { until } from "../until";
import type { Member } from "./crew";
import type { Ledger } from "./ledger";
import { ask, type ChaosPeople, newRequestId } from "./requester";

/** Branch, join, retry, gate, fan-out, a keyed effect, a failure that is passed by, and a completion check: 12 tasks. */
const TASKS = [
  { id: "start", arguments: { value: ["x", "y"] } },
  { id: "left", dependsOn: ["start"] },
  { id: "right", dependsOn: ["start"], capability: "test.sleep", arguments: { ms: 40, value: 1 } },
  {
    id: "flaky",
    dependsOn: ["left"],
    capability: "test.flaky",
    arguments: { failures: 2 },
    retry: { maxAttempts: 3, backoffSeconds: 0.03 },
  },
  { id: "never", dependsOn: ["left"], when: false },
  { id: "either", dependsOn: ["never", "right"], join: "any_succeeded" },
  { id: "signed", dependsOn: ["right"], approval: {} },
  { id: "each", forEach: { $output: "start#/value" }, arguments: { value: "${item}" } },
  { id: "count", capability: "test.count", arguments: { key: "count" }, dependsOn: ["flaky", "either"] },
  { id: "fails", capability: "test.fail", arguments: {}, dependsOn: ["each"], onFailure: "continue" },
  { id: "after-failure", dependsOn: ["fails"], join: "all_done" },
  { id: "end", dependsOn: ["count", "signed", "after-failure"] },
];
const REST = {
  name: "reference",
  completion: [{ check: "predicate", when: { status: "end", is: "succeeded" } }],
};
const REFERENCE_PLAN = planOf(TASKS, REST);

/** What a person makes of it while the gate is open: the unfinished part, with one more task before the end. */
const REVISED_PLAN = planOf(
  [
    { id: "signed", dependsOn: ["right"], approval: {} },
    { id: "added", capability: "test.count", arguments: { key: "added" }, dependsOn: ["signed"] },
    { id: "end", dependsOn: ["count", "added", "after-failure"] },
  ],
  REST,
);

interface ReviseRequest {
  readonly workspaceId: string;
  readonly runId: string;
  readonly plan: Plan;
}

/** Revises a run once, in the web process: a request that is repeated changes nothing. */
export async function revise(services: Services, request: Request): Promise<Response> {
  const { workspaceId, runId, plan } = (await request.json()) as ReviseRequest;
  const revised = await services.runs.submit(
    workspaceId,
    runId,
    (state, now) =>
      ok([
        {
          type: "plan_revised",
          at: now,
          revision: state.revision + 1,
          reason: "new_information",
          triggerSeq: state.lastSeq,
          by: "engineer",
          plan,
          capabilities: [...new Set(state.capabilities.values())],
          diff: diffPlans(state.plan ?? plan, plan),
        },
      ]),
    `revise ${runId}`,
  );
  return Response.json({ result: { data: revised } });
}

export interface ReferenceRun {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly people: ChaosPeople;
  readonly planId: string;
  readonly web: () => Member | undefined;
}

/** Stores the plan whose runs are compared. */
export async function storeReferencePlan(run: Omit<ReferenceRun, "planId">): Promise<string> {
  const input = { name: "reference", plan: REFERENCE_PLAN };
  const { data } = await ask(run.web, { path: "plans.create", input, key: run.people.engineer });
  return data.planId;
}

/** What must be the same however often a process died on the way. */
export interface RunEnd {
  readonly outcome: string | undefined;
  readonly tasks: Readonly<Record<string, readonly [status: string, output: unknown]>>;
  /** Keys under which each effect happened. */
  readonly effects: readonly number[];
}

/** Starts a run, revises it at its gate, signs the gate, and waits for its end: always as a person who is not answered. */
export async function playReferenceRun(run: ReferenceRun): Promise<{ readonly runId: string; readonly end: RunEnd }> {
  const { database, people, web } = run;
  const { pool } = database;
  const started = await ask(web, {
    path: "runs.start",
    input: { planId: run.planId, requestId: newRequestId() },
    key: people.engineer,
  });
  if (started.status !== 200) throw new Error(`The start was refused: ${started.appCode}`);
  const runId: string = started.data.runId;
  // At rest but for the gate, so that the revision meets the same state in every run.
  await until(`${runId} only waits for its gate`, async () => {
    const { rows } = await pool.query(
      `SELECT FROM runs JOIN gates ON gates.run_key = runs.key
       WHERE runs.id = $1 AND gates.status = 'open' AND runs.tasks_succeeded >= 10 AND runs.tasks_failed >= 1`,
      [runId],
    );
    return rows.length > 0;
  });
  const { workspaceId } = people;
  const revised = await ask(web, {
    path: "chaos.revise",
    input: { workspaceId, runId, plan: REVISED_PLAN },
    key: people.engineer,
  });
  if (revised.data?.ok !== true) throw new Error(`The revision was refused: ${JSON.stringify(revised)}`);
  await signUntilEnded(run, runId);
  return { runId, end: await endOf(run, runId) };
}

/** Whatever an approver is told of a gate that a revision has closed meanwhile. */
const CLOSED = new Set(["gate_superseded", "gate_closed", "gate_changed", "run_finished"]);

/** Signs every gate that opens, asking again until it is answered, until the run has ended. */
async function signUntilEnded({ database, people, web }: ReferenceRun, runId: string): Promise<void> {
  const signed = new Set<string>();
  await until(`${runId} ends`, async () => {
    // At rest: what a revision closes is closed before anybody signs it.
    const { rows } = await database.pool.query<{ id: string | null; payload: string; ended: boolean }>(
      `SELECT gates.id, event.payload, runs.finished_at IS NOT NULL AS ended FROM runs
       LEFT JOIN gates ON gates.run_key = runs.key AND gates.status = 'open' AND runs.lease_until IS NULL
       LEFT JOIN run_events AS event ON event.run_key = gates.run_key AND event.seq = gates.opened_seq
       WHERE runs.id = $1`,
      [runId],
    );
    if (rows[0]?.ended) return true;
    for (const { id, payload } of rows) {
      if (id === null || signed.has(id)) continue;
      const { nonce, argumentsHash } = JSON.parse(payload);
      const input = { gateId: id, nonce, argumentsHash, decision: "approve", requestId: newRequestId() };
      const answer = await ask(web, { path: "gates.decide", input, key: people.approver });
      if (answer.status !== 200 && !CLOSED.has(answer.appCode ?? "")) {
        throw new Error(`The decision was refused: ${answer.appCode}`);
      }
      signed.add(id);
    }
    return false;
  });
}

async function endOf({ database, ledger }: ReferenceRun, runId: string): Promise<RunEnd> {
  const events = await new RunReader(database.pool, new AbortController().signal).read(runId);
  const state = fold(events);
  return {
    outcome: state.outcome,
    tasks: Object.fromEntries([...state.tasks].map(([id, task]) => [id, [task.status, task.output ?? null] as const])),
    effects: ["count", "added"].map((taskId) => ledger.effectsOf(runId, taskId).size),
  };
}
