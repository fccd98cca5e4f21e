import { sameTask } from "../plan/diff";
import type { Plan } from "../plan/plan";
import type { RefusalProblem } from "./event";
import { isUnderway } from "./install-plan";
import type { RevisionRefusalCode } from "./revision-refusal";
import type { RunState } from "./state";
import { isTerminal } from "./status";
import { unfinishedTasks } from "./unfinished";
import { planReasons } from "./widening";

interface Problems {
  readonly code: RevisionRefusalCode;
  readonly message: string;
  readonly problems: readonly RefusalProblem[];
}

/**
 * What a revision may not do to work that has been done or is being done: a task that has ended stays history, and one
 * that runs is kept as it is or named among those to stop. Undefined: nothing is wrong.
 */
export function problemsWithProgress(
  state: RunState,
  plan: Plan,
  cancelRunning: readonly string[],
): Problems | undefined {
  const finished: RefusalProblem[] = [];
  const running: RefusalProblem[] = [];
  const stopped = new Set(cancelRunning);
  const planned = new Set<string>();
  for (const [index, task] of plan.tasks.entries()) {
    planned.add(task.id);
    const known = state.tasks.get(task.id);
    const report = (to: RefusalProblem[], code: string, message: string): unknown =>
      to.push({ code, pointer: `/tasks/${index}`, taskId: task.id, message });
    if (known === undefined) continue;
    if (isTerminal(known.status)) {
      report(finished, "task_finished", `“${task.id}” has ended (${known.status}) and stays as it is: leave it out.`);
    } else if (isUnderway(known) && stopped.has(task.id)) {
      report(running, "task_running", `“${task.id}” is both kept and stopped.`);
    } else if (isUnderway(known) && !sameTask(known.task, task)) {
      report(running, "task_running", `“${task.id}” runs and cannot change: keep it as it is, or stop it.`);
    }
  }
  for (const known of unfinishedTasks(state)) {
    if (!isUnderway(known) || planned.has(known.id)) continue;
    const place = { code: "task_running", pointer: "/tasks", taskId: known.id };
    if (known.status === "unknown_outcome") {
      running.push({ ...place, message: `Whether “${known.id}” took effect is not known: say that first.` });
    } else if (!stopped.has(known.id)) {
      running.push({ ...place, message: `“${known.id}” runs: keep it in the plan, or say that it is to be stopped.` });
    }
  }
  for (const id of stopped) {
    const known = state.tasks.get(id);
    if (known !== undefined && isUnderway(known)) continue;
    running.push({ code: "task_not_running", pointer: "/tasks", taskId: id, message: `“${id}” does not run.` });
  }
  if (finished.length > 0) {
    return { code: "touches_finished", message: "A revision holds only unfinished work.", problems: finished };
  }
  if (running.length === 0) return undefined;
  return { code: "running_unaccounted", message: "Say of every running step whether it goes on.", problems: running };
}

/** What a planner may not give itself: money, fewer signatures, other checks. Undefined: it does not try to. */
export function problemsWithTrust(before: Plan, after: Plan): Problems | undefined {
  const problems: RefusalProblem[] = planReasons(before, after).map((message) => ({
    code: "not_authorized",
    pointer: "",
    message,
  }));
  const earlier = new Map(before.tasks.map((task) => [task.id as string, task]));
  for (const [index, task] of after.tasks.entries()) {
    const old = earlier.get(task.id)?.approval;
    if (old === undefined || JSON.stringify(old) === JSON.stringify(task.approval)) continue;
    const message = `A planner cannot change who approves “${task.id}”.`;
    problems.push({ code: "not_authorized", pointer: `/tasks/${index}/approval`, taskId: task.id, message });
  }
  if (problems.length === 0) return undefined;
  return { code: "grants_trust", message: "A planner cannot grant itself what people decide.", problems };
}
