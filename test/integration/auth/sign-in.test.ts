import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newApiKey } from "../../../server/auth/api-key";
import { type Auth, createAuth } from "../../../server/auth/auth";
import { createFirstPeople, type FirstPerson } from "../../../server/auth/first-people";
import { identify } from "../../../server/auth/identify";
import type { Database } from "../../../server/db";
import { createWorkspaces } from "../../../server/store/workspaces";
import { openTestDatabase } from "../../support/test-database";

const URL_OF_APP = "http://planwright.test";

let database: Database;
let auth: Auth;
let people: FirstPerson[];

beforeAll(async () => {
  database = await openTestDatabase();
  auth = createAuth(database, { secret: "s".repeat(32), url: URL_OF_APP });
  people = await createFirstPeople(database);
});
afterAll(() => database.close());

function person(name: string): FirstPerson {
  const found = people.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
}

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return auth.handler(
    new Request(`${URL_OF_APP}/api/auth${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: URL_OF_APP, ...headers },
      body: JSON.stringify(body),
    }),
  );
}

const signIn = (email: string, password: string, headers?: Record<string, string>) =>
  post("/sign-in/email", { email, password }, headers);

const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

/** Entries of one person's doing, with what they say. */
const audited = async (action: string, name: string) => {
  const rows = await database.prisma.auditEntry.findMany({ where: { action }, orderBy: { number: "asc" } });
  return rows
    .map((row) => ({ ...row, payload: JSON.parse(row.payload ?? "{}") }))
    .filter(({ payload }) => payload.actorName === name);
};

describe("the first people", () => {
  test("are made once, also by two starts at once", async () => {
    const again = await Promise.all([createFirstPeople(database), createFirstPeople(database)]);
    expect(again.flat()).toEqual([]);
    expect(people.map(({ email }) => email)).toEqual([
      "engineer@planwright.local",
      "reviewer@planwright.local",
      "approver@planwright.local",
      "admin@planwright.local",
    ]);
  });

  test("have passwords that are nowhere in the database", async () => {
    const accounts = await database.prisma.account.findMany();
    for (const { password } of people) expect(JSON.stringify(accounts)).not.toContain(password);
  });
});

describe("signing in", () => {
  test("makes a session that says who it is, until it is taken away", async () => {
    const { email, password } = person("Engineer");
    const response = await signIn(email, password);
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie().join()).toMatch(/HttpOnly/i);
    const headers = new Headers({ cookie: cookieOf(response) });
    expect(await identify(database, auth, headers)).toMatchObject({
      person: { email },
      workspace: { name: "Operations" },
      roles: ["engineer"],
      via: "session",
    });
    await database.prisma.session.deleteMany();
    expect(await identify(database, auth, headers)).toBeUndefined();
  });

  test("is refused with a wrong password, and unknown people hear the same", async () => {
    const wrong = await signIn(person("Reviewer").email, "not the password");
    const unknown = await signIn("nobody@planwright.local", "not the password");
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(await wrong.json()).toEqual(await unknown.json());
  });

  test("is refused from a foreign page", async () => {
    const { email, password } = person("Reviewer");
    const response = await signIn(email, password, { origin: "http://evil.test", cookie: "planwright=1" });
    expect(response.status).toBe(403);
  });

  test("is refused after ten wrong passwords, even with the right one, from whatever address, and the audit says so once", async () => {
    const { email, password } = person("Approver");
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const response = await signIn(email, `wrong ${attempt}`, { "x-planwright-client-address": `10.0.0.${attempt}` });
      expect(response.status).toBe(401);
    }
    expect((await signIn(email.toUpperCase(), password)).status).toBe(429);
    expect((await signIn(email, password)).status).toBe(429);
    const refused = await audited("session.refused", "Approver");
    expect(refused.map(({ subjectKind, payload }) => `${subjectKind} ${payload.subjectName}`)).toEqual([
      "person Approver",
    ]);
    expect((await signIn(person("Reviewer").email, person("Reviewer").password)).status).toBe(200);
  });

  test("is refused to the 61st attempt in a minute from one address, whichever accounts it tries, and to no other", async () => {
    // Without a password, so that none is hashed: an attempt counts before it is looked at.
    const from = (address: string, attempt: number) =>
      post(
        "/sign-in/email",
        { email: `nobody-${attempt}@planwright.local` },
        { "x-planwright-client-address": address },
      );
    const answers: number[] = [];
    for (let attempt = 0; attempt < 61; attempt += 1) answers.push((await from("10.1.0.1", attempt)).status);
    expect(answers).toEqual([...Array(60).fill(400), 429]);
    expect((await from("10.1.0.2", 61)).status).toBe(400);
  });

  test("cannot be got by signing up", async () => {
    const response = await post("/sign-up/email", {
      name: "M",
      email: "m@evil.test",
      password: "long enough password",
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await database.prisma.person.count()).toBe(people.length);
  });
});

describe("changing the password", () => {
  const NEW_PASSWORD = "another long enough password";
  const who = (cookie: string) => identify(database, auth, new Headers({ cookie }));

  test("ends every other session and goes on in the workspace that was shown", async () => {
    const { email, password } = person("Admin");
    const [here, elsewhere] = [cookieOf(await signIn(email, password)), cookieOf(await signIn(email, password))];
    const admin = await who(here);
    if (admin === undefined) throw new Error("Nobody is signed in.");
    const { workspaceId } = await createWorkspaces(database.pool).create(admin, "Second");
    expect((await who(here))?.workspace.id).toBe(workspaceId);
    expect((await who(elsewhere))?.workspace.id).toBe(admin.workspace.id);
    const change = { currentPassword: password, newPassword: NEW_PASSWORD, revokeOtherSessions: false };
    const changed = await post("/change-password", change, { cookie: here });
    expect(changed.status).toBe(200);
    expect((await who(cookieOf(changed)))?.workspace.id).toBe(workspaceId);
    expect([await who(here), await who(elsewhere)]).toEqual([undefined, undefined]);
    expect(await database.prisma.session.count({ where: { person: { email } } })).toBe(1);
    expect([(await signIn(email, password)).status, (await signIn(email, NEW_PASSWORD)).status]).toEqual([401, 200]);
  });

  test("takes the workspace from nobody's request", async () => {
    const { email, password } = person("Engineer");
    const cookie = cookieOf(await signIn(email, password));
    const { workspaceId } = await database.prisma.membership.findFirstOrThrow({
      where: { person: { email: person("Admin").email } },
      orderBy: { createdAt: "desc" },
    });
    const body = { currentPassword: password, newPassword: password, activeWorkspaceId: workspaceId };
    const changed = await post("/change-password", body, { cookie });
    const session = await database.prisma.session.findFirstOrThrow({
      where: { person: { email } },
      orderBy: { createdAt: "desc" },
    });
    expect({ status: changed.status, shown: session.activeWorkspaceId }).toEqual({ status: 200, shown: null });
  });
});

describe("the audit", () => {
  test("has a sign-out with the session that ended", async () => {
    const { email, password } = person("Reviewer");
    const signedIn = await signIn(email, password);
    const { id } = await database.prisma.session.findFirstOrThrow({
      where: { person: { email } },
      orderBy: { createdAt: "desc" },
    });
    expect((await post("/sign-out", {}, { cookie: cookieOf(signedIn) })).status).toBe(200);
    const ended = await audited("session.ended", "Reviewer");
    expect(ended.map(({ subjectKind, subjectId }) => [subjectKind, subjectId])).toEqual([["session", id]]);
    expect(await identify(database, auth, new Headers({ cookie: cookieOf(signedIn) }))).toBeUndefined();
  });

  test("has a change of password in each of their workspaces, and never a password", async () => {
    const changes = await audited("person.password_changed", "Admin");
    expect(changes.map(({ subjectKind, payload }) => `${subjectKind} ${payload.subjectName}`)).toEqual([
      "person Admin",
      "person Admin",
    ]);
    expect(new Set(changes.map(({ workspaceId }) => workspaceId)).size).toBe(2);
    const rows = JSON.stringify(await database.prisma.auditEntry.findMany({ select: { payload: true } }));
    for (const { password } of people) expect(rows).not.toContain(password);
  });
});

describe("an API key", () => {
  async function makeKey(fields: { revokedAt?: Date; expiresAt?: Date } = {}): Promise<Headers> {
    const { secret, prefix, hash } = newApiKey();
    const owner = await database.prisma.person.findFirstOrThrow({
      where: { email: person("Engineer").email },
      include: { memberships: true },
    });
    const workspaceId = owner.memberships[0]?.workspaceId ?? "";
    await database.prisma.apiKey.create({
      data: { workspaceId, personId: owner.id, name: "test", prefix, hash, scopes: ["read"], ...fields },
    });
    return new Headers({ authorization: `Bearer ${secret}` });
  }

  test("acts as its owner, with the roles they hold now", async () => {
    const headers = await makeKey();
    expect(await identify(database, auth, headers)).toMatchObject({ roles: ["engineer"], via: "api_key" });
    await database.prisma.membership.updateMany({
      where: { person: { email: person("Engineer").email } },
      data: { roles: [] },
    });
    expect(await identify(database, auth, headers)).toMatchObject({ roles: [] });
  });

  test("is dead once revoked or expired, and a made-up one never lived", async () => {
    const past = new Date(Date.now() - 60_000);
    expect(await identify(database, auth, await makeKey({ revokedAt: past }))).toBeUndefined();
    expect(await identify(database, auth, await makeKey({ expiresAt: past }))).toBeUndefined();
    expect(
      await identify(database, auth, new Headers({ authorization: `Bearer ${newApiKey().secret}` })),
    ).toBeUndefined();
  });

  test("that is wrong is not made up for by a good cookie", async () => {
    const { email, password } = person("Reviewer");
    const cookie = cookieOf(await signIn(email, password));
    expect(await identify(database, auth, new Headers({ cookie, authorization: "Bearer pw_wrong" }))).toBeUndefined();
  });
});
