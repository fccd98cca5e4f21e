import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KEY_SCOPES, type KeyScope } from "../../../server/runtime/key-scope";
import { scopeFor } from "../../../server/trpc/key-scopes";
import { appRouter } from "../../../server/trpc/root";
import {
  type ApiAnswer,
  type ApiServer,
  type Credentials,
  type FirstRole,
  ORIGIN,
  openApiServer,
} from "../../support/api-server";
import { EVERYBODY, PROCEDURE_TABLE } from "./procedure-table";
import { stateOf } from "./state-of-tables";
import { formerMember, makeWorld, NOTHING, type World } from "./world";

let api: ApiServer;
let world: World;
let outsider: Credentials & { readonly personId: string };
let former: { readonly key: Credentials; readonly session: Credentials };
/** A session of each role: what a person at a screen has. */
const sessions = new Map<FirstRole, Credentials>();
let outsiderSession: Credentials;
let deadKeys: Credentials[];
/** By the only scope each of them lacks. */
const narrowKeys = new Map<KeyScope, Credentials>();

beforeAll(async () => {
  api = await openApiServer();
  world = await makeWorld(api);
  outsider = await api.addPerson({ name: "outsider", roles: [...EVERYBODY] });
  outsiderSession = await api.signInAs(outsider.personId);
  deadKeys = [
    await api.makeKey("admin", { revokedAt: new Date() }),
    await api.makeKey("admin", { expiresAt: new Date(Date.now() - 1_000) }),
  ];
  for (const lacking of KEY_SCOPES) {
    const scopes = KEY_SCOPES.filter((scope) => scope !== lacking);
    narrowKeys.set(lacking, await api.makeKey("admin", { scopes }));
  }
  const { key, personId } = await formerMember(api);
  former = { key, session: await api.signInAs(personId) };
  for (const role of EVERYBODY) sessions.set(role, await api.signIn(role));
});
afterAll(() => api.close());

/** From the router itself: what it serves is what is swept. The declared type of this list nests; in fact it is flat. */
const KINDS: ReadonlyMap<string, "query" | "mutation" | "subscription"> = new Map(
  Object.entries<{ _def: { type: "query" | "mutation" | "subscription" } }>(Object(appRouter._def.procedures)).map(
    ([path, procedure]) => [path, procedure._def.type],
  ),
);
const kindOf = (path: string): "query" | "mutation" | "subscription" => {
  const kind = KINDS.get(path);
  if (kind === undefined) throw new Error(`There is no procedure ${path}.`);
  return kind;
};

/** What came back. Of a stream only the head is read: a stream that opens is an answer of 200. */
async function call(path: string, given: World, credentials: Credentials): Promise<ApiAnswer> {
  const input = rowOf(path).input(given);
  const kind = kindOf(path);
  if (kind === "mutation") return api.mutate(path, input, credentials);
  if (kind === "query") return api.query(path, input, credentials);
  return readHead(
    await api.fetch(`${path}?input=${encodeURIComponent(JSON.stringify(input))}`, { headers: credentials }),
  );
}

/** A stream always opens with 200; what comes first in it is the answer. */
async function readHead(response: Response): Promise<ApiAnswer> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let body = "";
  while (!/serialized-error\ndata: .*\n|^id: /m.test(body)) body += (await reader?.read())?.value ?? "";
  await reader?.cancel();
  const refusal = /serialized-error\ndata: (.*)\n/.exec(body)?.[1];
  if (refusal === undefined) return { status: 200, body };
  const error = JSON.parse(refusal);
  return { status: error.data.httpStatus, body, error };
}

function rowOf(path: string) {
  const row = PROCEDURE_TABLE[path];
  if (row === undefined) throw new Error(`There is no row for ${path}.`);
  return row;
}

const sessionOf = (role: FirstRole): Credentials => sessions.get(role) ?? {};

/** Somebody of that role, as they may come: with a key, or at a screen where keys are refused before roles are looked at. */
const inRole = (path: string, role: FirstRole): Credentials =>
  rowOf(path).inPerson ? { ...sessionOf(role), ...ORIGIN } : api.keys[role];

const rows = Object.entries(PROCEDURE_TABLE);
const closed = rows.filter(([, { who }]) => who !== "anybody");
const paths = (some: typeof rows): string[] => some.map(([path]) => path);

test("every procedure of the router has a row in the table, and every row a procedure", () => {
  expect(paths(rows).sort()).toEqual([...KINDS.keys()].sort());
});

describe.each(paths(closed))("%s is closed to", (path) => {
  test("whoever sends no session, an unknown, a revoked or an expired key", async () => {
    expect((await call(path, world, ORIGIN)).error?.data.appCode).toBe("unauthenticated");
    expect((await call(path, world, { ...ORIGIN, authorization: "Bearer pw_unknown" })).status).toBe(401);
    for (const dead of deadKeys) expect((await call(path, world, { ...ORIGIN, ...dead })).status).toBe(401);
  });

  test("somebody who was removed from the workspace, with their key and with their session", async () => {
    expect((await call(path, world, { ...ORIGIN, ...former.key })).status).toBe(401);
    const answer = await call(path, world, { ...former.session, ...ORIGIN });
    expect([answer.status, answer.error?.data.appCode]).toEqual([403, "no_workspace"]);
  });

  test("a key without the scope for it", async () => {
    const narrow = narrowKeys.get(scopeFor(path, kindOf(path)));
    expect((await call(path, world, narrow ?? {})).status).toBe(403);
  });
});

describe.each(paths(closed.filter(([, { who }]) => who !== EVERYBODY)))("%s", (path) => {
  test("refuses every role it is not for, and changes nothing", async () => {
    const before = await stateOf(api.database.pool);
    for (const role of EVERYBODY) {
      if (rowOf(path).who.includes(role)) continue;
      const answer = await call(path, world, inRole(path, role));
      expect(answer.status, `${role}: ${answer.body}`).toBe(403);
      // For the role, and for nothing else that would be refused to anybody.
      expect(answer.error?.message, role).toMatch(rowOf(path).refusal ?? /\b(role|admin)\b/);
    }
    expect(await stateOf(api.database.pool)).toEqual(before);
  });
});

describe.each(paths(rows.filter(([, { takesId }]) => takesId)))("%s", (path) => {
  test("says nothing about another workspace that it would not say of nothing", async () => {
    const { inPerson, missingIsFine } = rowOf(path);
    const as = inPerson ? { ...outsiderSession, ...ORIGIN } : outsider;
    const before = await stateOf(api.database.pool);
    const foreign = await call(path, world, as);
    const random = await call(path, NOTHING, as);
    expect(foreign.status).toBe(missingIsFine ? 200 : 404);
    expect(foreign).toEqual(random);
    expect(await stateOf(api.database.pool)).toEqual(before);
  });
});

describe.each(paths(rows.filter(([path]) => kindOf(path) === "mutation")))("%s changes nothing", (path) => {
  test("for a foreign page, a form, or a GET or HEAD, all with a good session", async () => {
    const before = await stateOf(api.database.pool);
    const body = JSON.stringify(rowOf(path).input(world));
    const json = { "content-type": "application/json" };
    const post = (headers: Credentials) =>
      api.fetch(path, { method: "POST", headers: { ...sessionOf("admin"), ...headers }, body });
    const foreign: Credentials[] = [{}, { origin: "https://elsewhere.test" }, { origin: "null" }];
    for (const headers of foreign) expect((await post({ ...json, ...headers })).status).toBe(403);
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      expect((await post({ "content-type": type, ...ORIGIN })).status, type).toBe(415);
    }
    const headers = { ...sessionOf("admin"), ...ORIGIN };
    const address = `${path}?input=${encodeURIComponent(body)}`;
    expect((await api.fetch(address, { headers })).status).toBe(405);
    await api.fetch(address, { method: "HEAD", headers });
    expect(await stateOf(api.database.pool)).toEqual(before);
  });
});

describe("the table is true:", () => {
  test.each(paths(closed.filter(([, { decidesItself }]) => !decidesItself)))(
    "%s lets in whom it says",
    async (path) => {
      const { who, inPerson } = rowOf(path);
      for (const role of EVERYBODY.filter((each) => who.includes(each))) {
        const as = inPerson ? { ...(await api.signIn(role)), ...ORIGIN } : api.keys[role];
        const answer = await call(path, world, as);
        expect([401, 403], `${role}: ${answer.body}`).not.toContain(answer.status);
      }
    },
  );

  test.each(paths(closed.filter(([, { inPerson }]) => inPerson)))(
    "%s is for a person at a screen only",
    async (path) => {
      expect((await call(path, world, api.keys.admin)).status).toBe(403);
    },
  );

  test("no request was answered with a fault of ours", () => {
    expect(api.faults).toEqual([]);
  });
});
