import { happen, planOfModel } from "../../../support/model-play";
import { ModelRun } from "../../../support/model-run";
import { type ModelTask, ReferenceModel } from "../../../support/reference-model";

/**
 * What can become of one task. Every outcome of the domain is reached the way a run reaches it: a failure by its
 * call, a skip by its condition, a cancellation by a signature that is refused.
 */
export const ENDINGS = ["ok", "fail_cancel", "skip", "refuse", "fail_block", "fail_continue"] as const;
export type Ending = (typeof ENDINGS)[number];

export const JOINS = ["all_succeeded", "none_failed", "any_succeeded", "all_done"] as const;
export type Join = (typeof JOINS)[number];

/** For each task, the tasks it depends on. */
export type Parents = readonly (readonly number[])[];

/** Every directed acyclic graph on `size` labelled tasks: 1, 3, 25 and 543 of them for 1 to 4. */
export function* labelledDags(size: number): Generator<Parents> {
  const pairs = Array.from({ length: size }, (_, to) => Array.from({ length: size }, (_, from) => [from, to] as const))
    .flat()
    .filter(([from, to]) => from !== to);
  for (let bits = 0; bits < 2 ** pairs.length; bits++) {
    const parents: number[][] = Array.from({ length: size }, () => []);
    for (const [bit, [from, to]] of pairs.entries()) if (bits & (1 << bit)) parents[to]?.push(from);
    if (topologicalOrder(parents) !== undefined) yield parents;
  }
}

/** The tasks of a graph, parents first; undefined where it has a cycle. */
export function topologicalOrder(parents: Parents): number[] | undefined {
  const order: number[] = [];
  while (order.length < parents.length) {
    const next = parents.findIndex((own, task) => !order.includes(task) && own.every((each) => order.includes(each)));
    if (next === -1) return undefined;
    order.push(next);
  }
  return order;
}

export function* choices<Value>(values: readonly Value[], length: number): Generator<Value[]> {
  if (length === 0) yield [];
  else for (const rest of choices(values, length - 1)) for (const value of values) yield [...rest, value];
}

const taskOf = (id: number, parents: readonly number[], join: Join, ending: Ending): ModelTask => ({
  id: `t${id}`,
  parents: parents.map((parent) => `t${parent}`),
  join,
  onFailure:
    ending === "fail_block" ? "block_dependents" : ending === "fail_continue" ? "continue" : "cancel_dependents",
  ...(ending === "skip" ? { when: false } : {}),
  maxAttempts: 1,
  gated: ending === "refuse",
  seconds: 1,
  uses: 0,
  reads: [],
  writes: [],
});

/**
 * Plays every combination of endings of one graph through the engine and the model, and counts them. A task that is
 * never called ends the same whatever its call would have answered, so its endings are not multiplied.
 */
export function playEveryEnding(
  parents: Parents,
  joins: readonly Join[],
  endings: readonly Ending[],
  onDifference: (plan: readonly ModelTask[], wanted: unknown, found: unknown) => void,
): number {
  const order = topologicalOrder(parents) ?? [];
  let played = 0;
  const explore = (chosen: readonly Ending[], from: number): void => {
    const tasks = parents.map((own, task) => taskOf(task, own, joins[task] ?? "all_succeeded", chosen[task] ?? "ok"));
    const ends = playOnce(tasks, chosen, onDifference);
    played += 1;
    for (let at = from; at < order.length; at++) {
      const task = order[at] ?? 0;
      if (ends[`t${task}`] !== "succeeded") continue;
      for (const ending of endings.slice(1)) explore(chosen.with(task, ending), at + 1);
    }
  };
  explore(
    parents.map(() => "ok"),
    0,
  );
  return played;
}

function playOnce(
  tasks: readonly ModelTask[],
  endings: readonly Ending[],
  onDifference: (plan: readonly ModelTask[], wanted: unknown, found: unknown) => void,
): Record<string, string> {
  const plan = { tasks, maxParallel: 10, pool: 1 };
  const model = new ReferenceModel(plan);
  const run = new ModelRun(planOfModel(plan)).decide();
  for (let step = 0; !model.ended && step < 50; step++) {
    const [id, status] = Object.entries(model.statuses).find(([, each]) => ASKS.includes(each)) ?? ["", ""];
    const ending = endings[Number(id.slice(1))] ?? "ok";
    if (status === "dispatched")
      happen(run, model, { type: "answer", id, how: ending.startsWith("fail") ? "terminal" : "ok" });
    // A blocked task is let run where its own ending is a success, so that both answers are played.
    else happen(run, model, { type: "decide", id, approves: status === "blocked" && ending !== "refuse" });
  }
  const wanted = { ...model.statuses, outcome: model.outcome };
  const found: Record<string, string | undefined> = { outcome: run.state.outcome };
  for (const [id, task] of run.state.tasks) found[id] = task.status;
  const same = Object.entries(wanted).every(([key, value]) => found[key] === value);
  if (!same || !model.ended) onDifference(tasks, wanted, found);
  return model.statuses;
}

const ASKS = ["dispatched", "awaiting_approval", "blocked"];
