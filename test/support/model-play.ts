import type { Observation } from "#kernel/capability/observation";
import { type Plan, type Task, taskSchema } from "#kernel/plan/plan";
import { holdsOf } from "#kernel/run/holds";
import { FAILURE, type ModelRun, SUCCESS } from "./model-run";
import type { ModelPlan, ModelTask, ReferenceModel } from "./reference-model";
import { person } from "./run-fixture";

const TEMPLATE: Task = taskSchema.parse({ id: "template", capability: "test.echo", arguments: { value: 1 } });
const YEAR_SECONDS = 31_536_000;
const APPROVAL = {
  role: "approver",
  quorum: 1,
  decideWithinSeconds: YEAR_SECONDS,
  executeWithinSeconds: YEAR_SECONDS,
};

/** The engine's plan for the model's, without the cost of parsing: these tests make them by the hundred thousand. */
export function planOfModel({ tasks, maxParallel, pool }: ModelPlan): Plan {
  return {
    format: "planwright/v1",
    name: "model",
    maxParallel,
    pools: { gpu: pool },
    tasks: tasks.map(taskOfModel),
    completion: [],
  };
}

const taskOfModel = (task: ModelTask): Task => ({
  ...TEMPLATE,
  id: task.id as Task["id"],
  dependsOn: task.parents as Task["dependsOn"],
  join: task.join,
  onFailure: task.onFailure,
  estimate: { seconds: task.seconds },
  reads: [...task.reads],
  writes: [...task.writes],
  ...(task.uses > 0 ? { uses: { gpu: task.uses } } : {}),
  ...(task.gated ? { approval: APPROVAL } : {}),
  ...conditionOf(task),
  ...(task.items === undefined ? {} : { forEach: task.items.map((holds) => (holds ? "yes" : "no")) }),
  ...(task.maxAttempts > 1
    ? { retry: { maxAttempts: task.maxAttempts, backoffSeconds: 1, backoffFactor: 2, maxBackoffSeconds: 60 } }
    : {}),
});

function conditionOf({ when, items }: ModelTask): Pick<Task, "when"> {
  if (items?.includes(false)) {
    const item = { value: { $output: "item" }, equals: "yes" };
    return { when: when === undefined ? item : { all: [when as Task["when"] & {}, item] } };
  }
  return when === undefined ? {} : { when: when as Task["when"] & {} };
}

const OBSERVATIONS: Readonly<Record<"ok" | "retryable" | "terminal", Observation>> = {
  ok: SUCCESS,
  retryable: { ...FAILURE, status: "retryable", errorCategory: "unavailable" },
  terminal: FAILURE,
};

/** Something that happens to a run from outside. */
export type ModelAction =
  | { readonly type: "answer"; readonly id: string; readonly how: "ok" | "retryable" | "terminal" }
  | { readonly type: "decide"; readonly id: string; readonly approves: boolean }
  | { readonly type: "pass" | "pause" | "resume" | "cancel" };

/** Lets the same thing happen to both. */
export function happen(run: ModelRun, model: ReferenceModel, action: ModelAction): void {
  switch (action.type) {
    case "answer":
      model.answer(action.id, action.how);
      run.answer(action.id, OBSERVATIONS[action.how]);
      return;
    case "decide":
      model.decide(action.id, action.approves);
      decideGate(run, action.id, action.approves);
      return;
    case "pass":
      model.pass();
      // Longer than any backoff, and far from any time limit of a gate.
      run.now += 200_000;
      run.decide();
      return;
    case "pause":
    case "resume":
      model.pause(action.type === "pause");
      run
        .append({ type: action.type === "pause" ? "run_paused" : "run_resumed", at: run.now, by: person("p") })
        .decide();
      return;
    case "cancel":
      model.cancel();
      run.append({ type: "run_cancelled", at: run.now, by: person("p") }).decide();
  }
}

function decideGate(run: ModelRun, taskId: string, approves: boolean): void {
  for (const { status, request } of run.state.gates.values()) {
    if (status !== "open" || request.taskId !== taskId) continue;
    const { gateId, argumentsHash } = request;
    const decision = approves ? "approve" : "reject";
    const by = person("approver");
    run.append({ type: "approval_decided", at: run.now, gateId, decision, by, reason: "no", argumentsHash }).decide();
    return;
  }
  throw new Error(`${taskId} has no open gate`);
}

/** Where the run is not as the model says: statuses, calls in flight, holds, outcome. */
export function differences(run: ModelRun, model: ReferenceModel): string[] {
  const found: string[] = [];
  const wanted = model.statuses;
  for (const [id, status] of Object.entries(wanted)) {
    const own = run.statusOf(id);
    if (own !== status) found.push(`${id} is ${own}, should be ${status}`);
  }
  if (run.state.tasks.size !== Object.keys(wanted).length) found.push("another number of tasks");
  if (run.calls.size !== model.inFlight.length) found.push(`${run.calls.size} calls, not ${model.inFlight.length}`);
  if (run.state.outcome !== model.outcome) found.push(`outcome ${run.state.outcome}, should be ${model.outcome}`);
  if (model.ended) return found;
  const holds = holdsOf(run.state, run.now, run.options);
  for (const [id, status] of Object.entries(wanted)) {
    const reasons = model.holdsOf(id);
    const named = holds.get(id)?.type;
    if (named === undefined ? reasons.length > 0 || status === "ready" : !reasons.includes(named)) {
      found.push(`${id} (${status}) is held by ${named}, should be one of ${reasons.join()}`);
    }
  }
  return found;
}
