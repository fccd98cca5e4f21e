import { authorityFor, type Signer } from "#kernel/run/authority";
import { notFound } from "../../errors";
import type { Principal } from "../../runtime/principal";
import type { GateDetail, GateRecord, GateSummary, OpenGate } from "../../runtime/run-records";
import type { Services } from "../../services";

/** Names shown of those who may still sign. */
const SIGNERS_SHOWN = 50;

/** More requests than this waiting for one person are more than they can read: the screen says so, and no more. */
export const OPEN_GATES_PER_SIGNER_WARN = 20;

/** Whether this person may sign this gate now, and what else. The decision itself is checked again. */
function mineOf(
  gate: OpenGate & Partial<Pick<GateRecord, "revokers">>,
  signer: Signer | undefined,
  now: number,
): GateSummary["mine"] {
  const id = signer?.id;
  const signed = gate.decisions.some(({ by }) => by.id === id);
  const canRevoke = signer?.isAgent !== true && gate.revokers?.some((person) => person.id === id) === true;
  const rest = { canRevoke, signed };
  if (gate.status !== "open") return { canDecide: false, why: "It is closed.", ...rest };
  if (signer === undefined) return { canDecide: false, why: "You are not in this workspace.", ...rest };
  if (now >= gate.decideBy) return { canDecide: false, why: "The time to decide is over.", ...rest };
  const authority = authorityFor(gate, signer, now);
  if (!authority.ok) return { canDecide: false, why: authority.error.message, ...rest };
  return { canDecide: true, ...authority.value, ...rest };
}

async function askerOf(services: Services, principal: Principal): Promise<Signer | undefined> {
  const signer = await services.signers.one(principal.workspace.id, principal.person.id);
  return signer === undefined ? undefined : { ...signer, isAgent: !principal.maySign };
}

export interface Inbox {
  readonly gates: GateSummary[];
  readonly waiting: number;
  readonly delegated: number;
  readonly open: number;
  readonly more: boolean;
  readonly tooMany: boolean;
}

/**
 * The inbox of one person. All that is open is looked through and counted; what the person may sign, or has signed, is
 * shown first, so that the gates of others can never push it out.
 */
export async function listGates(
  services: Services,
  principal: Principal,
  filter: { readonly open: boolean; readonly limit: number },
): Promise<Inbox> {
  const workspaceId = principal.workspace.id;
  const [open, asker, now] = await Promise.all([
    services.runs.openGates(workspaceId),
    askerOf(services, principal),
    services.now(),
  ]);
  const looked = open.map((gate) => ({ id: gate.id, mine: mineOf(gate, asker, now) }));
  const mine = looked.filter((gate) => gate.mine.canDecide);
  const signed = looked.filter((gate) => gate.mine.signed && !gate.mine.canDecide);
  const rest = looked.filter((gate) => !gate.mine.signed && !gate.mine.canDecide);
  const ids = [...mine, ...signed, ...rest].slice(0, filter.limit).map(({ id }) => id);
  const records = await services.runs.gates(
    workspaceId,
    filter.open ? { open: true, ids } : { open: false, limit: filter.limit },
  );
  return {
    gates: records.map((gate) => ({ ...gate, mine: mineOf(gate, asker, now) })),
    waiting: mine.length,
    delegated: mine.filter((gate) => gate.mine.onBehalfOf !== undefined).length,
    open: open.length,
    more: filter.open ? open.length > filter.limit : records.length === filter.limit,
    tooMany: mine.length > OPEN_GATES_PER_SIGNER_WARN,
  };
}

export async function describeGate(services: Services, principal: Principal, gateId: string): Promise<GateDetail> {
  const workspaceId = principal.workspace.id;
  const [gate, people, now] = await Promise.all([
    services.runs.gate(workspaceId, gateId),
    services.signers.all(workspaceId),
    services.now(),
  ]);
  if (gate === undefined) throw notFound();
  const asker = people.find((signer) => signer.id === principal.person.id);
  const signers = gate.status === "open" ? people.flatMap((signer) => able(gate, signer, now)) : [];
  return {
    ...gate,
    mine: mineOf(gate, asker === undefined ? undefined : { ...asker, isAgent: !principal.maySign }, now),
    signers: signers.slice(0, SIGNERS_SHOWN),
    moreSigners: Math.max(0, signers.length - SIGNERS_SHOWN),
  };
}

function able(gate: GateRecord, signer: Signer, now: number): GateDetail["signers"] {
  const authority = authorityFor(gate, signer, now);
  return authority.ok ? [{ id: signer.id, name: signer.name, ...authority.value }] : [];
}
