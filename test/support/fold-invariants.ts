import { fold } from "#kernel/run/reduce";
import { isTerminal } from "#kernel/run/status";
import type { Database } from "../../server/db";
import { RunReader } from "../../server/store/run-reader";

/** What no SQL can see: each log folds, to what its run's row says, within every budget, with all tasks at an end. */
export async function brokenFolds({ pool }: Pick<Database, "pool">, runIds: readonly string[]): Promise<string[]> {
  const reader = new RunReader(pool, new AbortController().signal);
  const { rows } = await pool.query<{ id: string; status: string; outcome: string | null; succeeded: number }>(
    "SELECT id, status::text, outcome::text, tasks_succeeded AS succeeded FROM runs WHERE id = ANY($1::text[])",
    [runIds],
  );
  const broken: string[] = [];
  for (const row of rows) {
    const state = fold(await reader.read(row.id));
    const tasks = [...state.tasks.values()];
    if (state.status !== row.status) broken.push(`${row.id} folds to ${state.status}, its row says ${row.status}`);
    if ((state.outcome ?? null) !== row.outcome) broken.push(`${row.id} folds to ${state.outcome}, not ${row.outcome}`);
    const open = tasks.filter(({ status }) => !isTerminal(status));
    if (state.status === "finished" && open.length > 0) broken.push(`${row.id} ended with ${open.length} tasks open`);
    const { toolCalls, retries, sideEffects } = state.plan?.budgets ?? {};
    const { budgetUse: use } = state;
    if (use.toolCalls > (toolCalls ?? Number.POSITIVE_INFINITY)) broken.push(`${row.id} made ${use.toolCalls} calls`);
    if (use.retries > (retries ?? Number.POSITIVE_INFINITY)) broken.push(`${row.id} tried again ${use.retries} times`);
    if (use.sideEffects > (sideEffects ?? Number.POSITIVE_INFINITY)) broken.push(`${row.id} had too many effects`);
  }
  return broken;
}
