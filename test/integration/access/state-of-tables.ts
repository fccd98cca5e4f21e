import type { Pool } from "pg";

/** Columns that a look changes, and tables that record looks and refusals. */
const COLUMNS_ASIDE = ["last_used_at", "updated_at"];
const TABLES_ASIDE = ["audit_entries", "audit_heads", "sign_in_attempts", "sessions", "_prisma_migrations"];

/** A fingerprint of every table of ours, to compare before and after: new tables are in it by themselves. */
export async function stateOf(pool: Pool): Promise<ReadonlyMap<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL ($1) ORDER BY 1`,
    [TABLES_ASIDE],
  );
  const parts = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count(*) || ':' || coalesce(sum(hashtextextended((to_jsonb(row) - $1::text[])::text, 0)), 0)
         AS state FROM "${name}" AS row`,
  );
  const { rows } = await pool.query<{ name: string; state: string }>(parts.join(" UNION ALL "), [COLUMNS_ASIDE]);
  return new Map(rows.map(({ name, state }) => [name, state]));
}
