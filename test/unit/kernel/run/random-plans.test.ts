import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold } from "#kernel/run/reduce";
import { differences, happen, type ModelAction, planOfModel } from "../../../support/model-play";
import { ModelRun } from "../../../support/model-run";
import { type ModelPlan, type ModelTask, ReferenceModel } from "../../../support/reference-model";
import { JOINS } from "./small-plans";

const rarely = <Value>(value: fc.Arbitrary<Value>, otherwise: Value): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary: value });

const RESOURCES = ["doc:a", "doc:b"];

/** A task whose parents are among the first `index`, under any join, policy, condition, lock and pool. */
const taskArbitrary = (index: number): fc.Arbitrary<ModelTask> =>
  fc
    .record({
      parents: index === 0 ? fc.constant<number[]>([]) : fc.uniqueArray(fc.nat(index - 1), { maxLength: 4 }),
      join: fc.constantFrom(...JOINS),
      onFailure: fc.constantFrom<ModelTask["onFailure"]>("cancel_dependents", "block_dependents", "continue"),
      condition: rarely(fc.constantFrom("false", "succeeded", "failed", "skipped", "cancelled"), ""),
      items: rarely<readonly boolean[] | undefined>(fc.array(fc.boolean(), { maxLength: 3 }), undefined),
      maxAttempts: rarely(fc.integer({ min: 2, max: 3 }), 1),
      gated: rarely(fc.constant(true), false),
      seconds: fc.integer({ min: 0, max: 4 }),
      uses: rarely(fc.integer({ min: 1, max: 2 }), 0),
      reads: rarely(fc.subarray(RESOURCES), []),
      writes: rarely(fc.subarray(RESOURCES), []),
    })
    .map(({ parents, condition, items, ...rest }) => {
      const ids = parents.map((parent) => `t${parent}`);
      const status = ids[0];
      const when = condition === "false" ? false : status !== undefined ? { status, is: condition } : undefined;
      return {
        ...rest,
        id: `t${index}`,
        parents: ids,
        ...(items === undefined ? {} : { items }),
        // A condition on items is one per instance; the model keeps the two apart.
        ...(condition === "" || when === undefined || items?.includes(false) ? {} : { when }),
      };
    });

const planArbitrary = (largest: number): fc.Arbitrary<ModelPlan> =>
  fc
    .integer({ min: 1, max: largest })
    .chain((size) =>
      fc.record({
        tasks: fc.tuple(...Array.from({ length: size }, (_, index) => taskArbitrary(index))),
        maxParallel: fc.integer({ min: 1, max: 6 }),
        pool: fc.constant(2),
        order: fc.shuffledSubarray([...Array(size).keys()], { minLength: size, maxLength: size }),
      }),
    )
    // The plan lists its tasks in any order: parents need not stand first.
    .map(({ tasks, order, ...rest }) => ({ ...rest, tasks: order.flatMap((index) => tasks[index] ?? []) }));

/** What happens next, chosen by `pick` among what can: answers, decisions, time, and now and then a pause or a cancel. */
function nextAction(model: ReferenceModel, pick: number, paused: boolean): ModelAction {
  const statuses = Object.entries(model.statuses);
  const calls = model.inFlight;
  const asked = statuses.filter(([, status]) => status === "awaiting_approval" || status === "blocked");
  if (pick % 97 === 96) return { type: "cancel" };
  if (pick % 23 === 22) return { type: paused ? "resume" : "pause" };
  const choice = Math.floor(pick / 100) % (calls.length + asked.length || 1);
  const id = calls[choice] ?? asked[choice - calls.length]?.[0];
  if (id === undefined) return paused ? { type: "resume" } : { type: "pass" };
  if (choice >= calls.length) return { type: "decide", id, approves: pick % 3 > 0 };
  return { type: "answer", id, how: (["ok", "ok", "ok", "retryable", "terminal"] as const)[pick % 5] ?? "ok" };
}

/** Plays a plan through the engine and the model; each time something has happened, the two must be alike. */
function play(plan: ModelPlan, picks: readonly number[]): ModelRun {
  const run = new ModelRun(planOfModel(plan)).decide();
  const model = new ReferenceModel(plan);
  const actions: ModelAction[] = [];
  let paused = false;
  for (let step = 0; ; step++) {
    const found = differences(run, model);
    if (found.length > 0) expect({ found, actions }).toEqual({ found: [], actions });
    if (model.ended) return run;
    if (step > 1_000) throw new Error("the run never ends");
    // Beyond what was drawn, only what brings the run to its end.
    const drawn = picks[step];
    const action = nextAction(model, drawn ?? step * 100, paused);
    if (action.type === "pause" || action.type === "resume") paused = action.type === "pause";
    actions.push(action);
    happen(run, model, action);
  }
}

const picksArbitrary = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 40 });

describe("R3 R4 R7 R8 R9 R12 random plans", () => {
  it("runs 10,000 random plans as the model does at every step: what runs, what waits and for what, how it ends", () => {
    fc.assert(
      fc.property(planArbitrary(12), picksArbitrary, (plan, picks) => {
        play(plan, picks);
      }),
      { numRuns: 10_000 },
    );
  });

  it("R2 fold(log) = fold(suffix, fold(prefix)) at every point, and folding changes no earlier state", () => {
    fc.assert(
      fc.property(planArbitrary(8), picksArbitrary, fc.nat(60), (plan, picks, cut) => {
        const { log } = play(plan, picks);
        const whole = fold(log);
        const prefix = fold(log.slice(0, cut));
        const before = fold(log.slice(0, cut));
        expect(fold(log.slice(cut), prefix)).toEqual(whole);
        expect(prefix).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });
});
