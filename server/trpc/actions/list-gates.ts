import { notFound } from "../../errors";
import type { Principal } from "../../runtime/principal";
import type { GateRecord, GateSummary } from "../../runtime/run-records";
import type { Services } from "../../services";

/** Why this person may not sign this gate now; undefined: they may. The decision itself is checked again. */
function whyNot(gate: GateRecord, principal: Principal): string | undefined {
  const { id, email } = principal.person;
  if (gate.status !== "open") return "It is closed.";
  if (!principal.maySign) return "This key cannot sign.";
  const excluded = gate.excluded.find((person) => person.id === id);
  if (excluded !== undefined) return excluded.why;
  if (!principal.roles.some((role) => role === gate.role)) return `It asks for the role ${gate.role}.`;
  if (gate.people !== undefined && !gate.people.includes(id) && !gate.people.includes(email)) {
    return "It names other people.";
  }
  if (gate.decidedBy.some((person) => person.id === id)) return "You have signed it.";
  return undefined;
}

const seenBy = (gate: GateRecord, principal: Principal): GateSummary => {
  const why = whyNot(gate, principal);
  return { ...gate, mine: why === undefined ? { canDecide: true } : { canDecide: false, why } };
};

/** The inbox of one person: everything that waits in the workspace, and how much of it waits for them. */
export async function listGates(
  services: Services,
  principal: Principal,
  filter: { readonly open: boolean; readonly limit: number },
): Promise<{ gates: GateSummary[]; waiting: number }> {
  const records = await services.runs.gates(principal.workspace.id, filter);
  const gates = records.map((gate) => seenBy(gate, principal));
  return { gates, waiting: gates.filter((gate) => gate.mine.canDecide).length };
}

export async function describeGate(services: Services, principal: Principal, gateId: string): Promise<GateSummary> {
  const gate = await services.runs.gate(principal.workspace.id, gateId);
  if (gate === undefined) throw notFound();
  return seenBy(gate, principal);
}
