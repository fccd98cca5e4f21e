import type { Observation } from "../capability/observation";
import type { TaskId } from "../ids";
import { sameTask } from "../plan/diff";
import { predecessorsOf } from "../plan/graph";
import { topologicalOrder } from "../plan/order";
import type { Plan, Task } from "../plan/plan";
import { graphOfPlan } from "../plan/plan-graph";
import { err, ok, type Result } from "../result";
import { mayHaveTakenEffect } from "./retry-task";
import type { RunState, TaskState } from "./state";

/** A result that a new run takes over: where it comes from, and what it is. */
export interface CarriedResult {
  readonly taskId: TaskId;
  readonly observation: Observation;
  readonly from: { readonly runId: string; readonly seq: number };
}

/** What a new run of the same plan would do again, and what it would not. */
export interface RerunPlan {
  /** In the plan's order: the chosen tasks, what is behind them, and whatever did not succeed, with what is behind that. */
  readonly again: readonly TaskId[];
  readonly carried: readonly CarriedResult[];
  /** Of `again`: those that may have changed something already, and would do so a second time. */
  readonly mayRepeat: readonly TaskId[];
}

export interface RerunRefusal {
  readonly code: "task_not_found" | "not_started" | "nothing_chosen";
  readonly message: string;
}

/**
 * A rerun from some tasks. A result is carried only where nothing that it rests on runs again: the task succeeded, as
 * this plan has it, and so did everything before it that ran at all. A task in flight, one that failed and one whose
 * outcome is unknown run again, and with them everything behind, so that no step works with half of its inputs.
 *
 * @param plan the version that the run was pinned to; what a revision added is not in it and is not carried.
 */
export function planRerun(
  state: RunState,
  plan: Plan,
  fromTaskIds: readonly string[],
): Result<RerunPlan, RerunRefusal> {
  if (state.revision === 0) return err({ code: "not_started", message: "The run had no plan in force." });
  if (fromTaskIds.length === 0) return err({ code: "nothing_chosen", message: "Choose the step to run again from." });
  const chosen = new Set(fromTaskIds);
  const missing = fromTaskIds.find((id) => !plan.tasks.some((task) => task.id === id));
  if (missing !== undefined) {
    const message = `“${missing.slice(0, 128)}” is not in the version of the plan that the run was started with.`;
    return err({ code: "task_not_found", message });
  }
  const graph = graphOfPlan(plan);
  const runsAgain = new Uint8Array(graph.size);
  const carried: CarriedResult[] = [];
  for (const index of topologicalOrder(graph) ?? []) {
    const task = plan.tasks[index] as Task;
    const known = state.tasks.get(task.id);
    const parents = predecessorsOf(graph, index);
    const rests = !parents.some((parent) => runsAgain[parent] === 1);
    const result = rests && !chosen.has(task.id) && known !== undefined ? standing(state, task, known) : undefined;
    if (result === undefined) runsAgain[index] = 1;
    else if (result !== "skipped") carried.push(result);
  }
  const again = plan.tasks.filter((_task, index) => runsAgain[index] === 1).map(({ id }) => id);
  const mayRepeat = again.filter((id) => {
    const known = state.tasks.get(id);
    return known !== undefined && hasTakenEffect(state, known);
  });
  return ok({ again, carried, mayRepeat });
}

/** The result that still stands, `skipped` where the same condition skips it again; undefined: it has to run. */
function standing(state: RunState, task: Task, known: TaskState): CarriedResult | "skipped" | undefined {
  if (!sameTask(known.task, task)) return undefined;
  if (known.status === "skipped") return "skipped";
  if (known.status !== "succeeded" || known.endedSeq === undefined) return undefined;
  const { output, outputRef, carriedFrom } = known;
  const last = known.attempts.findLast(({ observation }) => observation?.status === "ok")?.observation;
  const {
    output: _output,
    outputRef: _outputRef,
    ...rest
  }: Observation = last ?? {
    status: "ok",
    sideEffect: "none",
    latencyMs: 0,
  };
  return {
    taskId: task.id,
    observation: { ...rest, ...(outputRef === undefined ? { output: output ?? null } : { outputRef }) },
    from: carriedFrom ?? { runId: state.runId, seq: known.endedSeq },
  };
}

/** Instances of a fan-out make the calls of their group. */
const hasTakenEffect = (state: RunState, task: TaskState): boolean =>
  mayHaveTakenEffect(state, task) ||
  (task.instanceIds ?? []).some((id) => {
    const instance = state.tasks.get(id);
    return instance !== undefined && mayHaveTakenEffect(state, instance);
  });
