import type { Plan } from "#kernel/plan/plan";
import { ok } from "#kernel/result";
import { decide } from "#kernel/run/decide";
import type { RunEventOf } from "#kernel/run/event";
import type { ApiServer, Credentials } from "./api-server";

/** A plan of one write behind a gate. */
export const gatedPlan = (approval: object = {}): object => ({
  format: "planwright/v1",
  name: "write behind a gate",
  tasks: [
    {
      id: "write",
      capability: "file.write",
      arguments: { path: "a.txt", text: "hello" },
      approval: { role: "approver", ...approval },
    },
  ],
  completion: [{ check: "json_schema", task: "write", schema: { type: "object" } }],
});

export interface GatedRun {
  readonly runId: string;
  readonly request: RunEventOf<"approval_requested">;
  /** What a signer who saw the request sends. */
  readonly seen: { readonly gateId: string; readonly nonce: string; readonly argumentsHash: string };
}

/** Starts a run through the interface, and lets the kernel ask for its gate, as a driver would. */
export async function startGatedRun(
  api: ApiServer,
  starter: Credentials,
  plan: object = gatedPlan(),
): Promise<GatedRun> {
  const created = await api.mutate("plans.create", { name: "write behind a gate", plan: plan as Plan }, starter);
  const started = await api.mutate("runs.start", { planId: created.data.planId }, starter);
  const runId: string = started.data.runId;
  const run = await api.database.pool.query("SELECT workspace_id FROM runs WHERE id = $1", [runId]);
  const workspaceId: string = run.rows[0].workspace_id;
  await api.services.runs.submit(workspaceId, runId, (state, now) =>
    ok(decide(state, now).flatMap((command) => (command.type === "record" ? [command.event] : []))),
  );
  const events = await api.services.runs.events(workspaceId, runId, 0);
  const request = events?.find((event) => event.type === "approval_requested");
  if (request === undefined) throw new Error("The run did not ask for its gate.");
  const { gateId, nonce, argumentsHash } = request;
  return { runId, request, seen: { gateId, nonce, argumentsHash } };
}
