import type { SchemaChecker } from "../capability/schema-checker";
import type { JsonValue } from "../json";
import { err, ok, type Result } from "../result";
import { authorityFor, type NotEligible, type Signer } from "./authority";
import type { NewRunEvent, PersonRef } from "./event";
import { approvalFor, gateOf, purposeOf } from "./gate";
import { lookUpOf } from "./look-up";
import type { GateState, RunState, TaskState } from "./state";

/**
 * What a person can do about a call of unknown outcome. `look_up`: ask the callee now; `done`: it took effect, with
 * this output; `not_done`: it did not, the task has failed; `retry`: call again, knowing that it may happen twice.
 */
export type ReconcileAction = "look_up" | "done" | "not_done" | "retry";

export interface Reconciliation {
  readonly taskId: string;
  /** The attempt the person saw: what they say of one says nothing of the next. */
  readonly attempt: number;
  readonly action: ReconcileAction;
  readonly reason: string;
  /** `done`: what the call would have answered; absent: null. */
  readonly output?: JsonValue;
}

export interface ReconcileRefusal {
  readonly code:
    | "task_not_found"
    | "outcome_settled"
    | "outcome_changed"
    | "run_ended"
    | "reason_required"
    | "output_invalid"
    | "look_up_unavailable"
    | "look_up_pending"
    | NotEligible["code"];
  /** One sentence for the person. */
  readonly message: string;
  /** `outcome_settled`: who was first, and when. */
  readonly by?: PersonRef;
  readonly at?: number;
}

/**
 * Whether this person may say what became of this call now; if so, the events that record it. Judged on the folded run
 * under its lock, so of two people who say it at once the second hears who was first.
 */
export function checkReconciliation(
  state: RunState,
  said: Reconciliation,
  { signer, now, checkSchema }: { signer: Signer; now: number; checkSchema: SchemaChecker },
): Result<NewRunEvent[], ReconcileRefusal> {
  const task = state.tasks.get(said.taskId);
  if (task === undefined) return err({ code: "task_not_found", message: "There is no such task in this run." });
  const refusal =
    notUnknown(state, task, said) ??
    notAllowed(state, task, signer, now) ??
    notComplete(state, task, said, checkSchema);
  if (refusal !== undefined) return err(refusal);
  const { attempt, action, output } = said;
  const reason = said.reason.trim();
  const by: PersonRef = { id: signer.id, name: signer.name };
  const head = { at: now, taskId: task.id, by, reason };
  switch (action) {
    case "look_up":
      return ok([{ type: "look_up_requested", attempt, ...head }]);
    case "done":
      return ok([{ type: "outcome_reconciled", resolution: "succeeded", output: output ?? null, ...head }]);
    case "not_done":
      return ok([{ type: "outcome_reconciled", resolution: "failed", ...head }]);
    case "retry":
      return ok([{ type: "outcome_reconciled", resolution: "retry", ...head }]);
  }
}

function notUnknown(state: RunState, task: TaskState, { attempt }: Reconciliation): ReconcileRefusal | undefined {
  if (state.status === "finished") return { code: "run_ended", message: "The run has ended." };
  if (state.cancelledBy !== undefined) {
    return { code: "run_ended", message: "The run was cancelled.", by: state.cancelledBy };
  }
  const decided = decidedAtGate(reconcileGate(state, task));
  if (task.status !== "unknown_outcome" || decided !== undefined) {
    const message =
      task.cause?.code === "outcome_reconciled" ? task.cause.message : "What became of it is known by now.";
    return { code: "outcome_settled", message: decided?.message ?? message, ...decided?.who, at: task.endedAt };
  }
  if (task.attempts.at(-1)?.attempt !== attempt) {
    return { code: "outcome_changed", message: "It was called again since; look at the newest call." };
  }
  return undefined;
}

/** An answer at the gate counts from its moment, although its consequence is written down a moment later. */
function decidedAtGate(gate: GateState | undefined): { message: string; who: { by: PersonRef } } | undefined {
  const last = gate?.decisions.at(-1);
  if (gate === undefined || last === undefined || gate.status === "open") return undefined;
  return { message: `${last.by.name} has already said what became of it.`, who: { by: last.by } };
}

function reconcileGate(state: RunState, task: TaskState): GateState | undefined {
  const gate = gateOf(state, task);
  return gate !== undefined && purposeOf(gate.request) === "reconcile" ? gate : undefined;
}

/** Whoever may answer its gate may act; before the gate stands, whoever it will be opened for. */
function notAllowed(state: RunState, task: TaskState, signer: Signer, now: number): ReconcileRefusal | undefined {
  const gate = reconcileGate(state, task);
  const terms =
    gate === undefined
      ? { role: approvalFor(state, task)?.role ?? "approver", excluded: [], decisions: [] }
      : { ...gate.request, decisions: gate.decisions };
  const authority = authorityFor(terms, signer, now);
  return authority.ok ? undefined : { code: authority.error.code, message: authority.error.message };
}

function notComplete(
  state: RunState,
  task: TaskState,
  { action, reason, output }: Reconciliation,
  checkSchema: SchemaChecker,
): ReconcileRefusal | undefined {
  if (reason.trim() === "") return { code: "reason_required", message: "Say why: others will read it in the audit." };
  if (action === "look_up") {
    if (lookUpOf(state, task) === undefined) {
      return { code: "look_up_unavailable", message: "This capability has no look-up." };
    }
    if (task.lookUp?.requestedBy !== undefined) {
      return { code: "look_up_pending", message: `${task.lookUp.requestedBy.name} has asked for a look-up already.` };
    }
  }
  const schema = state.capabilities.get(task.task.capability)?.outputSchema;
  if (action !== "done" || schema === undefined) return undefined;
  const issue = checkSchema(schema, output ?? null)[0];
  if (issue === undefined) return undefined;
  const where = issue.pointer === "" ? "" : ` at ${issue.pointer}`;
  return { code: "output_invalid", message: `The output${where} does not fit the capability: ${issue.message}` };
}
