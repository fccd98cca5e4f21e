import type { Pool, PoolClient } from "pg";
import { BUILT_IN_REGISTRY } from "#kernel/capability/built-in/registry";
import { type Capability, capabilityFingerprint, snapshotCapability } from "#kernel/capability/capability";
import { draftOf, isSameDraft } from "#kernel/capability/capability-draft";
import { err, ok, type Result } from "#kernel/result";
import { actorOf, type NewAuditEntry } from "../runtime/audit-log";
import type { CapabilityVersion } from "../runtime/capability-records";
import type { CapabilityStore, RegisterRefusal, Registration } from "../runtime/capability-store";
import type { Principal } from "../runtime/principal";
import { appendAudit } from "./audit-log";
import { createCapabilityRecords, VERSION_COLUMNS, VERSIONS, type VersionRow, versionOf } from "./capability-records";
import { plansNaming } from "./plans-naming";
import { inTransaction } from "./transaction";

/** The registries in Postgres. Whoever changes one holds its revision's row, so changes of a workspace go one by one. */
export function createCapabilityStore(pool: Pool): CapabilityStore {
  const select = async (where: string, values: readonly unknown[]): Promise<readonly CapabilityVersion[]> => {
    const { rows } = await pool.query<VersionRow>(
      `SELECT ${VERSION_COLUMNS} FROM ${VERSIONS} WHERE ${where} ORDER BY version.name, version.version`,
      [...values],
    );
    return rows.map(versionOf);
  };

  return {
    ...createCapabilityRecords(pool),

    all: (workspaceId) => select("version.workspace_id = $1", [workspaceId]),
    versions: (workspaceId, name) => select("version.workspace_id = $1 AND version.name = $2", [workspaceId, name]),

    plansNaming: (workspaceId, name) => plansNaming(pool, workspaceId, name),

    register: (principal, registrations) =>
      inTransaction(pool, async (client) => {
        await raiseRevision(client, principal.workspace.id);
        const results: Result<CapabilityVersion, RegisterRefusal>[] = [];
        for (const registration of registrations) results.push(await registerOne(client, principal, registration));
        await appendAudit(
          client,
          results.flatMap((result) => (result.ok ? [registered(principal, result.value)] : [])),
        );
        return results;
      }),

    retire: (principal, { name, version, reason }) =>
      inTransaction(pool, async (client) => {
        await raiseRevision(client, principal.workspace.id);
        const { rows } = await client.query<{ version: number }>(
          `INSERT INTO capability_retirements (workspace_id, name, version, reason, retired_by_id, retired_by_name)
           SELECT workspace_id, name, version, $4, $5, $6 FROM capability_versions
           WHERE workspace_id = $1 AND name = $2 AND ($3::int IS NULL OR version = $3)
           ON CONFLICT DO NOTHING RETURNING version`,
          [principal.workspace.id, name, version ?? null, reason ?? null, principal.person.id, principal.person.name],
        );
        await appendAudit(client, changed(principal, "capability.retired", { name, versions: rows, reason }));
        return rows.length;
      }),

    enable: (principal, { name, version }) =>
      inTransaction(pool, async (client) => {
        await raiseRevision(client, principal.workspace.id);
        const { rows } = await client.query<{ version: number }>(
          `DELETE FROM capability_retirements
           WHERE workspace_id = $1 AND name = $2 AND ($3::int IS NULL OR version = $3) RETURNING version`,
          [principal.workspace.id, name, version ?? null],
        );
        await appendAudit(client, changed(principal, "capability.enabled", { name, versions: rows }));
        return rows.length;
      }),
  };
}

const raiseRevision = (client: PoolClient, workspaceId: string): Promise<unknown> =>
  client.query(
    `INSERT INTO capability_revisions AS known (workspace_id, revision) VALUES ($1, 1)
     ON CONFLICT (workspace_id) DO UPDATE SET revision = known.revision + 1`,
    [workspaceId],
  );

async function registerOne(
  client: PoolClient,
  { workspace, person }: Principal,
  { draft, note, baseVersion }: Registration,
): Promise<Result<CapabilityVersion, RegisterRefusal>> {
  const { name } = draft;
  if (BUILT_IN_REGISTRY.find(name) !== undefined)
    return err({ code: "name_taken", message: `“${name}” is a built-in capability.` });
  const newest = await newestOf(client, workspace.id, name);
  const newestVersion = newest?.capability.version ?? 0;
  if (baseVersion !== undefined && baseVersion !== newestVersion) {
    const message = `Version ${newestVersion} of “${name}” was registered in the meantime.`;
    return err({ code: "version_conflict", message, version: newestVersion });
  }
  if (newest !== undefined && isSameDraft(draftOf(newest.capability), draft)) {
    const message = `Version ${newestVersion} of “${name}” says the same.`;
    return err({ code: "unchanged", message, version: newestVersion });
  }
  // In the form in which it comes back: absent members gone.
  const capability: Capability = { ...JSON.parse(JSON.stringify(draft)), version: newestVersion + 1 };
  await client.query(
    `INSERT INTO capabilities (workspace_id, name, latest_version) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id, name) DO UPDATE SET latest_version = excluded.latest_version`,
    [workspace.id, name, capability.version],
  );
  const { rows } = await client.query<{ created_at: Date }>(
    `INSERT INTO capability_versions
       (workspace_id, name, version, fingerprint, document, note, created_by_id, created_by_name)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING created_at`,
    [
      workspace.id,
      name,
      capability.version,
      capabilityFingerprint(capability),
      JSON.stringify(capability),
      note ?? null,
      person.id,
      person.name,
    ],
  );
  return ok({
    capability: snapshotCapability(capability),
    ...(note === undefined ? {} : { note }),
    createdBy: { id: person.id, name: person.name },
    createdAt: rows[0]?.created_at.getTime() ?? 0,
  });
}

async function newestOf(client: PoolClient, workspaceId: string, name: string): Promise<CapabilityVersion | undefined> {
  const { rows } = await client.query<VersionRow>(
    `SELECT ${VERSION_COLUMNS} FROM ${VERSIONS} WHERE version.workspace_id = $1 AND version.name = $2
     ORDER BY version.version DESC LIMIT 1`,
    [workspaceId, name],
  );
  return rows[0] === undefined ? undefined : versionOf(rows[0]);
}

const registered = (principal: Principal, { capability }: CapabilityVersion): NewAuditEntry => ({
  workspaceId: principal.workspace.id,
  actor: actorOf(principal),
  action: "capability.registered",
  subject: { kind: "capability", id: capability.name, name: capability.title },
  detail: {
    version: capability.version,
    fingerprint: capability.fingerprint,
    provider: capability.provider,
    sideEffect: capability.sideEffect,
  },
});

function changed(
  principal: Principal,
  action: NewAuditEntry["action"],
  { name, versions, reason }: { name: string; versions: readonly { version: number }[]; reason?: string | undefined },
): readonly NewAuditEntry[] {
  if (versions.length === 0) return [];
  const numbers = versions.map(({ version }) => version).sort((a, b) => a - b);
  const detail = { versions: numbers, ...(reason === undefined ? {} : { reason }) };
  return [
    {
      workspaceId: principal.workspace.id,
      actor: actorOf(principal),
      action,
      subject: { kind: "capability", id: name },
      detail,
    },
  ];
}
