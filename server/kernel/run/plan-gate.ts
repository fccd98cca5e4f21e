import { canonicalJson, type JsonValue } from "../json";
import { sha256 } from "../sha256";
import type { Command } from "./command";
import type { Asking } from "./decide-options";
import type { Cause } from "./event";
import { requestGate } from "./gate-request";
import type { GateState, RunState } from "./state";

/**
 * The sign-off of the plan in force, where it asks for one, it was requested and nobody took it back. One that was
 * given stands for later revisions too: what they change beyond it has a gate of its own.
 */
function planGate(state: RunState): GateState | undefined {
  const gate = state.planGateId === undefined ? undefined : state.gates.get(state.planGateId);
  if (gate === undefined || gate.status === "revoked") return undefined;
  return gate.request.revision === state.revision || gate.status === "approved" ? gate : undefined;
}

/** False while a person still has to sign the plan itself: until then nothing starts. */
export const planIsSigned = (state: RunState): boolean =>
  state.plan?.approval === undefined || planGate(state)?.status === "approved";

/** Asks for the sign-off of the plan where it is needed and was not asked for in this revision. */
export function requestPlanGate(state: RunState, asking: Asking): Command[] {
  const { plan } = state;
  if (plan?.approval === undefined || state.status === "paused" || planGate(state) !== undefined) return [];
  return [
    requestGate(state, asking, {
      purpose: "plan",
      approval: plan.approval,
      arguments: {
        name: plan.name,
        objective: plan.objective ?? null,
        tasks: plan.tasks.map((task) => ({ id: task.id, capability: task.capability })),
        planHash: sha256(canonicalJson(JSON.parse(JSON.stringify(plan)) as JsonValue)),
      },
      reason: plan.approval.reason ?? "The plan asks for sign-off before its first step.",
    }),
  ];
}

/** Why the plan may not run, where its sign-off was refused or nobody gave it in time. */
export function planRefused(state: RunState): Cause | undefined {
  const gate = planGate(state);
  if (gate?.status !== "rejected" && gate?.status !== "expired") return undefined;
  const rejection = state.firstRejection;
  return {
    code: rejection?.code ?? "approval_rejected",
    message: rejection?.message ?? "The plan was not signed.",
    seq: rejection?.seq,
  };
}
