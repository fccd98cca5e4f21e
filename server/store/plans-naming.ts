import type { Pool } from "pg";
import { planIdSchema } from "#kernel/ids";
import type { NamingPlan } from "../runtime/capability-store";
import { readableJson } from "./readable-json";

/** Plans listed at most. */
const PLANS_MAX = 200;

/**
 * Plans whose newest version names a capability. The text is looked through first, which needs no parsing.
 */
export async function plansNaming(pool: Pool, workspaceId: string, name: string): Promise<readonly NamingPlan[]> {
  const { rows } = await pool.query<{ id: string; name: string; tasks: number }>(
    `SELECT plan.id, plan.name, count(*)::int AS tasks
     FROM plans AS plan JOIN plan_versions AS version ON version.plan_id = plan.id AND version.number = plan.latest_version
     CROSS JOIN LATERAL json_array_elements(${readableJson("version.document")}->'tasks') AS task(value)
     WHERE plan.workspace_id = $1 AND plan.archived_at IS NULL AND strpos(version.document, $2) > 0
       AND split_part(task.value->>'capability', '@', 1) = $2
     GROUP BY plan.id, plan.name ORDER BY plan.name, plan.id LIMIT ${PLANS_MAX}`,
    [workspaceId, name],
  );
  return rows.map(({ id, ...plan }) => ({ ...plan, id: planIdSchema.parse(id) }));
}
