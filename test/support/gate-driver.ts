import { type GateId, gateIdSchema, taskIdSchema } from "#kernel/ids";
import type { NewRunEvent } from "#kernel/run/event";
import type { DriverStore } from "../../server/store/driver-store";
import { person } from "./run-fixture";

/** A driver that asks for one approval, waits without a process, and ends the run once it was decided. */
export async function driveGate(store: DriverStore, runId: string): Promise<void> {
  const lease = await store.leases.acquire(runId);
  if (lease === undefined) return;
  for (;;) {
    const events = await store.log.read(runId);
    const types = events.map((event) => event.type);
    if (types.includes("run_finished")) return;
    if (types.includes("approval_decided")) await store.log.append(lease, events.length, [finished(events.length)]);
    else if (!types.includes("approval_requested")) await store.log.append(lease, events.length, [requested(runId)]);
    else if (await store.leases.release(lease, events.length)) return;
  }
}

export const gateIdOf = (runId: string): GateId => gateIdSchema.parse(`${runId}:gate:1`);

const requested = (runId: string): NewRunEvent => ({
  type: "approval_requested",
  at: Date.now(),
  gateId: gateIdOf(runId),
  taskId: taskIdSchema.parse("a"),
  revision: 1,
  arguments: {},
  argumentsHash: "0".repeat(64),
  origins: [],
  nonce: "nonce",
  decideBy: Date.now() + 3_600_000,
  executeWithinSeconds: 60,
  quorum: 1,
  role: "approver",
  excluded: [],
  reason: "asked",
});

const finished = (causeSeq: number): NewRunEvent => ({
  type: "run_finished",
  at: Date.now(),
  outcome: "completed",
  reason: "decided",
  causeSeq,
});

/** What a person's decision appends. */
export const approved = (runId: string, personId = "approver"): NewRunEvent => ({
  type: "approval_decided",
  at: Date.now(),
  gateId: gateIdOf(runId),
  decision: "approve",
  by: person(personId),
  argumentsHash: "0".repeat(64),
});
