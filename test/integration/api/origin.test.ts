import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiServer, type Credentials, ORIGIN, openApiServer } from "../../support/api-server";

let api: ApiServer;
let session: Credentials;

beforeAll(async () => {
  api = await openApiServer();
  session = await api.signIn("engineer");
});
afterAll(() => api.close());

const create = (headers: Credentials) => api.mutate("plans.create", { name: "a" }, headers);

test("a page of ours may change things with a session", async () => {
  expect((await create({ ...session, ...ORIGIN })).status).toBe(200);
});

test.each([
  ["no origin at all", {}],
  ["a foreign origin", { origin: "https://elsewhere.test" }],
  ["a foreign origin that looks alike", { origin: "http://planwright.test.elsewhere.test" }],
  ["another port of the same host", { origin: "http://planwright.test:8080" }],
  ["an opaque origin", { origin: "null" }],
  ["our origin, sent across sites", { ...ORIGIN, "sec-fetch-site": "cross-site" }],
])("a session changes nothing from %s", async (_name, headers) => {
  const answer = await create({ ...session, ...headers });
  expect(answer.status).toBe(403);
  expect(answer.error?.data.appCode).toBe("origin_refused");
});

test("a key needs no origin, since no foreign page can send it", async () => {
  expect((await create(api.keys.engineer)).status).toBe(200);
});

test("a session reads from anywhere a browser lets it", async () => {
  expect((await api.query("me.get", undefined, session)).data.person.name).toBe("Engineer");
});

test("nothing is changed by GET", async () => {
  const input = encodeURIComponent(JSON.stringify({ name: "a" }));
  const response = await api.fetch(`plans.create?input=${input}`, { headers: { ...session, ...ORIGIN } });
  expect(response.status).toBe(405);
});

test("a person makes a key, sees its secret once, uses it and takes it back", async () => {
  const made = await api.mutate(
    "apiKeys.create",
    { name: "laptop", scopes: ["read"], days: 30 },
    { ...session, ...ORIGIN },
  );
  const key = { authorization: `Bearer ${made.data.secret}` };
  expect((await api.query("me.get", undefined, key)).data.via).toBe("api_key");
  const listed = await api.query("apiKeys.list", undefined, session);
  expect(listed.body).not.toContain(made.data.secret);
  expect(listed.data.keys.map(({ name }: { name: string }) => name)).toContain("laptop");
  await api.mutate("apiKeys.revoke", { keyId: made.data.key.id }, { ...session, ...ORIGIN });
  expect((await api.query("me.get", undefined, key)).status).toBe(401);
});

test("a key makes no further keys", async () => {
  const answer = await api.mutate("apiKeys.create", { name: "second", scopes: ["read"] }, api.keys.engineer);
  expect(answer.error?.data.appCode).toBe("forbidden");
});

test("a session that was taken away is gone at the next request", async () => {
  const lost = await api.signIn("reviewer");
  expect((await api.query("me.get", undefined, lost)).status).toBe(200);
  await api.database.prisma.session.deleteMany({ where: { person: { name: "Reviewer" } } });
  expect((await api.query("me.get", undefined, lost)).status).toBe(401);
});

test("a body larger than the limit is refused unread", async () => {
  const headers = {
    "content-type": "application/json",
    "content-length": String(64 * 1024 * 1024),
    ...session,
    ...ORIGIN,
  };
  const response = await api.fetch("plans.create", { method: "POST", headers, body: "{}" });
  expect(response.status).toBe(413);
  expect((await response.json()).error.data.appCode).toBe("too_large");
});
