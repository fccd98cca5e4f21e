import path from "node:path";
import type { CapabilityRegistry } from "#kernel/capability/capability";
import { usersOfSecrets } from "#kernel/capability/http-settings";
import type { SchemaChecker } from "#kernel/capability/schema-checker";
import { durationsOf } from "#kernel/plan/durations";
import type { Plan } from "#kernel/plan/plan";
import { levelsOf, scheduleOf } from "#kernel/plan/schedule";
import { validatePlan } from "#kernel/plan/validate";
import type { Auth } from "./auth/auth";
import { identify, type SignedInPerson, signedInPerson } from "./auth/identify";
import { hashPassword } from "./auth/password";
import { processAuth } from "./auth/process-auth";
import { checkSchema } from "./capabilities/schema-check";
import { type Database, database } from "./db";
import { env } from "./env";
import { log } from "./log";
import type { AddressPolicy } from "./network/address-policy";
import { processAddressPolicy, requireKeyRing } from "./process-settings";
import type { AccessFeed } from "./runtime/access-feed";
import type { ApiKeyStore } from "./runtime/api-key-store";
import type { AuditRecorder } from "./runtime/audit-log";
import type { AuditReader } from "./runtime/audit-reader";
import type { CapabilityHistory } from "./runtime/capability-history";
import type { CapabilityStore } from "./runtime/capability-store";
import type { CeilingStore } from "./runtime/ceiling-store";
import type { Delegations } from "./runtime/delegations";
import type { EventFeed } from "./runtime/event-feed";
import type { GateSigners } from "./runtime/gate-signers";
import type { Invitations } from "./runtime/invitations";
import type { NotificationSettings } from "./runtime/notifications";
import type { PlanStore } from "./runtime/plan-store";
import type { Principal } from "./runtime/principal";
import type { RetentionDesk } from "./runtime/retention";
import type { ReviewRecords } from "./runtime/review-records";
import type { RunDesk } from "./runtime/run-desk";
import type { SecretVault } from "./runtime/secret-vault";
import type { Sessions } from "./runtime/sessions";
import type { Workspaces } from "./runtime/workspaces";
import type { KeyRing } from "./secrets/key-ring";
import { sealerOf } from "./secrets/sealer";
import { PostgresAccessFeed } from "./store/access-feed";
import { createApiKeyStore } from "./store/api-key-store";
import { appendAudit } from "./store/audit-log";
import { auditFacets, listAudit, readAudit, storedHead } from "./store/audit-reader";
import { standingOf } from "./store/call-authority";
import { createCapabilityHistory } from "./store/capability-history";
import { createCapabilityRecords } from "./store/capability-records";
import { createCapabilityStore } from "./store/capability-store";
import { PostgresCeilingStore } from "./store/ceiling-store";
import { databaseNow } from "./store/database-clock";
import { createDelegations } from "./store/delegations";
import { signersOn } from "./store/gate-signers";
import { createInvitations } from "./store/invitations";
import { createNotificationSettings } from "./store/notification-settings";
import { createPlanStore } from "./store/plan-store";
import type { PlanAssessment } from "./store/plan-summaries";
import { createRetentionDesk } from "./store/retention-desk";
import { createReviewRecords } from "./store/review-records";
import { PostgresRunDesk } from "./store/run-desk";
import { RunFeed } from "./store/run-feed";
import { createSecretVault } from "./store/secret-store";
import { seedWorkspace } from "./store/seed";
import { createSessions } from "./store/sessions";
import { inTransaction } from "./store/transaction";
import { verifyAuditNow } from "./store/verify-audit";
import { createWorkspaces } from "./store/workspaces";
import { workspaceFolder } from "./workspace-folder";

/** Everything the web process works with. Built in one place, handed to whoever needs it. */
export interface Services {
  /** Who sent a request with these headers; undefined: nobody we know. */
  identify(headers: Headers): Promise<Principal | undefined>;
  /** Whether a person sent them at all, in a workspace or not. */
  isSignedIn(headers: Headers): Promise<boolean>;
  /** The person at the screen that sent them, in a workspace or not. */
  signedInPerson(headers: Headers): Promise<SignedInPerson | undefined>;
  readonly workspaces: Workspaces;
  readonly invitations: Invitations;
  readonly sessions: Sessions;
  readonly plans: PlanStore;
  readonly runs: RunDesk;
  readonly feed: EventFeed;
  readonly access: AccessFeed;
  /** What the readiness review is answered from. */
  readonly reviews: ReviewRecords;
  readonly apiKeys: ApiKeyStore;
  readonly retention: RetentionDesk;
  readonly limits: CeilingStore;
  /** What each workspace may call. */
  readonly capabilities: CapabilityStore;
  readonly history: CapabilityHistory;
  readonly secrets: SecretVault;
  /** The scopes that calls of a run have which this principal starts, as they are now. */
  callScopes(principal: Principal): Promise<readonly string[]>;
  readonly addressPolicy: AddressPolicy;
  readonly signers: GateSigners;
  readonly delegations: Delegations;
  readonly audit: AuditRecorder;
  readonly auditReader: AuditReader;
  readonly notifications: NotificationSettings;
  /** Epoch milliseconds on the database clock. */
  now(): Promise<number>;
  readonly checkSchema: SchemaChecker;
  /** Further origins whose pages are ours, where a proxy serves us under another name. */
  readonly trustedOrigins: readonly string[];
  /** Logs a fault of ours, once, with what was asked. */
  reportFault(fault: unknown, context: Readonly<Record<string, unknown>>): void;
  /** Aborted when the process has been asked to end, so that open streams let it go. */
  readonly closing: AbortSignal;
}

export interface ServiceSources {
  readonly database: Database;
  readonly auth: Auth;
  readonly trustedOrigins: readonly string[];
  readonly reportFault: Services["reportFault"];
  readonly closing: AbortSignal;
  /** Default: every public address, nothing else. */
  readonly addressPolicy?: AddressPolicy;
  /** Without keys no secret can be set. */
  readonly secretKeys?: KeyRing | undefined;
}

const PUBLIC_ONLY: AddressPolicy = { allowedHosts: [], allowedPrivate: [] };

/** Builds the adapters on one database. The feed listens until `closing`. */
export function buildServices(sources: ServiceSources): Services {
  const { database, auth, trustedOrigins, reportFault, closing } = sources;
  const onError = (error: unknown) => reportFault(error, { part: "feed" });
  const feed = new RunFeed({ pool: database.pool, connectionString: database.url, onError });
  feed.start().catch(onError);
  const access = new PostgresAccessFeed({ connectionString: database.url, onError });
  closing.addEventListener("abort", () => void Promise.all([feed.close(), access.close()]).catch(onError));
  const capabilities = createCapabilityStore(database.pool);
  return {
    identify: (headers) => identify(database, auth, headers),
    isSignedIn: async (headers) => (await signedInPerson(auth, headers)) !== undefined,
    signedInPerson: (headers) => signedInPerson(auth, headers),
    workspaces: createWorkspaces(database.pool),
    invitations: createInvitations(database.pool, hashPassword),
    sessions: createSessions(database.pool),
    plans: createPlanStore(database, { assess: assessPlan, registryOf: capabilities.registryOf }),
    runs: new PostgresRunDesk(database.pool, closing),
    feed,
    retention: createRetentionDesk(database.pool),
    limits: new PostgresCeilingStore(database.pool),
    access,
    reviews: createReviewRecords(database.pool),
    apiKeys: createApiKeyStore(database.pool),
    capabilities,
    history: createCapabilityHistory(database.pool),
    secrets: createSecretVault(database.pool, sources.secretKeys, async (workspaceId) =>
      usersOfSecrets((await capabilities.registryOf(workspaceId)).capabilities),
    ),
    addressPolicy: sources.addressPolicy ?? PUBLIC_ONLY,
    callScopes: async ({ workspace, person, via, viaId }) => {
      const actor = { personId: person.id, ...(via === "api_key" ? { apiKeyId: viaId } : {}) };
      const standing = await standingOf(database.pool, workspace.id, actor);
      return "refusal" in standing ? [] : standing.granted;
    },
    signers: signersOn(database.pool),
    delegations: createDelegations(database.pool),
    notifications: createNotificationSettings(database.pool, sealerOf(sources.secretKeys)),
    audit: { record: (entries) => inTransaction(database.pool, (client) => appendAudit(client, entries)) },
    auditReader: {
      list: (workspaceId, filter) => listAudit(database.pool, workspaceId, filter),
      facets: (workspaceId) => auditFacets(database.pool, workspaceId),
      head: (workspaceId) => storedHead(database.pool, workspaceId),
      read: (workspaceId) => readAudit(database.pool, workspaceId),
      verify: (workspaceId) => verifyAuditNow(database.pool, workspaceId),
    },
    now: () => databaseNow(database.pool),
    checkSchema,
    trustedOrigins,
    reportFault,
    closing,
  };
}

/** Gives a first workspace its examples; `stateFolder` is where runs keep their files. */
export const seedFirstWorkspace = (database: Database, root: string, stateFolder: string): Promise<boolean> =>
  seedWorkspace({
    database,
    plans: createPlanStore(database, {
      assess: assessPlan,
      registryOf: createCapabilityRecords(database.pool).registryOf,
    }),
    publicFolder: path.join(root, "public"),
    folderOf: (workspaceId) => workspaceFolder(stateFolder, workspaceId),
  });

/** What the list says of a plan. A plan with a cycle has no levels. */
function assessPlan(plan: Plan, registry: CapabilityRegistry): PlanAssessment {
  const { diagnostics, graph } = validatePlan(plan, { registry, checkSchema });
  const schedule = scheduleOf(graph, durationsOf(plan).seconds);
  return {
    edges: graph.edgeCount,
    shape: schedule === undefined ? [] : levelsOf(graph, schedule.level).map((tasks) => tasks.length),
    problems: {
      errors: diagnostics.filter(({ severity }) => severity === "error").length,
      warnings: diagnostics.filter(({ severity }) => severity === "warning").length,
    },
  };
}

/** Kept on the global object, since hot reload evaluates this module again. */
const kept = globalThis as typeof globalThis & { planwrightServices?: Services };

/** The services of the web process, built on first use. */
export function getServices(): Services {
  kept.planwrightServices ??= buildServices({
    database: database(),
    auth: processAuth(),
    trustedOrigins: [new URL(env().PLANWRIGHT_URL).origin],
    reportFault: (error, context) => log().error({ error, ...context }, "a request met a fault of ours"),
    closing: closingSignal(),
    addressPolicy: processAddressPolicy(),
    secretKeys: requireKeyRing(env().PLANWRIGHT_SECRET_KEY),
  });
  return kept.planwrightServices;
}

/** Aborted by the first signal to end, so that no open stream keeps the process alive. */
function closingSignal(): AbortSignal {
  const closing = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => closing.abort());
  return closing.signal;
}
