import type { ClientBase, Pool } from "pg";
import { ceilingMessage } from "../runtime/permits/ceiling-words";
import { hasRoom } from "../runtime/permits/grant-permits";
import { addToCeilings, readCeilings } from "./ceilings";

/** Of these workspaces, those that have a ceiling of any kind: their starts are counted one by one. */
export async function limitedWorkspaces(pool: Pool, workspaceIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ workspace_id: string }>({
    name: "limited_workspaces",
    text: "SELECT DISTINCT workspace_id FROM ceilings WHERE workspace_id = ANY($1::text[])",
    values: [[...new Set(workspaceIds)]],
  });
  return new Set(rows.map((row) => row.workspace_id));
}

/** The lock of the permits: two starts that come together see each other's count. */
export async function lockCeilings(client: ClientBase, workspaceId: string): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 7))", [workspaceId]);
}

/**
 * Counts a run that starts, in the transaction that inserts it and under {@link lockCeilings}: a start that comes to
 * nothing is not counted.
 *
 * @returns the ceiling that forbids it, in words, or undefined.
 */
export async function countRun(client: ClientBase, workspaceId: string, personId: string): Promise<string | undefined> {
  const all = await readCeilings(client, workspaceId);
  const counting = all.filter((each) => each.personId === undefined || each.personId === personId);
  const full = counting.find(({ budget, spent, limit }) => !hasRoom(limit, spent, budget === "runs" ? 1 : 0));
  if (full !== undefined) return ceilingMessage(full);
  const runs = counting.filter(({ budget }) => budget === "runs").map(({ id }) => ({ id, amount: 1 }));
  if (runs.length > 0) await addToCeilings(client, runs);
  return undefined;
}
