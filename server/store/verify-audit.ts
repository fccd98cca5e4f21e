import type { ClientBase, Pool } from "pg";
import { AuditChain, type AuditFault, type AuditHead } from "../runtime/audit-chain";
import type { AuditReport } from "../runtime/audit-reader";
import { readAudit, storedHead } from "./audit-reader";
import { RunProofs } from "./audit-runs";

const FAULTS_MAX = 100;

/**
 * Verifies a workspace's audit and, by the digests in it, the logs of its runs. Every hash is computed anew here; the
 * database only reads.
 *
 * @param exported a head kept elsewhere: shows a tail that was cut off together with the database's own note of it.
 */
export async function verifyAuditNow(pool: Pool, workspaceId: string, exported?: AuditHead): Promise<AuditReport> {
  const client = await pool.connect();
  try {
    // One snapshot: what is appended meanwhile is neither there nor missing.
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return await verifyAudit(client, workspaceId, exported);
  } finally {
    await client.query("ROLLBACK").catch(() => {});
    client.release();
  }
}

/** What a workspace without any entry has; rows beside it were written by nobody. */
const NO_HEAD = { number: 0, hash: "0".repeat(64) };

/** The same as it stands in the snapshot of this connection. */
export async function verifyAudit(client: ClientBase, workspaceId: string, exported?: AuditHead): Promise<AuditReport> {
  const chain = new AuditChain(workspaceId, exported);
  const proofs = new RunProofs(client, workspaceId);
  const faults: AuditFault[] = [];
  let entries = 0;
  for await (const page of readAudit(client, workspaceId)) {
    for (const record of page) faults.push(...chain.add(record));
    faults.push(...(await proofs.check(page)));
    entries += page.length;
  }
  faults.push(...chain.end((await storedHead(client, workspaceId)) ?? NO_HEAD));
  faults.push(...(await proofs.end()));
  return {
    workspaceId,
    entries,
    redacted: chain.redacted,
    runs: proofs.checked,
    head: chain.head,
    faults: faults.slice(0, FAULTS_MAX),
    more: Math.max(faults.length - FAULTS_MAX, 0),
  };
}
