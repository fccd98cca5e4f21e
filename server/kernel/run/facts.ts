import { runDueAt, tasksDueAt } from "./budget";
import { nextCheck } from "./check-completion";
import type { Facts } from "./decision";
import { stallOf } from "./evidence";
import { planRefused } from "./plan-gate";
import type { RunState } from "./state";

/** The facts that `decide` judges by. None of them looks at more than what the reducer keeps ready. */
export function factsOf(state: RunState, now: number): Facts {
  const open = state.openTasks > 0;
  const due = open ? tasksDueAt(state) : runDueAt(state);
  const { firstRejection, firstFailure, noValidPlan, plan } = state;
  const stall = stallOf(state);
  const unproven = state.completion.some((result) => !result.passed);
  const stalledTask = stall && (state.tasks.get(stall.taskId)?.instance?.groupId ?? stall.taskId);
  const lacking = firstRejection !== undefined || firstFailure !== undefined || unproven || stall !== undefined;
  return {
    cancelled: state.cancelledBy !== undefined,
    unplanned: state.revision === 0 ? state.planRejection !== undefined : state.tasks.size === 0,
    open,
    overdue: due !== undefined && now >= due,
    unsigned: open && planRefused(state) !== undefined,
    mending: isMending(state),
    // Only a round over the open tasks can tell.
    stuck: false,
    unverified: !open && nextCheck(state) !== undefined,
    verified: !open && !unproven && state.completion.length > 0 && state.completion.length === plan?.completion.length,
    exhausted: state.firstStop !== undefined,
    budgetFirst: state.policy.budgetBeforeCompletion,
    spent: plan?.tasks.length === 0 || (noValidPlan?.verdict === "stop_no_valid_plan" && lacking),
    repeating: noValidPlan?.verdict === "stop_stalled" && lacking,
    rejected: firstRejection !== undefined,
    failed: firstFailure !== undefined && firstFailure.taskId !== stalledTask,
    stalled: stall !== undefined,
    unproven,
  };
}

const isMending = ({ replanRequestedSeq, proposal, retrying }: RunState): boolean =>
  replanRequestedSeq !== undefined || proposal !== undefined || retrying.size > 0;
