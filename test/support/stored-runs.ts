import { runTaskIdSchema } from "#kernel/ids";
import type { JsonValue } from "#kernel/json";
import type { Plan } from "#kernel/plan/plan";
import type { NewRunEvent } from "#kernel/run/event";
import type { Database } from "../../server/db";
import { type DriverStore, openDriverStore } from "../../server/store/driver-store";
import { RunCreator } from "../../server/store/run-creator";
import { newRunId } from "../../server/store/run-id";
import { CAPABILITIES, person } from "./run-fixture";

export const WORKSPACE = "workspace-1";

/** Creates a run of `plan` with its job, and returns its id. */
export async function createRun(creator: RunCreator, plan: Plan, workspaceId = WORKSPACE): Promise<string> {
  const runId = newRunId();
  const at = Date.now();
  await creator.create({
    workspaceId,
    events: [
      {
        type: "run_created",
        at,
        runId,
        name: plan.name,
        startedBy: person("requester"),
        policy: { budgetBeforeCompletion: false, fourEyes: true },
      },
      { type: "plan_accepted", at, revision: 1, plan, capabilities: [...CAPABILITIES] },
    ],
  });
  return runId;
}

export const creatorOf = (database: Database): RunCreator =>
  new RunCreator(database.pool, new AbortController().signal);

/** A driver's store on a test database. Errors in the background fail the test that made them. */
export const openStore = (database: Database, leaseMs?: number): Promise<DriverStore> =>
  openDriverStore({
    pool: database.pool,
    connectionString: database.url,
    ...(leaseMs === undefined ? {} : { leaseMs }),
    onError: (error) => {
      throw error;
    },
  });

/** `task_succeeded` of a first attempt, as a driver appends it. */
export const succeeded = (taskId: string, output: JsonValue = null): NewRunEvent => ({
  type: "task_succeeded",
  at: Date.now(),
  taskId: runTaskIdSchema.parse(taskId),
  attempt: 1,
  startedAt: Date.now(),
  observation: { status: "ok", output, sideEffect: "none", latencyMs: 0 },
});
