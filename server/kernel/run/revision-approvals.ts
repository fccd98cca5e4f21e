import type { CapabilityRegistry } from "../capability/capability";
import type { GateId, TaskId } from "../ids";
import { approvalSchema } from "../plan/plan";
import type { Widening } from "./event";
import { type CheckedRevision, pinnedFirst } from "./revision";
import { revisionApproval } from "./revision-gate";
import type { RunState } from "./state";

/** Who has to sign what if a revision is made. */
export interface RevisionApprovals {
  /** Before the revision comes into force: the parts that go beyond what was approved. */
  readonly revision?: { readonly role: string; readonly quorum: number; readonly parts: readonly Widening[] };
  /** Later, before the call of a step that is new or changed. */
  readonly steps: readonly { readonly taskId: TaskId; readonly role: string; readonly quorum: number }[];
  /** Requests that stand open, or approvals that were given, and that the revision takes the ground from. */
  readonly superseded: readonly { readonly taskId: TaskId; readonly gateId: GateId }[];
}

export function approvalsOf(
  state: RunState,
  { draft, diff, widened }: CheckedRevision,
  registry: CapabilityRegistry,
): RevisionApprovals {
  const known = pinnedFirst(state, registry);
  const changed = new Set<string>([...diff.added, ...diff.changed.map(({ taskId }) => taskId)]);
  const steps = draft.plan.tasks.flatMap((task) => {
    if (!changed.has(task.id)) return [];
    const always = known.find(task.capability)?.approval === "always" ? approvalSchema.parse({}) : undefined;
    const approval = task.approval ?? always;
    return approval === undefined ? [] : [{ taskId: task.id, role: approval.role, quorum: approval.quorum }];
  });
  const superseded = [...diff.removed, ...diff.changed.map(({ taskId }) => taskId)].flatMap((taskId) => {
    const gateId = state.tasks.get(taskId)?.gateId;
    return gateId !== undefined && state.liveGates.has(gateId) ? [{ taskId, gateId }] : [];
  });
  const { role, quorum } = revisionApproval(state.plan);
  return { ...(widened.length === 0 ? {} : { revision: { role, quorum, parts: widened } }), steps, superseded };
}
