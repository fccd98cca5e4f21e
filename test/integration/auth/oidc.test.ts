import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Auth, createAuth } from "../../../server/auth/auth";
import { createFirstPeople } from "../../../server/auth/first-people";
import { identify } from "../../../server/auth/identify";
import type { OidcOptions } from "../../../server/auth/oidc";
import type { Database } from "../../../server/db";
import type { Principal } from "../../../server/runtime/principal";
import { createWorkspaces } from "../../../server/store/workspaces";
import { type OidcProvider, type ProviderPerson, startOidcProvider } from "../../support/oidc-provider";
import { openTestDatabase } from "../../support/test-database";

const URL_OF_SERVER = "http://planwright.test";
let database: Database;
let provider: OidcProvider;

beforeAll(async () => {
  database = await openTestDatabase();
  provider = await startOidcProvider();
  await createFirstPeople(database);
});
afterAll(async () => {
  await provider.close();
  await database.close();
});
beforeEach(() => {
  provider.forge = (claims) => claims;
  provider.useForeignKey = false;
});

const authWith = (changes: Partial<OidcOptions> = {}): Auth =>
  createAuth(database, {
    secret: "a secret of at least 32 characters",
    url: URL_OF_SERVER,
    oidc: {
      issuer: provider.issuer,
      clientId: provider.clientId,
      clientSecret: provider.clientSecret,
      name: "Test",
      allowedDomains: ["example.org"],
      roleClaim: "groups",
      roles: new Map([["leads", "approver"]]),
      defaultRoles: ["reviewer"],
      ...changes,
    },
  });

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

/** Goes the whole way as a browser does. Undefined: nobody is signed in at the end. */
async function signIn(
  auth: Auth,
  person: ProviderPerson,
  tamper = (url: URL): URL => url,
): Promise<Principal | undefined> {
  provider.person = person;
  const started = await auth.handler(
    new Request(`${URL_OF_SERVER}/api/auth/sign-in/social`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: URL_OF_SERVER },
      body: JSON.stringify({ provider: "oidc", callbackURL: "/plans" }),
    }),
  );
  const answer = await started.json();
  expect(answer).toMatchObject({ url: expect.stringContaining(provider.issuer) });
  const { url } = answer;
  expect(new URL(url).searchParams.get("code_challenge_method")).toBe("S256");
  const authorized = await fetch(url, { redirect: "manual" });
  const back = tamper(new URL(authorized.headers.get("location") ?? ""));
  const finished = await auth.handler(new Request(back, { headers: { cookie: cookiesOf(started) } }));
  return identify(database, auth, new Headers({ cookie: cookiesOf(finished) }));
}

const ada: ProviderPerson = { sub: "ada", email: "Ada@example.org", email_verified: true, name: "Ada" };

test("somebody of an allowed domain comes in with the default roles, and it is in the audit", async () => {
  const principal = await signIn(authWith(), ada);
  expect(principal).toMatchObject({
    person: { name: "Ada", email: "ada@example.org" },
    workspace: { name: "Operations" },
    roles: ["reviewer"],
  });
  const entries = await database.prisma.auditEntry.findMany({ orderBy: { number: "asc" } });
  expect(entries.map(({ action }) => action)).toEqual(["member.joined", "session.started"]);
  expect(JSON.parse(entries[1]?.payload ?? "").detail).toEqual({ method: "oidc" });
});

test("the provider's tokens are not kept", async () => {
  await signIn(authWith(), ada);
  const accounts = await database.prisma.account.findMany({ where: { providerId: "oidc" } });
  expect(accounts.length).toBeGreaterThan(0);
  for (const { accessToken, refreshToken, idToken } of accounts) {
    expect([accessToken, refreshToken, idToken]).toEqual([null, null, null]);
  }
});

test("groups that mean something here are followed at each sign-in", async () => {
  expect((await signIn(authWith(), { ...ada, groups: ["leads"] }))?.roles).toEqual(["approver"]);
  expect((await signIn(authWith(), { ...ada, groups: ["others"] }))?.roles).toEqual(["approver"]);
});

test("somebody who is known here signs in as themselves, with the roles they have", async () => {
  const principal = await signIn(authWith({ allowedDomains: [], defaultRoles: [] }), {
    sub: "engineer",
    email: "engineer@planwright.local",
    email_verified: true,
  });
  expect(principal).toMatchObject({ person: { name: "Engineer" }, roles: ["engineer"] });
});

test("the last admin stays one, whatever their groups say, and is followed once there is another", async () => {
  const auth = authWith();
  const admin = { sub: "admin", email: "admin@planwright.local", email_verified: true, groups: ["leads"] };
  const known = { allowedDomains: [] };
  expect((await signIn(authWith(known), admin))?.roles).toEqual(["admin"]);
  const ofAda = { person: { email: "ada@example.org" } };
  const before = await database.prisma.membership.findFirstOrThrow({ where: ofAda });
  await database.prisma.membership.updateMany({ where: ofAda, data: { roles: ["admin"] } });
  expect((await signIn(authWith(known), admin))?.roles).toEqual(["approver"]);
  expect((await signIn(auth, { ...ada, groups: ["leads"] }))?.roles).toEqual(["admin"]);
  await database.prisma.membership.updateMany({
    where: { person: { email: "admin@planwright.local" } },
    data: { roles: ["admin"] },
  });
  await database.prisma.membership.updateMany({ where: ofAda, data: { roles: before.roles } });
});

test.each([
  ["default roles", "default", undefined],
  ["groups that mean something here", "mapped", ["leads"]],
])("somebody who was removed does not come back by signing in, with %s", async (_name, sub, groups) => {
  const person = { sub, email: `${sub}@example.org`, email_verified: true, name: sub, ...(groups && { groups }) };
  const principal = await signIn(authWith(), person);
  const admin = await signIn(authWith({ allowedDomains: [], roles: new Map() }), {
    sub: "admin",
    email: "admin@planwright.local",
    email_verified: true,
  });
  if (principal === undefined || admin === undefined) throw new Error("Somebody did not get in.");
  const workspaces = createWorkspaces(database.pool);
  expect(await workspaces.remove(admin, principal.person.id)).toMatchObject({ ok: true });
  await signIn(authWith(), person);
  expect(await database.prisma.membership.count({ where: { personId: principal.person.id } })).toBe(0);
  const { workspaceId } = await database.prisma.membership.create({
    data: { workspaceId: principal.workspace.id, personId: principal.person.id, roles: ["engineer"] },
  });
  expect((await signIn(authWith(), person))?.workspace.id).toBe(workspaceId);
});

test.each<[string, Partial<ProviderPerson>, Partial<OidcOptions>]>([
  ["whose address was never verified", { email_verified: false }, {}],
  ["of another domain", { email: "eve@elsewhere.test" }, {}],
  ["of a domain that only looks alike", { email: "eve@example.org.elsewhere.test" }, {}],
  ["who is unknown, where only known people may come", { email: "eve@example.org" }, { allowedDomains: [] }],
])("somebody %s is not let in", async (_name, person, options) => {
  const before = await database.prisma.person.count();
  expect(await signIn(authWith(options), { ...ada, sub: "eve", ...person })).toBeUndefined();
  expect(await database.prisma.person.count()).toBe(before);
});

test.each<[string, (provider: OidcProvider) => void]>([
  ["signed with a key that was not published", (at) => Object.assign(at, { useForeignKey: true })],
  ["for another client", (at) => Object.assign(at, { forge: (claims: object) => ({ ...claims, aud: "another" }) })],
  [
    "of another issuer",
    (at) => Object.assign(at, { forge: (claims: object) => ({ ...claims, iss: "http://x.test" }) }),
  ],
  ["with another nonce", (at) => Object.assign(at, { forge: (claims: object) => ({ ...claims, nonce: "another" }) })],
  ["that is too old", (at) => Object.assign(at, { forge: (claims: object) => ({ ...claims, exp: 1 }) })],
])("an identity token %s lets nobody in", async (_name, tamper) => {
  tamper(provider);
  expect(await signIn(authWith(), ada)).toBeUndefined();
});

test("an answer with a state that was never given out lets nobody in", async () => {
  const forged = (url: URL): URL => {
    url.searchParams.set("state", "made-up");
    return url;
  };
  expect(await signIn(authWith(), ada, forged)).toBeUndefined();
});
