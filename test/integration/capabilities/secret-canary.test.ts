import { Writable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HttpSettings } from "#kernel/capability/http-settings";
import { builtInExecutor } from "../../../server/capabilities/built-in";
import { openApiProvider } from "../../../server/capabilities/openapi";
import { createLogger, type Logger } from "../../../server/log";
import { createCapabilityRecords } from "../../../server/store/capability-records";
import { createSecretReader } from "../../../server/store/secret-store";
import { startWorker, type Worker } from "../../../server/worker-services";
import { type ApiServer, openApiServer, TEST_KEYS } from "../../support/api-server";
import { type EchoService, spellings, startEchoService } from "../../support/echo-service";
import { httpCapability } from "../../support/http-capability";
import { until } from "../../support/until";

/** Needs escaping in every encoding there is; found nowhere by chance. */
const CANARIES = {
  "in-header": 'canary-header "9f3/+\\~&=7c1',
  "in-query": "canary query/+&=ÄÖ €7c1d9f3",
  "in-body": 'canary-body\n"q/+\\&=é7c1d9f3',
  "in-login": "canary-user:canary-pass/+9f37c1d",
  "in-cookie": "canary-cookie-9f37c1d",
} as const;

const PLACES: readonly [keyof typeof CANARIES, HttpSettings["fixed"][number]][] = [
  ["in-header", { in: "header", name: "x-api-key", value: { $secret: "in-header" } }],
  ["in-query", { in: "query", name: "key", value: { $secret: "in-query" } }],
  ["in-body", { in: "body", name: "token", value: { $secret: "in-body" } }],
  ["in-login", { in: "header", name: "authorization", value: { $secret: "in-login" }, encoding: "basic" }],
  ["in-cookie", { in: "cookie", name: "session", value: { $secret: "in-cookie" } }],
];
const WAYS = ["json", "text", "binary", "header", "refused", "broken", "away", "moved", "cut"];

let api: ApiServer;
let service: EchoService;
let worker: Worker;
let log: Logger;
let lines = "";
/** Everything that anybody outside was answered. */
let answers = "";

beforeAll(async () => {
  api = await openApiServer();
  service = await startEchoService();
  const { pool } = api.database;
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines += chunk.toString();
      done();
    },
  });
  log = createLogger("test", "debug", destination);
  const policy = { allowedHosts: [], allowedPrivate: ["127.0.0.1"] };
  const secrets = createSecretReader(pool, TEST_KEYS);
  const executor = builtInExecutor({
    folderOf: () => "/nonexistent",
    ledgerFile: "/nonexistent",
    addressPolicy: policy,
    registered: {
      records: createCapabilityRecords(pool),
      providers: new Map([["http", openApiProvider({ policy, secrets })]]),
    },
  });
  worker = await startWorker({ database: api.database, executor, log });
});
afterAll(async () => {
  await worker?.stop();
  await service?.close();
  await api?.close();
});

const found = (text: string): readonly string[] =>
  Object.values(CANARIES)
    .flatMap((canary) => canary.split(":"))
    .flatMap((part) => spellings(part))
    .filter((spelling) => text.includes(spelling));

test("a secret that a service gives back in every way is found nowhere", { timeout: 120_000 }, async () => {
  const { engineer } = api.keys;
  const note = (answer: { readonly body: string }) => {
    answers += answer.body;
    return answer;
  };
  for (const [name, value] of Object.entries(CANARIES))
    note(await api.mutate("secrets.set", { name, value }, engineer));
  note(await api.mutate("secrets.set", { name: "Wrong Name", value: CANARIES["in-header"] }, engineer));
  const tasks: object[] = [];
  for (const way of WAYS) {
    const draft = httpCapability(`echo.${way}`, {
      sideEffect: "read",
      inputSchema: { type: "object", properties: { body: {} } },
      outputSchema: {},
      retryOn: [],
      settings: {
        method: "POST",
        server: service.origin,
        path: `/${way}`,
        parameters: [],
        body: { argument: "body", contentType: "application/json", format: "json" },
        fixed: PLACES.map(([, fixed]) => fixed),
      },
    });
    const registered = note(await api.mutate("capabilities.register", { draft, baseVersion: 0 }, engineer));
    expect(registered).toMatchObject({ status: 200 });
    tasks.push({
      id: way,
      capability: `echo.${way}`,
      arguments: { body: {} },
      onFailure: "continue",
      retry: { maxAttempts: 1 },
    });
  }
  const plan = { format: "planwright/v1", name: "echo", tasks };
  const created = await api.mutate("plans.create", { name: "echo", plan }, engineer);
  const { data: started } = await api.mutate("runs.start", { planId: created.data.planId }, engineer);
  const { runId } = started;
  await until(
    "the run ends",
    async () => (await api.query("runs.get", { runId }, engineer)).data.status === "finished",
  );

  log.error(
    { err: new Error(`failed at ${Object.values(CANARIES).flatMap(spellings).join(" ")}`), detail: { ...CANARIES } },
    `failed with ${CANARIES["in-query"]}`,
  );

  // The service really had them, each in its place.
  const first = service.received.find(({ url }) => url.startsWith("/json"));
  expect(first?.headers["x-api-key"]).toBe(CANARIES["in-header"]);
  expect(new URL(`http://x${first?.url}`).searchParams.get("key")).toBe(CANARIES["in-query"]);
  expect(JSON.parse(first?.body ?? "").token).toBe(CANARIES["in-body"]);
  expect(Buffer.from(first?.headers.authorization?.slice(6) ?? "", "base64").toString()).toBe(CANARIES["in-login"]);
  expect(first?.headers.cookie).toBe(`session=${CANARIES["in-cookie"]}`);
  expect(service.received.map(({ url }) => url.split("?")[0])).toEqual(
    expect.arrayContaining(WAYS.map((way) => `/${way}`)),
  );

  for (const [path, input] of [
    ["runs.get", { runId }],
    ["runs.events", { runId }],
    ["capabilities.list", undefined],
    ["capabilities.overview", undefined],
    ["capabilities.get", { name: "echo.json" }],
    ["secrets.list", undefined],
    ["plans.export", { planId: created.data.planId, format: "native_json" }],
  ] as const)
    note(await api.query(path, input, engineer));
  const stop = new AbortController();
  const input = encodeURIComponent(JSON.stringify({ runs: [{ runId, afterSeq: 0 }] }));
  const stream = await api.fetch(`events.stream?input=${input}`, { headers: engineer, signal: stop.signal });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let streamed = "";
  while (!streamed.includes("run_finished")) streamed += (await reader?.read())?.value ?? "";
  stop.abort();

  const { rows: tables } = await api.database.pool.query<{ name: string }>(
    "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
  );
  let dump = "";
  for (const { name } of tables) {
    const { rows } = await api.database.pool.query<{ row: string }>(
      `SELECT (each.*)::text AS row FROM ${name} AS each`,
    );
    dump += rows.map(({ row }) => row).join("\n");
  }
  expect(dump).toContain("[secret in-header]");
  expect(lines).toContain("[secret in-header]");
  expect({ answers: found(answers), streamed: found(streamed), dump: found(dump), lines: found(lines) }).toEqual({
    answers: [],
    streamed: [],
    dump: [],
    lines: [],
  });
  // Bytes are dumped in hexadecimal.
  for (const canary of Object.values(CANARIES)) expect(dump).not.toContain(Buffer.from(canary).toString("hex"));
  const { data } = await api.query("secrets.list", undefined, engineer);
  expect(data.secrets).toHaveLength(5);
  for (const secret of data.secrets)
    expect(secret).toMatchObject({ version: 1, readable: true, lastUsedAt: expect.any(Number) });
});

test("credentials never follow a redirect to another host", () => {
  expect(service.received.some(({ headers }) => headers.host?.startsWith("127.0.0.2"))).toBe(false);
});
