import type { Pool } from "pg";
import { inTransaction } from "./transaction";

/** Documents looked at in one transaction. */
const DOCUMENTS_MAX = 500;
/** Starts behind us wait while we wait: rather not now than long. */
const WAIT = "1s";

/**
 * Removes documents that redactions took out of logs and that no event names any more. A start may name a document
 * without writing it, where it is there already, so starts wait for the moment that it takes to be sure: a look into an
 * index for each document. What is not done now is still noted and done the next time.
 */
export async function removeDropped(pool: Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ hash: string }>(`SELECT hash FROM dropped_documents LIMIT ${DOCUMENTS_MAX}`);
    if (rows.length === 0) return;
    const hashes = rows.map(({ hash }) => hash);
    try {
      await removeUnnamed(pool, hashes);
    } catch (problem) {
      if (isLockTimeout(problem)) return;
      throw problem;
    }
  }
}

const isLockTimeout = (problem: unknown): boolean =>
  problem instanceof Error && "code" in problem && problem.code === "55P03";

const removeUnnamed = (pool: Pool, hashes: readonly string[]): Promise<unknown> =>
  inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL lock_timeout = '${WAIT}'`);
    await client.query("LOCK TABLE documents IN SHARE ROW EXCLUSIVE MODE");
    await client.query(
      `DELETE FROM documents WHERE hash = ANY($1::text[]) AND NOT EXISTS (
           SELECT FROM run_events AS event WHERE type IN ('plan_accepted', 'plan_revised', 'plan_proposed')
             AND substring(event.payload FROM '.*"planRef":"([0-9a-f]{64})"') = documents.hash)`,
      [hashes],
    );
    await client.query("DELETE FROM dropped_documents WHERE hash = ANY($1::text[])", [hashes]);
  });
