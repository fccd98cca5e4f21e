import { cp, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { personIdSchema } from "#kernel/ids";
import { parsePlan } from "#kernel/plan/parse";
import { runEventSchema } from "#kernel/run/event";
import type { Database } from "../db";
import type { PlanStore } from "../runtime/plan-store";
import { keepRecordedRun } from "./recorded-runs";

export interface SeedSources {
  readonly database: Database;
  readonly plans: PlanStore;
  /** The folder with `plans/` and `incidents/`. */
  readonly publicFolder: string;
  /** The folder that `file.read` and `file.write` see, per workspace. */
  readonly folderOf: (workspaceId: string) => string;
}

/** Two starts at once must not seed twice. */
const SEED_LOCK = 72_707_371;

/**
 * Gives a first workspace something to look at: the example plans with the documents they read, and a recorded
 * incident to replay. Does nothing where there was ever a plan, so that what somebody removed stays away.
 */
export async function seedWorkspace(sources: SeedSources): Promise<boolean> {
  const { pool } = sources.database;
  const lock = await pool.connect();
  try {
    await lock.query("SELECT pg_advisory_lock($1)", [SEED_LOCK]);
    const { rows } = await lock.query<{ workspace_id: string; person_id: string; name: string }>(
      `SELECT workspace_id, person_id, people.name FROM memberships JOIN people ON people.id = person_id
        WHERE 'engineer' = ANY(roles) AND NOT EXISTS (SELECT FROM plans)
        ORDER BY memberships.created_at, person_id LIMIT 1`,
    );
    const [engineer] = rows;
    if (engineer === undefined) return false;
    const person = { id: personIdSchema.parse(engineer.person_id), name: engineer.name };
    const scope = { workspaceId: engineer.workspace_id, person };
    await cp(path.join(sources.publicFolder, "plans", "documents"), exampleFolder(sources, scope.workspaceId), {
      recursive: true,
    });
    for (const text of await readAll(path.join(sources.publicFolder, "plans"))) {
      const plan = parsePlan(JSON.parse(text));
      if (!plan.ok) throw new Error(`An example plan does not parse: ${plan.error[0]?.message ?? ""}`);
      await sources.plans.create(scope, plan.value, { example: true });
    }
    for (const text of await readAll(path.join(sources.publicFolder, "incidents"))) {
      await keepRecordedRun(pool, scope.workspaceId, runEventSchema.array().parse(JSON.parse(text)));
    }
    return true;
  } finally {
    await lock.query("SELECT pg_advisory_unlock($1)", [SEED_LOCK]);
    lock.release();
  }
}

const exampleFolder = ({ folderOf }: SeedSources, workspaceId: string): string =>
  path.join(folderOf(workspaceId), "examples");

/** The JSON files of a folder by name, none where there is no such folder. */
async function readAll(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".json")).sort();
  return Promise.all(files.map((name) => readFile(path.join(folder, name), "utf8")));
}
