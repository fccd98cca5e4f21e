import fc from "fast-check";
import { expect, it } from "vitest";
import { registryOf } from "#kernel/capability/capability";
import { parsePointer } from "#kernel/json";
import { diffPlans } from "#kernel/plan/diff";
import type { FieldChange, PlanDiff } from "#kernel/plan/diff-schema";
import type { Plan, Task } from "#kernel/plan/plan";
import { applyEvent, cloneState, fold } from "#kernel/run/reduce";
import { retryTask } from "#kernel/run/retry-task";
import { checkRevision, revisionEvent } from "#kernel/run/revision";
import type { RunState } from "#kernel/run/state";
import { isTerminal } from "#kernel/run/status";
import { unfinishedPlan } from "#kernel/run/unfinished";
import { FAILURE, ModelRun, SUCCESS } from "../../../support/model-run";
import { CAPABILITIES, person, planOf } from "../../../support/run-fixture";

const RUNS = 150;
const OPTIONS = { registry: registryOf(CAPABILITIES) };

interface Shape {
  readonly parents: readonly (readonly number[])[];
  /** Of each answered call: whether it succeeds. */
  readonly answers: readonly boolean[];
  /** What a revision does with each unfinished task: keep, take out, change. */
  readonly changes: readonly number[];
  readonly added: number;
}

const shapes: fc.Arbitrary<Shape> = fc.integer({ min: 2, max: 7 }).chain((size) =>
  fc.record({
    parents: fc.tuple(
      ...Array.from({ length: size }, (_, index) =>
        index === 0 ? fc.constant([]) : fc.uniqueArray(fc.nat({ max: index - 1 }), { maxLength: 2 }),
      ),
    ),
    answers: fc.array(fc.boolean(), { minLength: 1, maxLength: size * 2 }),
    changes: fc.array(fc.nat({ max: 4 }), { minLength: size, maxLength: size }),
    added: fc.nat({ max: 2 }),
  }),
);

const name = (index: number): string => `t${index}`;
const planOfShape = ({ parents }: Shape): Plan =>
  planOf(
    parents.map((own, index) => ({
      id: name(index),
      dependsOn: own.map(name),
      onFailure: index % 2 === 0 ? "block_dependents" : "cancel_dependents",
      ...(index % 3 === 2 ? { approval: {} } : {}),
    })),
  );

/** The unfinished part with some of it taken out, changed and added; what runs is kept. */
function revisedPlan(state: RunState, { changes, added }: Shape): Plan {
  const plan = unfinishedPlan(state) as Plan;
  const runs = (task: Task) => state.inFlight.has(task.id);
  const out = new Set<string>(plan.tasks.filter((task, at) => changes[at] === 1 && !runs(task)).map(({ id }) => id));
  const left = plan.tasks.filter(({ id }) => !out.has(id));
  const tasks = left.map((task, at) => {
    const dependsOn = task.dependsOn.filter((id) => !out.has(id));
    if (runs(task)) return task;
    return changes[at] === 2 ? { ...task, dependsOn, arguments: { value: 7 } } : { ...task, dependsOn };
  });
  const more = planOf(Array.from({ length: added }, (_, at) => ({ id: `n${at}`, arguments: { value: at + 2 } }))).tasks;
  return { ...plan, tasks: [...tasks, ...more] };
}

/** Plays until something has ended, revises, has a failure tried again, and goes on with the rest of the answers. */
function played(shape: Shape): {
  readonly run: ModelRun;
  readonly finished: ReadonlyMap<string, string>;
  readonly revised: boolean;
} {
  const run = new ModelRun(planOfShape(shape)).decide();
  const half = Math.ceil(shape.answers.length / 2);
  const answer = (succeeds: boolean) => {
    const [call] = run.calls.keys();
    if (call !== undefined && run.state.status !== "finished") run.answer(call, succeeds ? SUCCESS : FAILURE);
  };
  shape.answers.slice(0, half).forEach(answer);
  const finished = finishedTasks(run.state);
  const checked = checkRevision(
    run.state,
    {
      reason: "new_information",
      triggerSeq: run.state.lastSeq,
      author: { kind: "person", name: "Ada" },
      document: run.state.plan === undefined ? {} : revisedPlan(run.state, shape),
    },
    OPTIONS,
  );
  if (checked.ok) run.append(revisionEvent(run.state, checked.value, 0)).decide();
  const retried = [...run.state.tasks.keys()].map((taskId) => retryTask(run.state, { taskId, by: person("ada") }, 0));
  const retry = checked.ok ? undefined : retried.find(({ ok }) => ok);
  if (retry?.ok) run.append(...retry.value).decide();
  shape.answers.slice(half).forEach(answer);
  return { run, finished, revised: checked.ok };
}

const finishedTasks = (state: RunState): ReadonlyMap<string, string> =>
  new Map(
    [...state.tasks.values()]
      .filter(({ status }) => isTerminal(status))
      .map(({ id, status, task, output, endedSeq }) => [id, JSON.stringify({ status, task, output, endedSeq })]),
  );

it("R14 a revision never changes a task that has ended", () => {
  let revisions = 0;
  fc.assert(
    fc.property(shapes, (shape) => {
      const { run, finished, revised } = played(shape);
      if (!revised) return;
      revisions += 1;
      const after = finishedTasks(run.state);
      for (const [id, was] of finished) expect(after.get(id)).toBe(was);
    }),
    { numRuns: RUNS },
  );
  expect(revisions).toBeGreaterThan(RUNS / 5);
});

it("R2 the fold of a log with revisions and retries is exact at every point, and a copy is independent", () => {
  fc.assert(
    fc.property(shapes, fc.double({ min: 0, max: 1, noNaN: true }), (shape, share) => {
      const { log } = played(shape).run;
      const at = Math.floor(log.length * share);
      const prefix = fold(log.slice(0, at));
      const before = cloneState(prefix);
      const whole = fold(log);
      expect(fold(log.slice(at), prefix)).toEqual(whole);
      expect(prefix).toEqual(before);
      const stepped = cloneState(prefix);
      for (const event of log.slice(at)) applyEvent(stepped, event);
      expect(stepped).toEqual(whole);
    }),
    { numRuns: RUNS },
  );
});

it("R14 the diff applied to the plan before gives the plan after", () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const run = new ModelRun(planOfShape(shape)).decide();
      const before = unfinishedPlan(run.state) as Plan;
      const after = revisedPlan(run.state, shape);
      const rebuilt = applyDiff(before, diffPlans(before, after), after);
      const byId = (plan: Plan) => new Map(plan.tasks.map((task) => [task.id, task]));
      expect(byId(rebuilt)).toEqual(byId(after));
    }),
    { numRuns: RUNS },
  );
});

/** The definitions of added tasks stand in the plan that an event carries beside its diff. */
function applyDiff(before: Plan, diff: PlanDiff, { tasks }: Plan): Plan {
  const added = tasks.filter(({ id }) => diff.added.includes(id));
  const changed = new Map(diff.changed.map(({ taskId, fields }) => [taskId as string, fields]));
  const kept = before.tasks.filter(({ id }) => !diff.removed.includes(id));
  return { ...before, tasks: [...kept.map((task) => withFields(task, changed.get(task.id) ?? [])), ...added] };
}

function withFields(task: Task, fields: readonly FieldChange[]): Task {
  const copy = structuredClone(task) as unknown as Record<string, unknown>;
  for (const { pointer, after } of fields) {
    const path = parsePointer(pointer) ?? [];
    let holder = copy;
    for (const part of path.slice(0, -1)) holder = holder[part] as Record<string, unknown>;
    const last = path.at(-1) ?? "";
    if (after === undefined) delete holder[last];
    else holder[last] = after;
  }
  return copy as unknown as Task;
}
