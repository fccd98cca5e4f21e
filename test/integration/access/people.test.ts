import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiServer, type Credentials, ORIGIN, openApiServer } from "../../support/api-server";

let api: ApiServer;
let admin: Credentials;
let added = 0;

beforeAll(async () => {
  api = await openApiServer();
  admin = { ...(await api.signIn("admin")), ...ORIGIN };
});
afterAll(() => api.close());

const invite = async (email: string, roles: string[] = ["engineer"]) =>
  (await api.mutate("invitations.create", { email, roles }, admin)).data;
const accept = (token: string, name = "New person") =>
  api.mutate("invitations.accept", { token, name, password: "a long enough password" }, ORIGIN);
const audited = async (action: string): Promise<string[]> => {
  const rows = await api.database.prisma.auditEntry.findMany({
    where: { workspaceId: api.workspaceId, action },
    orderBy: { number: "asc" },
  });
  return rows.map(({ subjectId }) => subjectId);
};
/** A further member with a session and a key. */
async function member(roles: ("engineer" | "reviewer" | "approver" | "admin")[] = ["engineer"]) {
  added += 1;
  const { personId, ...key } = await api.addPerson({ name: `member-${added}`, roles, workspaceId: api.workspaceId });
  return { personId, key, session: { ...(await api.signInAs(personId)), ...ORIGIN } };
}

describe("an invitation", () => {
  test("lets in the person it is for, once, with the roles it gives", async () => {
    const { token, invitation } = await invite("ada@example.org", ["engineer", "approver"]);
    const preview = await api.mutate("invitations.preview", { token }, ORIGIN);
    expect(preview.data).toMatchObject({ workspace: "Operations", email: "ada@example.org", known: false });
    expect((await accept(token, "Ada")).data).toEqual({ email: "ada@example.org" });
    const { data } = await api.query("people.list", undefined, admin);
    expect(data.people).toContainEqual(expect.objectContaining({ name: "Ada", roles: ["engineer", "approver"] }));
    expect((await accept(token)).error?.data.appCode).toBe("invitation_invalid");
    expect(await audited("invitation.accepted")).toContain(invitation.id);
  });

  test("is used by one of many who hold its link at once", async () => {
    const { token } = await invite("race@example.org");
    const answers = await Promise.all(Array.from({ length: 6 }, () => accept(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await api.database.prisma.person.count({ where: { email: "race@example.org" } })).toBe(1);
  });

  test("that was taken back, replaced, or is too old is like one that never was", async () => {
    const { prisma } = api.database;
    const revoked = await invite("revoked@example.org");
    await api.mutate("invitations.revoke", { invitationId: revoked.invitation.id }, admin);
    const replaced = await invite("twice@example.org");
    await invite("twice@example.org");
    const old = await invite("old@example.org");
    await prisma.invitation.update({ where: { id: old.invitation.id }, data: { expiresAt: new Date(0) } });
    const never = await accept("no token at all, but long enough");
    for (const { token } of [revoked, replaced, old]) {
      const { status, body } = await accept(token);
      expect({ status, body }).toEqual({ status: never.status, body: never.body });
      expect((await api.mutate("invitations.preview", { token }, ORIGIN)).status).toBe(404);
    }
  });

  test("is kept as a hash only", async () => {
    const { token } = await invite("hashed@example.org");
    const rows = await api.database.prisma.invitation.findMany();
    expect(JSON.stringify(rows)).not.toContain(token);
    const audit = await api.database.prisma.auditEntry.findMany({ select: { payload: true } });
    expect(JSON.stringify(audit)).not.toContain(token);
  });

  test("of somebody who can sign in already waits for them to sign in, and for nobody else", async () => {
    const elsewhere = await api.addPerson({ name: "elsewhere", roles: ["reviewer"] });
    const session = { ...(await api.signInAs(elsewhere.personId)), ...ORIGIN };
    const { token } = await invite("person-elsewhere@example.org", ["reviewer"]);
    expect((await api.mutate("invitations.preview", { token }, ORIGIN)).data.known).toBe(true);
    expect((await accept(token)).error?.data.appCode).toBe("already_member");
    expect((await api.mutate("invitations.join", { token }, ORIGIN)).status).toBe(401);
    const other = await member();
    expect((await api.mutate("invitations.join", { token }, other.session)).status).toBe(403);
    expect((await api.mutate("invitations.join", { token }, session)).status).toBe(200);
    expect((await api.query("me.get", undefined, session)).data.workspace.name).toBe("Operations");
    const { data } = await api.query("workspaces.list", undefined, session);
    expect(data.workspaces.map(({ name }: { name: string }) => name)).toEqual(["Operations", "Workspace of elsewhere"]);
  });

  test("of somebody who is in already is refused", async () => {
    const answer = await api.mutate(
      "invitations.create",
      { email: "Engineer@planwright.local", roles: ["admin"] },
      admin,
    );
    expect(answer.error?.data.appCode).toBe("already_member");
  });
});

describe("somebody who is removed", () => {
  test("loses the workspace at once: session, key and open stream, and the key stays dead if they come back", async () => {
    const gone = await member();
    const search = encodeURIComponent(JSON.stringify({ runs: [], inbox: true }));
    const streams = await Promise.all(
      [gone.key, gone.session].map((headers) => api.fetch(`events.stream?input=${search}`, { headers })),
    );
    const readers = streams.map(({ body }) => body?.getReader());
    for (const reader of readers) await reader?.read();
    expect((await api.mutate("people.remove", { personId: gone.personId }, admin)).status).toBe(200);
    // Ended by the server: reading on comes to an end. A stream that was kept would be waited for until the test fails.
    for (const reader of readers) while (!(await reader?.read())?.done);
    expect((await api.query("me.get", undefined, gone.key)).status).toBe(401);
    expect((await api.query("me.get", undefined, gone.session)).error?.data.appCode).toBe("no_workspace");
    await api.database.prisma.membership.create({
      data: { workspaceId: api.workspaceId, personId: gone.personId, roles: ["engineer"] },
    });
    expect((await api.query("me.get", undefined, gone.key)).status).toBe(401);
    expect(await audited("member.removed")).toContain(gone.personId);
  });

  test("is never the last admin, by removal, by role or by leaving, also of two at once", async () => {
    const { data } = await api.query("me.get", undefined, admin);
    const self = data.person.id;
    for (const answer of [
      await api.mutate("people.remove", { personId: self }, admin),
      await api.mutate("people.changeRoles", { personId: self, roles: ["engineer"] }, admin),
      await api.mutate("workspaces.leave", undefined, admin),
    ]) {
      expect(answer.error?.data.appCode).toBe("last_admin");
    }
    const second = await member(["admin"]);
    const answers = await Promise.all([
      api.mutate("people.changeRoles", { personId: second.personId, roles: ["engineer"] }, admin),
      api.mutate("people.changeRoles", { personId: self, roles: ["engineer"] }, second.session),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const admins = await api.database.prisma.membership.count({
      where: { workspaceId: api.workspaceId, roles: { has: "admin" } },
    });
    expect(admins).toBe(1);
    // The first admin stays it for the other tests.
    await api.database.prisma.membership.updateMany({ where: { personId: self }, data: { roles: ["admin"] } });
  });
});

describe("roles", () => {
  test("hold from the next request on, and every change of them is in the audit with before and after", async () => {
    const { personId, key } = await member(["reviewer"]);
    expect((await api.mutate("plans.create", { name: "a" }, key)).status).toBe(403);
    await api.mutate("people.changeRoles", { personId, roles: ["engineer"] }, admin);
    expect((await api.mutate("plans.create", { name: "a" }, key)).status).toBe(200);
    const [entry] = await api.database.prisma.auditEntry.findMany({
      where: { action: "member.roles_changed", subjectId: personId },
    });
    expect(JSON.parse(entry?.payload ?? "").detail).toEqual({ before: ["reviewer"], after: ["engineer"] });
  });
});

describe("a person of several workspaces", () => {
  test("sees one at a time, and a page of another changes nothing", async () => {
    const made = await api.mutate("workspaces.create", { name: "Second" }, admin);
    const { data: inSecond } = await api.query("me.get", undefined, admin);
    expect(inSecond).toMatchObject({ workspace: { name: "Second" }, roles: ["admin"] });
    expect((await api.query("plans.list", {}, admin)).data.plans).toEqual([]);
    const stale = { ...admin, "x-planwright-workspace": api.workspaceId };
    expect((await api.mutate("plans.create", { name: "a" }, stale)).error?.data.appCode).toBe("workspace_changed");
    expect((await api.mutate("workspaces.switch", { workspaceId: api.workspaceId }, admin)).status).toBe(200);
    expect((await api.query("me.get", undefined, admin)).data.workspace.id).toBe(api.workspaceId);
    const nobody = await member();
    expect((await api.mutate("workspaces.switch", { workspaceId: made.data.workspaceId }, nobody.session)).status).toBe(
      404,
    );
    expect((await api.mutate("workspaces.create", { name: "Third" }, nobody.session)).status).toBe(403);
  });

  test("leaves one and is in the other", async () => {
    const { personId, session } = await member();
    const { id } = await api.database.prisma.workspace.create({ data: { name: "Other" } });
    await api.database.prisma.membership.create({ data: { workspaceId: id, personId, roles: ["reviewer"] } });
    expect((await api.mutate("workspaces.leave", undefined, session)).status).toBe(200);
    expect((await api.query("me.get", undefined, session)).data.workspace.name).toBe("Other");
  });
});

describe("sessions", () => {
  test("are listed without their tokens, and one that is ended is dead at its next request and in its stream", async () => {
    const { personId, session } = await member();
    const second = { ...(await api.signInAgain(personId)), ...ORIGIN };
    const { data, body } = await api.query("sessions.list", undefined, session);
    expect(data.sessions.map(({ current }: { current: boolean }) => current)).toEqual([true, false]);
    for (const { token } of await api.database.prisma.session.findMany()) expect(body).not.toContain(token);
    const search = encodeURIComponent(JSON.stringify({ runs: [], inbox: true }));
    const stream = await api.fetch(`events.stream?input=${search}`, { headers: second });
    const reader = stream.body?.getReader();
    await reader?.read();
    const other = data.sessions[1].id;
    expect((await api.mutate("sessions.revoke", { sessionId: other }, session)).status).toBe(200);
    while (!(await reader?.read())?.done);
    expect((await api.query("me.get", undefined, second)).status).toBe(401);
    expect((await api.query("me.get", undefined, session)).status).toBe(200);
    expect(await audited("session.revoked")).toContain(other);
  });

  test("of somebody else cannot be ended", async () => {
    const [mine, theirs] = [await member(), await member()];
    const { data } = await api.query("sessions.list", undefined, theirs.session);
    const answer = await api.mutate("sessions.revoke", { sessionId: data.sessions[0].id }, mine.session);
    expect(answer.status).toBe(404);
    expect((await api.query("me.get", undefined, theirs.session)).status).toBe(200);
  });
});

test("no request was answered with a fault of ours", () => {
  expect(api.faults).toEqual([]);
});
