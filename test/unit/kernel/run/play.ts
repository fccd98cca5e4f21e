import type { Observation } from "#kernel/capability/observation";
import { type Plan, type Task, taskSchema } from "#kernel/plan/plan";
import { FAILURE, type ModelRun, SUCCESS } from "../../../support/model-run";
import { person } from "../../../support/run-fixture";
import type { Fate } from "./reference-model";

const TEMPLATE: Task = taskSchema.parse({ id: "template", capability: "test.echo", arguments: { value: 1 } });

/** A plan without the cost of parsing it, since these tests make it by the hundred thousand. */
export function planOfFates(fates: readonly Fate[], rest: Partial<Plan> = {}): Plan {
  const tasks = fates.map(
    (fate): Task => ({
      ...TEMPLATE,
      id: fate.id as Task["id"],
      dependsOn: fate.parents as Task["dependsOn"],
      join: fate.join,
      onFailure: fate.onFailure,
      ...(fate.when ? {} : { when: false }),
      ...(fate.maxAttempts > 1
        ? { retry: { maxAttempts: fate.maxAttempts, backoffSeconds: 1, backoffFactor: 2, maxBackoffSeconds: 60 } }
        : {}),
    }),
  );
  return { format: "planwright/v1", name: "random", tasks, completion: [], ...rest };
}

const RETRYABLE: Observation = { ...FAILURE, status: "retryable", errorCategory: "unavailable" };

/** What the world answers to this attempt. */
export function answerOf(fate: Fate, attempt: number): Observation {
  if (attempt <= fate.flaky) return RETRYABLE;
  return fate.succeeds ? SUCCESS : FAILURE;
}

/**
 * Plays a run to its end: answers calls in the order that `pick` chooses, decides on blocked tasks, moves the clock
 * when nothing else is left.
 */
export function play(
  run: ModelRun,
  fates: readonly Fate[],
  { pick = () => 0, released = false }: { pick?: (count: number) => number; released?: boolean } = {},
): ModelRun {
  const fateOf = new Map(fates.map((fate) => [fate.id, fate]));
  run.decide();
  for (let step = 0; run.state.status !== "finished"; step++) {
    if (step > 10_000) throw new Error("the run never ends");
    const calls = [...run.calls.values()];
    const call = calls[calls.length === 0 ? 0 : pick(calls.length) % calls.length];
    const fate = call && fateOf.get(call.taskId);
    if (call !== undefined && fate !== undefined) run.answer(call.taskId, answerOf(fate, call.attempt));
    else if (!decideGates(run, released)) run.wake();
  }
  return run;
}

/** Answers the first open gate, if there is one. */
function decideGates(run: ModelRun, released: boolean): boolean {
  const gate = [...run.state.gates.values()].find((each) => each.status === "open");
  if (gate === undefined) return false;
  const { gateId, argumentsHash } = gate.request;
  const decision = released ? "approve" : "reject";
  const by = person("approver");
  run.append({ type: "approval_decided", at: run.now, gateId, decision, by, reason: "no", argumentsHash }).decide();
  return true;
}
