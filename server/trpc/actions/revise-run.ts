import type { RunId } from "#kernel/ids";
import { err, ok, type Result } from "#kernel/result";
import type { NewRunEvent, ReplanReason } from "#kernel/run/event";
import { personAuthor } from "#kernel/run/retry-arguments";
import { type CheckedRevision, checkRevision, revisionEvent } from "#kernel/run/revision";
import { approvalsOf, type RevisionApprovals } from "#kernel/run/revision-approvals";
import type { RevisionRefusal } from "#kernel/run/revision-refusal";
import type { RunState } from "#kernel/run/state";
import { isTerminal } from "#kernel/run/status";
import { AppError, notFound } from "../../errors";
import { actorOf } from "../../runtime/audit-log";
import type { WorkspaceRegistry } from "../../runtime/capability-records";
import type { Principal } from "../../runtime/principal";
import type { Services } from "../../services";
import { submissionIdOf } from "../submission-id";

export interface RevisionInput {
  readonly runId: RunId;
  /** What the editor saw: the revision in force, and the last event. */
  readonly expectedRevision: number;
  readonly seenSeq: number;
  readonly reason: ReplanReason;
  readonly triggerSeq: number;
  readonly plan: unknown;
  readonly cancelRunning: readonly string[];
  readonly message?: string | undefined;
  readonly requestId?: string | undefined;
}

/** A refused revision as it travels. */
export const revisionRefused = ({ code, message, problems, diagnostics }: RevisionRefusal): AppError =>
  code === "run_ended"
    ? new AppError("run_finished", message)
    : new AppError("revision_refused", message, { refusal: code, problems, diagnostics });

/**
 * Revises a live run for a person, or refuses with every place that is wrong. Two editors are told apart by the
 * revision that each saw: the second hears of the first, and nothing is overwritten.
 */
export async function reviseRun(
  services: Services,
  principal: Principal,
  input: RevisionInput,
): Promise<{ runId: RunId; seq: number; revision: number; awaitsApproval: boolean }> {
  const { runId } = input;
  const workspaceId = principal.workspace.id;
  const registry = await services.capabilities.registryOf(workspaceId);
  let made: NewRunEvent | undefined;
  const submitted = await services.runs.submit<AppError>(
    workspaceId,
    runId,
    (state, now) => {
      const checked = check(services, registry, principal, state, input);
      if (!checked.ok) return checked;
      made = revisionEvent(state, checked.value, now);
      return ok([made]);
    },
    submissionIdOf(principal.person, `revise ${runId}`, input.requestId),
    (events, seq) => events.map((event) => revisedEntry(principal, runId, event, seq)),
  );
  if (submitted === undefined) throw notFound();
  if (!submitted.ok) throw submitted.error;
  const state = await services.runs.state(workspaceId, runId);
  const awaitsApproval = made === undefined ? state?.proposal !== undefined : made.type === "plan_proposed";
  const revision = made !== undefined && "revision" in made ? made.revision : (state?.revision ?? 1);
  return { runId, seq: submitted.value, revision, awaitsApproval };
}

/** The audit's line of a revision by a person: what changed is in the run's own log. */
export const revisedEntry = (principal: Principal, runId: RunId, event: NewRunEvent, seq: number) => {
  const isRevision = event.type === "plan_revised" || event.type === "plan_proposed";
  return {
    workspaceId: principal.workspace.id,
    actor: actorOf(principal),
    action: isRevision ? (event.type === "plan_revised" ? "run.revised" : "run.revision_proposed") : "run.task_retried",
    subject: { kind: "run", id: runId },
    detail: {
      seq,
      ...(isRevision ? { revision: event.revision, reason: event.reason ?? "" } : {}),
      ...(event.type === "task_retried" ? { taskId: event.taskId } : {}),
    },
  } as const;
};

export type RevisionPreview =
  | ({ readonly ok: true; readonly approvals: RevisionApprovals } & Pick<CheckedRevision, "diff" | "diagnostics">)
  | { readonly ok: false; readonly refusal: RevisionRefusal };

/** What a revision would change and need, or why it would be refused; nothing is written. */
export async function previewRevision(
  services: Services,
  principal: Principal,
  input: Omit<RevisionInput, "expectedRevision" | "seenSeq">,
): Promise<RevisionPreview> {
  const workspaceId = principal.workspace.id;
  const [state, registry] = await Promise.all([
    services.runs.state(workspaceId, input.runId),
    services.capabilities.registryOf(workspaceId),
  ]);
  if (state === undefined) throw notFound();
  const checked = checkRevision(state, requestOf(principal, input), { registry, checkSchema: services.checkSchema });
  if (!checked.ok) return { ok: false, refusal: checked.error };
  const { diff, diagnostics } = checked.value;
  return { ok: true, diff, diagnostics, approvals: approvalsOf(state, checked.value, registry) };
}

function check(
  { checkSchema }: Services,
  registry: WorkspaceRegistry,
  principal: Principal,
  state: RunState,
  input: RevisionInput,
): Result<CheckedRevision, AppError> {
  const conflict = conflictOf(state, input);
  if (conflict !== undefined) {
    return err(new AppError("revision_conflict", conflict, { currentRevision: state.revision }));
  }
  const checked = checkRevision(state, requestOf(principal, input), { registry, checkSchema });
  return checked.ok ? checked : err(revisionRefused(checked.error));
}

/** What has happened since the editor looked that the revision does not know of; undefined: nothing that matters. */
function conflictOf(state: RunState, { expectedRevision, seenSeq, plan }: RevisionInput): string | undefined {
  const { author, proposedBy, seq = 0 } = state.proposal?.event ?? {};
  if (state.proposal !== undefined && seq > seenSeq) {
    return `${author?.name ?? proposedBy} has proposed another revision meanwhile, which waits for approval.`;
  }
  if (state.revision !== expectedRevision) {
    const last = state.revisions.at(-1);
    return `${last?.author?.name ?? last?.by ?? "Somebody"} has revised the plan meanwhile: revision ${state.revision} is in force.`;
  }
  const tasks = typeof plan === "object" && plan !== null && "tasks" in plan ? plan.tasks : undefined;
  for (const task of Array.isArray(tasks) ? tasks : []) {
    const known =
      typeof task === "object" && task !== null && "id" in task ? state.tasks.get(String(task.id)) : undefined;
    if (known !== undefined && isTerminal(known.status) && (known.endedSeq ?? 0) > seenSeq) {
      return `“${known.id}” has ended since you opened the plan.`;
    }
  }
  return undefined;
}

const requestOf = (principal: Principal, input: Omit<RevisionInput, "expectedRevision" | "seenSeq">) => ({
  reason: input.reason,
  triggerSeq: input.triggerSeq,
  author: personAuthor(principal.person),
  document: input.plan,
  cancelRunning: input.cancelRunning,
  ...(input.message === undefined || input.message === "" ? {} : { message: input.message }),
});
