import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "#kernel/json";
import { checkDecision } from "#kernel/run/approval";
import type { Authority, Signer } from "#kernel/run/authority";
import { controlRun } from "#kernel/run/control";
import type { RunEvent, RunEventOf } from "#kernel/run/event";
import { fold } from "#kernel/run/reduce";
import { checkRevocation } from "#kernel/run/revocation";
import { argumentsHash } from "#kernel/run/signature";
import { FAILURE, ModelRun, SUCCESS } from "../../../support/model-run";
import { person, planOf } from "../../../support/run-fixture";

/** Accounts: `twin` is a second one of `ada`'s; `robot` is an agent's; the last two asked for the run themselves. */
const NAMES = ["ada", "twin", "bob", "cy", "dee", "robot", "requester", "author"] as const;
type Name = (typeof NAMES)[number];

type Step =
  | {
      readonly type: "decide";
      readonly who: Name;
      readonly decision: "approve" | "reject" | "send_back";
      readonly gate: number;
      readonly stale: boolean;
    }
  | { readonly type: "revoke"; readonly who: Name; readonly gate: number }
  | { readonly type: "delegate"; readonly from: Name; readonly to: Name; readonly on: boolean }
  | { readonly type: "role"; readonly who: Name; readonly on: boolean }
  | { readonly type: "wait"; readonly ms: number }
  | { readonly type: "answer"; readonly ok: boolean }
  | { readonly type: "drive" }
  | { readonly type: "control"; readonly action: "pause" | "resume" | "cancel" };

const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("ada" as const, "bob" as const, "dee" as const) },
  { weight: 2, arbitrary: fc.constantFrom(...NAMES) },
);
/** Counted back from the newest, which is the one that mostly matters. */
const gate = fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 3 }) });
const rarely = fc.nat({ max: 7 }).map((value) => value === 0);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("decide" as const),
      who: name,
      decision: fc.oneof(
        { weight: 12, arbitrary: fc.constant("approve" as const) },
        { weight: 1, arbitrary: fc.constantFrom("reject" as const, "send_back" as const) },
      ),
      gate,
      stale: rarely,
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("revoke" as const), who: name, gate }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("delegate" as const), from: name, to: name, on: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("role" as const), who: name, on: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("wait" as const), ms: fc.nat({ max: 3_000 }) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("answer" as const), ok: fc.boolean() }) },
  { weight: 6, arbitrary: fc.constant({ type: "drive" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("control" as const),
      action: fc.constantFrom("pause" as const, "resume" as const, "cancel" as const),
    }),
  },
);

const scenario = fc.record({
  quorum: fc.constantFrom(1, 1, 2, 2, 3),
  decideWithinSeconds: fc.integer({ min: 1, max: 20 }),
  executeWithinSeconds: fc.integer({ min: 1, max: 10 }),
  escalateAfterSeconds: fc.option(fc.nat({ max: 10 }), { nil: undefined }),
  people: fc.option(fc.subarray([...NAMES], { minLength: 3 }), { nil: undefined, freq: 3 }),
  maxParallel: fc.integer({ min: 1, max: 2 }),
  /** Who stands in for whom at the start, and who holds no role: those are the ones that need somebody's right. */
  lent: fc.array(fc.tuple(fc.constantFrom(...NAMES), name), { maxLength: 6 }),
  withoutRole: fc.subarray(["ada", "twin", "bob"] as const),
  steps: fc.array(step, { minLength: 5, maxLength: 60 }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

/** The world outside the log: who holds which role and who stands in for whom, at each moment. */
class World {
  readonly roles = new Map<string, Set<string>>(
    NAMES.map((who) => [who, new Set(who === "dee" ? ["backup"] : who === "cy" ? [] : ["approver"])]),
  );
  readonly delegations = new Map<string, Set<string>>();

  lend(from: string, to: string): void {
    this.delegations.set(to, new Set([...(this.delegations.get(to) ?? []), from]));
  }

  authority(who: string): Authority {
    const twins = who === "ada" ? ["twin"] : who === "twin" ? ["ada"] : [];
    return {
      ...person(who),
      roles: [...(this.roles.get(who) ?? [])],
      sameAs: twins.map((twin) => person(twin).id),
    };
  }

  signer(who: string): Signer {
    return {
      ...this.authority(who),
      isAgent: who === "robot",
      delegators: [...(this.delegations.get(who) ?? [])].map((from) => this.authority(from)),
    };
  }
}

/** What the world was when each decision was accepted; the judge of the property, apart from the code under test. */
interface Witness {
  readonly event: RunEventOf<"approval_decided">;
  readonly roles: ReadonlyMap<string, ReadonlySet<string>>;
  readonly standsInFor: ReadonlySet<string>;
}

function play(given: Scenario): { log: RunEvent[]; witnesses: Map<number, Witness>; run: ModelRun } {
  const { steps, maxParallel, lent, withoutRole, escalateAfterSeconds, people, ...times } = given;
  const approval = {
    ...times,
    ...(people === undefined ? {} : { people }),
    ...(escalateAfterSeconds === undefined ? {} : { escalate: { afterSeconds: escalateAfterSeconds, role: "backup" } }),
  };
  const plan = planOf(
    [
      { id: "busy", estimate: { seconds: 60 } },
      { id: "a", approval, retry: { maxAttempts: 3, backoffSeconds: 2 } },
      { id: "b", approval, dependsOn: ["a"], arguments: { value: { $output: "a" } } },
    ],
    { maxParallel },
  );
  const run = new ModelRun(plan).decide();
  const world = new World();
  for (const who of withoutRole) world.roles.get(who)?.delete("approver");
  for (const [from, to] of lent) world.lend(from, to);
  const witnesses = new Map<number, Witness>();
  const gateAt = (index: number) => [...run.state.gates.values()].at(-1 - index)?.request;
  for (const each of steps) {
    switch (each.type) {
      case "decide": {
        const request = gateAt(each.gate);
        if (request === undefined) break;
        const seen = each.stale ? (gateAt(each.gate + 1) ?? request) : request;
        const signer = world.signer(each.who);
        const result = checkDecision(
          run.state,
          {
            gateId: request.gateId,
            nonce: seen.nonce,
            argumentsHash: seen.argumentsHash,
            decision: each.decision,
            reason: "because",
            editedArguments: { value: run.state.lastSeq },
          },
          { signer, now: run.now, checkSchema: () => [] },
        );
        if (!result.ok) break;
        run.append(...result.value);
        const event = run.log.at(-1);
        if (event?.type !== "approval_decided") throw new Error("a decision is one event");
        witnesses.set(event.seq, {
          event,
          roles: new Map([...world.roles].map(([who, roles]) => [who, new Set(roles)])),
          standsInFor: new Set(world.delegations.get(each.who)),
        });
        break;
      }
      case "revoke": {
        const request = gateAt(each.gate);
        if (request === undefined) break;
        const result = checkRevocation(
          run.state,
          { gateId: request.gateId },
          { signer: world.signer(each.who), now: run.now },
        );
        if (result.ok) run.append(...result.value);
        break;
      }
      case "delegate": {
        if (each.on) world.lend(each.from, each.to);
        else world.delegations.get(each.to)?.delete(each.from);
        break;
      }
      case "role":
        if (each.on) world.roles.get(each.who)?.add("approver");
        else world.roles.get(each.who)?.delete("approver");
        break;
      case "wait":
        run.now += each.ms;
        break;
      case "answer": {
        const [taskId] = run.calls.keys();
        if (taskId !== undefined) run.answer(taskId, each.ok ? SUCCESS : { ...FAILURE, status: "retryable" });
        break;
      }
      case "control": {
        const controlled = controlRun(run.state, { action: each.action, by: person("bob") }, run.now);
        if (controlled.ok) run.append(...controlled.value);
        break;
      }
      case "drive":
        run.decide();
    }
  }
  return { log: run.log, witnesses, run };
}

const samePerson = (who: string): string => (who === "twin" ? "ada" : who);

/** Everything that must be true of a gated call at the moment of its start, judged from the log and the witnesses. */
function judge(log: readonly RunEvent[], at: number, witnesses: ReadonlyMap<number, Witness>): void {
  const start = log[at];
  if (start?.type !== "task_dispatched" || start.taskId === "busy") return;
  const past = log.slice(0, at);
  const request = past.findLast(
    (event): event is RunEventOf<"approval_requested"> =>
      event.type === "approval_requested" && event.taskId === start.taskId,
  );
  if (request === undefined || start.gateId !== request.gateId) throw new Error("it started without its gate");
  const of = past.filter((event) => "gateId" in event && event.gateId === request.gateId);
  expect(of.some(({ type }) => type === "approval_revoked" || type === "approval_expired")).toBe(false);
  const decisions = of.filter((event) => event.type === "approval_decided");
  expect(decisions.every(({ decision }) => decision === "approve")).toBe(true);
  const signers = new Set(decisions.map(({ by }) => samePerson(by.id)));
  const rights = new Set(decisions.map(({ by, onBehalfOf }) => samePerson((onBehalfOf ?? by).id)));
  expect(signers.size).toBeGreaterThanOrEqual(request.quorum);
  expect(rights.size).toBeGreaterThanOrEqual(request.quorum);
  for (const decision of decisions) {
    const witness = witnesses.get(decision.seq);
    if (witness === undefined) throw new Error("nobody saw it");
    expect(decision.at).toBeLessThan(request.decideBy);
    expect(decision.argumentsHash).toBe(argumentsHash(request.arguments));
    const barred = new Set<string>(request.excluded.map(({ id }) => samePerson(id)));
    const right = (decision.onBehalfOf ?? decision.by).id;
    expect(barred.has(samePerson(decision.by.id)) || barred.has(samePerson(right))).toBe(false);
    expect(decision.by.id).not.toBe("robot");
    if (decision.onBehalfOf !== undefined) expect(witness.standsInFor.has(right)).toBe(true);
    const roles = witness.roles.get(right);
    const escalated = request.escalateAt !== undefined && decision.at >= request.escalateAt && roles?.has("backup");
    const named = request.people === undefined || request.people.some((who) => who === right);
    expect((roles?.has("approver") === true && named) || escalated === true).toBe(true);
  }
  const quorumAt = decisions.at(-1)?.at ?? Number.POSITIVE_INFINITY;
  expect(start.at).toBeLessThan(quorumAt + request.executeWithinSeconds * 1000);
  expect(past.some(({ type }) => type === "run_cancelled" || type === "run_finished")).toBe(false);
}

describe("R11 the machine of a gate", () => {
  it("lets no call run without a quorum of distinct eligible people, within both times, for exactly these bytes", () => {
    let started = 0;
    fc.assert(
      fc.property(scenario, (given) => {
        const { log, witnesses, run } = play(given);
        for (const [index, event] of log.entries()) {
          judge(log, index, witnesses);
          if (event.type === "task_dispatched" && event.taskId !== "busy") started += 1;
        }
        // What is handed to the call is the request that was signed, byte for byte.
        for (const [taskId, call] of run.calls) {
          if (call.gateId === undefined) continue;
          const signed = run.state.gates.get(call.gateId)?.request;
          expect(call.taskId).toBe(taskId);
          expect(canonicalJson(call.arguments)).toBe(canonicalJson(signed?.arguments ?? null));
        }
        // The log alone gives the same state, however often it is folded.
        expect(fold(log).gates).toEqual(run.state.gates);
      }),
      { numRuns: 1_200 },
    );
    // The property is about calls that start: most of them would be worth nothing if none did.
    expect(started).toBeGreaterThan(10);
  });

  it("leaves no gate to wait for ever: one that is open has a time at which something happens", () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const { run } = play(given);
        if (run.state.status === "finished") return;
        run.decide();
        const waits = [...run.state.gates.values()].some((each) => each.status === "open");
        if (waits && run.state.status === "running") expect(run.wakeAt).toBeDefined();
      }),
      { numRuns: 300 },
    );
  });
});
