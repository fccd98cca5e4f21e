import { type ApiServer, type Credentials, ORIGIN } from "../../support/api-server";
import { startGatedRun } from "../../support/gated-run";
import { httpCapability } from "../../support/http-capability";

/**
 * Ids of things in the first workspace, for the inputs of the procedures. Somebody whose procedure takes the id of a
 * new kind of thing adds a field here, makes the thing in {@link makeWorld}, and an id of nothing in {@link NOTHING}.
 */
export interface World {
  readonly planId: string;
  readonly runId: string;
  readonly gate: { readonly gateId: string; readonly nonce: string; readonly argumentsHash: string };
  /** A key of the engineer, which nothing else needs. */
  readonly keyId: string;
  readonly workspaceId: string;
  /** Somebody in the workspace, and a session of theirs. */
  readonly personId: string;
  readonly sessionId: string;
  readonly invitationId: string;
  readonly capability: string;
  readonly secret: string;
}

const NO_ID = "00000000-0000-7000-8000-000000000000";

/** Ids of the same form, of nothing anywhere. */
export const NOTHING: World = {
  planId: NO_ID,
  runId: NO_ID,
  gate: { gateId: `${NO_ID}:write:1`, nonce: "0", argumentsHash: "0".repeat(64) },
  keyId: NO_ID,
  workspaceId: NO_ID,
  personId: NO_ID,
  sessionId: NO_ID,
  invitationId: NO_ID,
  capability: "nothing.here",
  secret: "nothing",
};

/** One of everything, made by the first people through the interface. */
export async function makeWorld(api: ApiServer): Promise<World> {
  const run = await startGatedRun(api, api.keys.engineer);
  const { data } = await api.query("runs.get", { runId: run.runId }, api.keys.engineer);
  const member = await api.addPerson({ name: "member", roles: ["engineer"], workspaceId: api.workspaceId });
  const capability = { draft: httpCapability("shop.getOrder"), baseVersion: 0 };
  await api.mutate("capabilities.register", capability, api.keys.engineer);
  await api.mutate("secrets.set", { name: "shop-token", value: "a-secret-value" }, api.keys.engineer);
  await api.makeKey("engineer", { scopes: ["read"] });
  const key = await api.database.prisma.apiKey.findFirstOrThrow({
    where: { person: { name: "Engineer" } },
    orderBy: { createdAt: "desc" },
  });
  await api.signInAs(member.personId);
  const session = await api.database.prisma.session.findFirstOrThrow({ where: { personId: member.personId } });
  const adminSession = { ...(await api.signIn("admin")), ...ORIGIN };
  const invited = { email: "invited@example.org", roles: ["reviewer"] };
  const invitation = await api.mutate("invitations.create", invited, adminSession);
  return {
    planId: data.planId,
    runId: run.runId,
    gate: run.seen,
    keyId: key.id,
    workspaceId: api.workspaceId,
    personId: member.personId,
    sessionId: session.id,
    invitationId: invitation.data.invitation.id,
    capability: "shop.getOrder",
    secret: "shop-token",
  };
}

/** Somebody who was in the workspace, as they would still come: with a key and with a session. */
export async function formerMember(api: ApiServer): Promise<{ readonly key: Credentials; readonly personId: string }> {
  const { personId, ...key } = await api.addPerson({
    name: "former",
    roles: ["engineer", "reviewer", "approver", "admin"],
    workspaceId: api.workspaceId,
  });
  await api.database.prisma.membership.deleteMany({ where: { personId } });
  return { key, personId };
}
