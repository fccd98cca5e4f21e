import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Join, OnFailure } from "#kernel/plan/plan";
import { joinSchema, onFailureSchema } from "#kernel/plan/plan";
import { fold } from "#kernel/run/reduce";
import { isTerminal } from "#kernel/run/status";
import { ModelRun } from "../../../support/model-run";
import { person } from "../../../support/run-fixture";
import { planOfFates, play } from "./play";
import { expectedEnds, expectedOutcome, type Fate } from "./reference-model";

const JOINS = joinSchema.options;
const PLAIN: Omit<Fate, "id" | "parents"> = {
  join: "all_succeeded",
  onFailure: "cancel_dependents",
  when: true,
  flaky: 0,
  maxAttempts: 1,
  succeeds: true,
};
const ENDINGS: readonly Partial<Fate>[] = [
  {},
  { succeeds: false },
  { succeeds: false, onFailure: "continue" },
  { when: false },
];

const statuses = (run: ModelRun) => Object.fromEntries([...run.state.tasks].map(([id, task]) => [id, task.status]));

/** Every DAG on `size` tasks, up to renaming: an edge goes from an earlier to a later one. */
function* dags(size: number): Generator<number[][]> {
  const pairs = (size * (size - 1)) / 2;
  for (let bits = 0; bits < 2 ** pairs; bits++) {
    const parents: number[][] = Array.from({ length: size }, () => []);
    let bit = 0;
    for (let to = 1; to < size; to++) {
      for (let from = 0; from < to; from++) if (bits & (1 << bit++)) parents[to]?.push(from);
    }
    yield parents;
  }
}

function* choices<Value>(values: readonly Value[], length: number): Generator<Value[]> {
  if (length === 0) yield [];
  else for (const rest of choices(values, length - 1)) for (const value of values) yield [...rest, value];
}

const fatesOf = (parents: readonly number[][], endings: readonly Partial<Fate>[], joins: readonly Join[]): Fate[] =>
  parents.map((own, index) => ({
    ...PLAIN,
    ...endings[index],
    join: joins[index] ?? "all_succeeded",
    id: `t${index}`,
    parents: own.map((parent) => `t${parent}`),
  }));

function check(fates: readonly Fate[]): void {
  const run = play(new ModelRun(planOfFates(fates)), fates);
  const ends = expectedEnds(fates, false);
  const same = fates.every((fate) => run.statusOf(fate.id) === ends.get(fate.id));
  if (same && run.state.outcome === expectedOutcome(fates, ends)) return;
  expect({ fates, ...statuses(run), outcome: run.state.outcome }).toEqual({
    fates,
    ...Object.fromEntries(ends),
    outcome: expectedOutcome(fates, ends),
  });
}

describe("R7 model check", () => {
  it("ends every plan of up to 3 tasks as the reference model says, for every outcome and every join", () => {
    for (const size of [1, 2, 3]) {
      for (const parents of dags(size)) {
        for (const endings of choices(ENDINGS, size)) {
          for (const joins of choices(JOINS, size)) {
            if (joins.some((join, index) => parents[index]?.length === 0 && join !== JOINS[0])) continue;
            check(fatesOf(parents, endings, joins));
          }
        }
      }
    }
  }, 60_000);

  it("ends every plan of 4 tasks as the reference model says, for every outcome and one join throughout", () => {
    for (const parents of dags(4)) {
      for (const endings of choices([{}, { succeeds: false }, { when: false }], 4)) {
        for (const join of JOINS) check(fatesOf(parents, endings, [join, join, join, join]));
      }
    }
  }, 120_000);

  const fate = (index: number): fc.Arbitrary<Fate> =>
    fc
      .record({
        parents: index === 0 ? fc.constant<number[]>([]) : fc.uniqueArray(fc.nat(index - 1), { maxLength: 4 }),
        join: fc.constantFrom<Join>(...JOINS),
        onFailure: fc.constantFrom<OnFailure>(...onFailureSchema.options),
        when: fc.boolean().map((value) => value || index % 3 !== 0),
        flaky: fc.nat(2),
        maxAttempts: fc.integer({ min: 1, max: 3 }),
        succeeds: fc.boolean(),
      })
      .map((drawn) => ({ ...drawn, id: `t${index}`, parents: drawn.parents.map((parent) => `t${parent}`) }));

  const plan = fc
    .integer({ min: 1, max: 12 })
    .chain((size) => fc.tuple(...Array.from({ length: size }, (_, index) => fate(index))));

  it("ends random plans as the reference model says, in whatever order the answers come", () => {
    fc.assert(
      fc.property(
        plan,
        fc.infiniteStream(fc.nat(11)),
        fc.boolean(),
        fc.option(fc.integer({ min: 1, max: 3 })),
        (fates, order, released, maxParallel) => {
          const run = new ModelRun(planOfFates(fates, maxParallel === null ? {} : { maxParallel }));
          const seen = new Set<string>();
          const ends = expectedEnds(fates, released);
          run.onDispatch = ({ taskId, attempt }) => {
            const call = `${taskId}#${attempt}`;
            expect(seen.has(call), `${call} was dispatched before`).toBe(false);
            seen.add(call);
            const parents = fates.find((each) => each.id === taskId)?.parents ?? [];
            for (const parent of parents) expect(run.statusOf(parent)).toBe(ends.get(parent));
            if (maxParallel !== null) expect(run.state.inFlight.size).toBeLessThan(maxParallel);
          };
          play(run, fates, { pick: () => order.next().value, released });
          expect(statuses(run)).toEqual(Object.fromEntries(ends));
          expect(run.state.outcome).toBe(expectedOutcome(fates, ends));
        },
      ),
      { numRuns: 2_000 },
    );
  }, 120_000);

  it("R8 starts nothing after a cancellation at any moment, and ends every task", () => {
    fc.assert(
      fc.property(plan, fc.infiniteStream(fc.nat(11)), fc.nat(12), (fates, order, after) => {
        const run = new ModelRun(planOfFates(fates)).decide();
        for (let step = 0; step < after && run.calls.size > 0; step++) {
          const calls = [...run.calls.keys()];
          run.answer(calls[order.next().value % calls.length] ?? "");
        }
        if (run.state.status === "finished") return;
        const before = run.dispatched.length;
        const inFlight = [...run.calls.keys()];
        run.append({ type: "run_cancelled", at: run.now, by: person("engineer") }).decide();
        expect(run.dispatched).toHaveLength(before);
        expect(run.aborted.sort()).toEqual(inFlight.sort());
        expect(run.state.outcome).toBe("cancelled");
        for (const task of run.state.tasks.values()) expect(isTerminal(task.status)).toBe(true);
      }),
      { numRuns: 500 },
    );
  }, 60_000);

  it("R2 fold(log) = fold(suffix, fold(prefix)) at every point, and folding changes no earlier state", () => {
    fc.assert(
      fc.property(plan, fc.infiniteStream(fc.nat(11)), fc.nat(60), (fates, order, cut) => {
        const { log } = play(new ModelRun(planOfFates(fates)), fates, { pick: () => order.next().value });
        const whole = fold(log);
        const prefix = fold(log.slice(0, cut));
        const before = fold(log.slice(0, cut));
        expect(fold(log.slice(cut), prefix)).toEqual(whole);
        expect(prefix).toEqual(before);
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});
