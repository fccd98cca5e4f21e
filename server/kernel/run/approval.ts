import type { SchemaChecker } from "../capability/schema-checker";
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from "../json";
import { err, ok, type Result } from "../result";
import { authorityFor, type Signer } from "./authority";
import type { NewRunEvent, PersonRef } from "./event";
import { capabilityName, gateStands, purposeOf } from "./gate";
import type { GateState, RunState } from "./state";

/** What a signer sends. `argumentsHash` and `nonce` prove which request was seen. */
export interface Decision {
  readonly gateId: string;
  readonly nonce: string;
  readonly argumentsHash: string;
  readonly decision: "approve" | "reject" | "send_back";
  readonly reason?: string;
  readonly answer?: JsonValue;
  readonly editedArguments?: JsonValue;
}

export type DecisionRefusalCode =
  | "gate_not_found"
  | "gate_not_open"
  | "run_ended"
  | "superseded"
  | "expired"
  | "nonce_mismatch"
  | "hash_mismatch"
  | "not_eligible"
  | "four_eyes"
  | "already_decided"
  | "already_started"
  | "not_signed"
  | "reason_required"
  | "answer_required"
  | "answer_invalid"
  | "arguments_required"
  | "arguments_invalid";

export interface DecisionRefusal {
  readonly code: DecisionRefusalCode;
  /** One sentence for the person. */
  readonly message: string;
  /** `gate_not_open`: who closed it, and when (epoch milliseconds). */
  readonly by?: PersonRef;
  readonly at?: number;
  /** `four_eyes`, `not_eligible`: why this person may not sign. */
  readonly why?: string;
}

/**
 * Whether this person may decide this gate now; if so, the event that records it.
 *
 * Call it on the folded run while nothing else can append to it, with `now` of the database clock: two signers who
 * race are told apart by the log, and the second one hears who was first. Authority is judged at this moment, and
 * every check fails closed.
 */
export function checkDecision(
  state: RunState,
  decision: Decision,
  { signer, now, checkSchema }: { signer: Signer; now: number; checkSchema?: SchemaChecker },
): Result<NewRunEvent[], DecisionRefusal> {
  const gate = state.gates.get(decision.gateId);
  if (gate === undefined) return refuse("gate_not_found", "There is no such request in this run.");
  const stale = notOpen(state, gate, now) ?? notSeen(gate, decision);
  if (stale !== undefined) return err(stale);
  const authority = authorityFor({ ...gate.request, decisions: gate.decisions }, signer, now);
  if (!authority.ok) return authority;
  const incomplete = notComplete(state, gate, decision, checkSchema);
  if (incomplete !== undefined) return err(incomplete);
  const { onBehalfOf } = authority.value;
  const { reason, answer, editedArguments } = decision;
  return ok([
    {
      type: "approval_decided",
      at: now,
      gateId: gate.request.gateId,
      decision: decision.decision,
      by: { id: signer.id, name: signer.name },
      ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
      argumentsHash: gate.request.argumentsHash,
      ...(reason === undefined ? {} : { reason }),
      ...(answer === undefined || decision.decision !== "approve" ? {} : { answer }),
      ...(editedArguments === undefined || decision.decision !== "send_back" ? {} : { editedArguments }),
    },
  ]);
}

const refusal = (code: DecisionRefusalCode, message: string, more: Partial<DecisionRefusal> = {}): DecisionRefusal => ({
  code,
  message,
  ...more,
});

const refuse = (code: DecisionRefusalCode, message: string): Result<never, DecisionRefusal> =>
  err(refusal(code, message));

function notOpen(state: RunState, gate: GateState, now: number): DecisionRefusal | undefined {
  if (gate.status !== "open") {
    const last = gate.decisions.at(-1);
    const at = gate.closedAt;
    if (gate.status === "expired") return refusal("expired", "The time to decide is over.", { at });
    if (gate.status === "superseded") return refusal("superseded", "A newer request took its place.", { at });
    if (gate.status === "revoked") {
      const who = gate.revoked?.by;
      return refusal("superseded", `${who?.name ?? "Somebody"} took an approval back; it is asked anew.`, {
        by: who,
        at,
      });
    }
    const how = gate.status === "sent_back" ? "sent back" : gate.status === "rejected" ? "rejected" : "approved";
    return refusal("gate_not_open", `${last?.by.name ?? "Somebody"} has already ${how} this.`, { by: last?.by, at });
  }
  if (state.status === "finished") return refusal("run_ended", "The run has ended.");
  if (state.cancelledBy !== undefined) return refusal("run_ended", "The run was cancelled.", { by: state.cancelledBy });
  if (now >= gate.request.decideBy)
    return refusal("expired", "The time to decide is over.", { at: gate.request.decideBy });
  const { taskId, gateId } = gate.request;
  const stands = taskId === undefined || state.tasks.get(taskId)?.gateId === gateId;
  return stands && gateStands(state, gate.request)
    ? undefined
    : refusal("superseded", "The plan has changed since this was asked.");
}

/** The decision must name the request that the person saw: an old page, or a copied one, decides nothing. */
function notSeen(gate: GateState, decision: Decision): DecisionRefusal | undefined {
  if (decision.nonce !== gate.request.nonce) {
    return refusal("nonce_mismatch", "This decision was not made on the current request. Open it again.");
  }
  if (decision.argumentsHash !== gate.request.argumentsHash) {
    return refusal("hash_mismatch", "The arguments are not the ones this decision was made on. Open it again.");
  }
  return undefined;
}

function notComplete(
  state: RunState,
  gate: GateState,
  decision: Decision,
  checkSchema: SchemaChecker | undefined,
): DecisionRefusal | undefined {
  switch (decision.decision) {
    case "reject":
      return decision.reason === undefined || decision.reason.trim() === ""
        ? refusal("reason_required", "Say why: whoever asked has to know what to change.")
        : undefined;
    case "send_back":
      return checkEdited(state, gate, decision.editedArguments, checkSchema);
    case "approve":
      return gate.request.question === undefined ? undefined : checkAnswer(gate, decision.answer, checkSchema);
  }
}

function checkAnswer(
  gate: GateState,
  answer: JsonValue | undefined,
  checkSchema: SchemaChecker | undefined,
): DecisionRefusal | undefined {
  if (answer === undefined) return refusal("answer_required", "The question needs an answer.");
  const schema = gate.request.question?.answerSchema;
  if (!isJsonObject(schema)) {
    return typeof answer === "string" && answer.trim() !== ""
      ? undefined
      : refusal("answer_required", "The question needs an answer in words.");
  }
  return misfit("answer_invalid", "The answer", checkSchema, schema, answer);
}

/** Edited arguments are judged as the plan's were: they must fit the capability's input schema. */
function checkEdited(
  state: RunState,
  gate: GateState,
  edited: JsonValue | undefined,
  checkSchema: SchemaChecker | undefined,
): DecisionRefusal | undefined {
  const task = gate.request.taskId === undefined ? undefined : state.tasks.get(gate.request.taskId);
  if (task === undefined || purposeOf(gate.request) !== "action") {
    return refusal("arguments_invalid", "Only the request of a step can be sent back with other arguments.");
  }
  if (edited === undefined)
    return refusal("arguments_required", "Send the arguments that should be asked for instead.");
  const capability = state.capabilities.get(task.task.capability);
  if (capability === undefined) {
    return refusal("arguments_invalid", `This run has no capability “${capabilityName(task)}”.`);
  }
  if (canonicalJson(edited) === canonicalJson(gate.request.arguments)) {
    return refusal("arguments_invalid", "Nothing is changed. To let these arguments run, approve them.");
  }
  return misfit("arguments_invalid", "The arguments", checkSchema, capability.inputSchema, edited);
}

function misfit(
  code: "answer_invalid" | "arguments_invalid",
  what: string,
  checkSchema: SchemaChecker | undefined,
  schema: JsonObject,
  value: JsonValue,
): DecisionRefusal | undefined {
  if (checkSchema === undefined) return refusal(code, `${what} cannot be checked here.`);
  const issue = checkSchema(schema, value)[0];
  if (issue === undefined) return undefined;
  return refusal(code, `${what}${issue.pointer === "" ? "" : ` at ${issue.pointer}`}: ${issue.message}`);
}
