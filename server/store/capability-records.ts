import type { Pool } from "pg";
import { BUILT_IN_CAPABILITIES, EARLIER_BUILT_INS } from "#kernel/capability/built-in/registry";
import { type CapabilitySnapshot, capabilitySnapshotSchema, registryOf } from "#kernel/capability/capability";
import { personIdSchema } from "#kernel/ids";
import type { CapabilityRecords, CapabilityVersion, WorkspaceRegistry } from "../runtime/capability-records";

/** Workspaces whose registry a process keeps; the oldest is let go only to bound memory. */
const KEPT_MAX = 200;

const BUILT_INS = [...EARLIER_BUILT_INS, ...BUILT_IN_CAPABILITIES];

const BUILT_IN_ONLY: WorkspaceRegistry = { ...registryOf(BUILT_INS), revision: "0", capabilities: BUILT_INS };

export interface VersionRow {
  readonly document: string;
  readonly fingerprint: string;
  readonly note: string | null;
  readonly created_by_id: string;
  readonly created_by_name: string;
  readonly created_at: Date;
  readonly retired_at: Date | null;
  readonly retired_by_id: string | null;
  readonly retired_by_name: string | null;
  readonly reason: string | null;
}

/** Every column of {@link VersionRow}, from `capability_versions` and its retirement. */
export const VERSION_COLUMNS = `version.document, version.fingerprint, version.note, version.created_by_id,
  version.created_by_name, version.created_at, retirement.retired_at, retirement.retired_by_id,
  retirement.retired_by_name, retirement.reason`;
export const VERSIONS = `capability_versions AS version
  LEFT JOIN capability_retirements AS retirement USING (workspace_id, name, version)`;

/** A row as a version of the registry. */
export function versionOf(row: VersionRow): CapabilityVersion {
  const capability = capabilityOf(row);
  return {
    capability,
    ...(row.note === null ? {} : { note: row.note }),
    createdBy: { id: personIdSchema.parse(row.created_by_id), name: row.created_by_name },
    createdAt: row.created_at.getTime(),
    ...(row.retired_at === null
      ? {}
      : {
          retired: {
            at: row.retired_at.getTime(),
            by: { id: personIdSchema.parse(row.retired_by_id), name: row.retired_by_name ?? "" },
            ...(row.reason === null ? {} : { reason: row.reason }),
          },
        }),
  };
}

const capabilityOf = (row: Pick<VersionRow, "document" | "fingerprint">): CapabilitySnapshot =>
  capabilitySnapshotSchema.parse({ ...JSON.parse(row.document), fingerprint: row.fingerprint });

/** The registries of all workspaces, in Postgres. Needs a pool only, so that a worker stays small. */
export function createCapabilityRecords(pool: Pool): CapabilityRecords {
  const kept = new Map<string, WorkspaceRegistry>();

  const load = async (workspaceId: string, revision: string): Promise<WorkspaceRegistry> => {
    const { rows } = await pool.query<VersionRow>({
      name: "capability_registry",
      text: `SELECT version.document, version.fingerprint FROM ${VERSIONS}
             WHERE version.workspace_id = $1 AND retirement.retired_at IS NULL ORDER BY version.name, version.version`,
      values: [workspaceId],
    });
    const capabilities = [...BUILT_INS, ...rows.map(capabilityOf)];
    return { ...registryOf(capabilities), revision, capabilities };
  };

  return {
    async registryOf(workspaceId) {
      // The revision is read before what it stands for: at worst, newer rows are kept under an older revision and read again.
      const { rows } = await pool.query<{ revision: string }>({
        name: "capability_revision",
        text: "SELECT revision::text FROM capability_revisions WHERE workspace_id = $1",
        values: [workspaceId],
      });
      const revision = rows[0]?.revision;
      if (revision === undefined) return BUILT_IN_ONLY;
      const known = kept.get(workspaceId);
      if (known?.revision === revision) return known;
      const registry = await load(workspaceId, revision);
      kept.delete(workspaceId);
      kept.set(workspaceId, registry);
      for (const oldest of kept.keys()) {
        if (kept.size <= KEPT_MAX) break;
        kept.delete(oldest);
      }
      return registry;
    },

    async version(workspaceId, name, version) {
      const { rows } = await pool.query<VersionRow>({
        name: "capability_version",
        text: `SELECT ${VERSION_COLUMNS} FROM ${VERSIONS}
               WHERE version.workspace_id = $1 AND version.name = $2 AND version.version = $3`,
        values: [workspaceId, name, version],
      });
      return rows[0] === undefined ? undefined : versionOf(rows[0]);
    },
  };
}
