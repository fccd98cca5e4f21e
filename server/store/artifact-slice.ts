import type { Pool } from "pg";
import type { ArtifactSlice, ArtifactSliceRequest } from "../runtime/run-desk";

/** A part of a large output of one run, cut by the database so that a look at 10 MB moves none of the rest. */
export async function readArtifactSlice(
  pool: Pool,
  workspaceId: string,
  runId: string,
  { outputRef, offset, limit }: ArtifactSliceRequest,
): Promise<ArtifactSlice | undefined> {
  const result = await pool.query<{ text: string; characters: number; bytes: number }>(
    `SELECT substr(content, $4::int + 1, $5::int) AS text, char_length(content) AS characters, artifacts.bytes
     FROM artifacts JOIN runs ON runs.key = artifacts.run_key
     WHERE artifacts.id = $3 AND runs.id = $2 AND runs.workspace_id = $1`,
    [workspaceId, runId, outputRef, offset, limit],
  );
  const row = result.rows[0];
  if (row === undefined) return undefined;
  const end = offset + limit;
  return { ...row, offset, nextOffset: end < row.characters ? end : null };
}
