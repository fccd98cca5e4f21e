import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { checkDraft } from "#kernel/capability/capability-draft";
import { httpSettingsSchema } from "#kernel/capability/http-settings";
import type { JsonObject } from "#kernel/json";
import { checkSchema } from "../../../../server/capabilities/schema-check";
import { draftOperation, type OperationChoices } from "../../../../server/formats/openapi/draft-operation";
import { parseOpenApi } from "../../../../server/formats/openapi/openapi-document";
import { type OperationReading, readOperations } from "../../../../server/formats/openapi/operations";
import { securitySchemes } from "../../../../server/formats/openapi/security";

const SHOP = readFileSync(path.join(import.meta.dirname, "../../../fixtures/openapi/shop.yaml"), "utf8");

function read(text: string, url?: string) {
  const parsed = parseOpenApi(text, url);
  if (!parsed.ok) throw new Error(parsed.error[0]?.message);
  const document = parsed.value;
  const schemes = securitySchemes(document.root);
  const readings: OperationReading[] = [...readOperations(document, schemes)];
  const operations = new Map(
    readings.flatMap((each) => (each.status === "read" ? [[each.operation.name, each.operation] as const] : [])),
  );
  const refused = new Map(
    readings.flatMap((each) => (each.status === "refused" ? [[each.refused.id, each.refused.reason] as const] : [])),
  );
  const operation = (name: string) => {
    const found = operations.get(name);
    if (found === undefined) throw new Error(`no ${name}: ${[...refused].join("; ")}`);
    return found;
  };
  const draft = (name: string, choices: OperationChoices = {}) =>
    draftOperation(document, schemes, operation(name), {
      choices,
      imported: { prefix: "shop", server: "https://eu.shop.example/v1", secrets: new Map([["token", "shop-token"]]) },
    });
  return { document, operations, refused, operation, draft };
}

const shop = read(SHOP);
const wrap = (parameters: object[], extra: object = {}): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/a": { get: { operationId: "a", parameters, responses: {} } } },
    ...extra,
  });

describe("an OpenAPI document", () => {
  it("says its title and its servers, with variables filled in", () => {
    expect(shop.document).toMatchObject({
      title: "Corner Shop",
      version: "2.1",
      servers: ["https://eu.shop.example/v1"],
    });
  });

  it("gives every operation that can be carried, and lists each other one with its own reason", () => {
    expect([...shop.operations.keys()]).toEqual([
      "listOrders",
      "createOrder",
      "getOrder",
      "replaceOrder",
      "deleteOrder",
      "bait",
      "brokenAnswer",
    ]);
    expect(Object.fromEntries(shop.refused)).toMatchObject({
      "POST /files": expect.stringMatching(/multipart\/form-data, which cannot be sent/),
      "GET /dangling": expect.stringMatching(/leads nowhere/),
      "GET /elsewhere": expect.stringMatching(/another document, which is not fetched/),
      "GET /mistyped": expect.stringMatching(/"strng" is no type/),
      "GET /circle": expect.stringMatching(/circle/),
      "GET /unfilled/{what}": expect.stringMatching(/\{what\}/),
      "GET /certified": expect.stringMatching(/mutualTLS/),
      "TRACE /traced": expect.stringMatching(/nothing that a plan could want/),
    });
    expect(shop.refused.size).toBe(8);
  });

  it("may name its servers relative to where it was fetched", () => {
    const text = JSON.stringify({ openapi: "3.1.0", info: { title: "T", version: "1" }, servers: [{ url: "../api" }] });
    expect(read(text, "https://shop.example/docs/openapi.json").document.servers).toEqual(["https://shop.example/api"]);
    expect(read(text).document.servers).toEqual([]);
  });

  it.each([
    ["swagger: '2.0'", /Swagger 2\.0/],
    ["openapi: 4.0.0", /4\.0\.0 is not read/],
    ["[]", /an object is expected/],
    ["a: &a [*a]", /anchor/],
    ["{", /./],
    ["", /./],
  ])("that is none is refused with a reason: %s", (text, reason) => {
    const parsed = parseOpenApi(text);
    expect(parsed.ok ? "" : parsed.error[0]?.message).toMatch(reason);
  });
});

describe("the side effect of an operation", () => {
  it("follows its method", () => {
    const effects = [...shop.operations].map(([name, { sideEffect }]) => [name, sideEffect]);
    expect(Object.fromEntries(effects)).toMatchObject({
      listOrders: "read",
      createOrder: "write",
      replaceOrder: "write",
      deleteOrder: "destructive",
    });
  });

  it("is made no smaller by what the document says of itself, only greater", () => {
    expect(shop.operation("deleteOrder").notes.join()).toMatch(/calls its side effect “none”/);
    const greedy = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "T", version: "1" },
      paths: { "/a": { get: { operationId: "a", "x-side-effect": "destructive", responses: {} } } },
    });
    expect(read(greedy).operation("a").sideEffect).toBe("destructive");
  });

  it("asks for an approval where it cannot be undone, unless a person says otherwise", () => {
    expect(shop.draft("deleteOrder").approval).toBe("always");
    expect(shop.draft("deleteOrder", { approval: "never" }).approval).toBe("never");
    expect(shop.draft("listOrders").approval).toBe("never");
  });

  it("comes with a key where the interface takes one, which is then no argument", () => {
    const draft = shop.draft("createOrder");
    expect(draft.idempotency).toBe("key");
    expect(draft.settings).toMatchObject({ idempotencyKeyHeader: "Idempotency-Key" });
    expect(Object.keys(draft.inputSchema.properties as JsonObject)).toEqual(["body"]);
    expect(shop.operation("replaceOrder").idempotency).toBe("natural");
  });
});

describe("schemas", () => {
  const order = { items: [{ name: "tea", parts: [{ name: "leaf" }] }], secretNote: "x", note: null, total: 1 };
  const fits = (name: string, value: unknown) => checkSchema(shop.draft(name).inputSchema, value as never);

  it("check what 3.0 says in its own way: null, exclusive bounds, members of the other side", () => {
    expect(fits("createOrder", { body: order })).toEqual([]);
    expect(fits("createOrder", { body: { ...order, total: 0 } })).not.toEqual([]);
    expect(fits("createOrder", { body: { ...order, items: [{ name: "TEA" }] } })).not.toEqual([]);
    expect(fits("createOrder", {})).not.toEqual([]);
    expect(fits("createOrder", { body: order, more: 1 })).not.toEqual([]);
    const answer = { id: "1", items: order.items };
    const output = shop.draft("getOrder").outputSchema;
    expect(checkSchema(output, { status: 200, headers: {}, body: answer })).toEqual([]);
    expect(checkSchema(output, { status: 200, headers: {}, body: { items: order.items } })).not.toEqual([]);
  });

  it("that come back to themselves end, and still check every level", () => {
    const deep = (depth: number): object => (depth === 0 ? { name: "BAD" } : { name: "a", parts: [deep(depth - 1)] });
    expect(fits("createOrder", { body: { ...order, items: [deep(6)] } })).not.toEqual([]);
  });

  it("lose a pattern that could take for ever, and say so", () => {
    const draft = shop.draft("bait");
    expect(JSON.stringify(draft.inputSchema)).not.toContain("a+");
    expect(shop.operation("bait").notes.join()).toMatch(/is not checked/);
  });

  it("of an answer that cannot be read leave the operation, unchecked and said so", () => {
    expect(shop.operation("brokenAnswer").notes.join()).toMatch(/answers are not checked/);
    const output = shop.draft("brokenAnswer").outputSchema;
    expect(checkSchema(output, { status: 200, headers: {}, body: { any: 1 } })).toEqual([]);
  });

  it("of a thousand branches become definitions, and of five million characters one reason", () => {
    const schemas: Record<string, object> = {};
    for (let index = 0; index < 60; index++) {
      const next = { $ref: `#/components/schemas/S${index + 1}` };
      schemas[`S${index}`] = { type: "object", properties: { left: next, right: next } };
    }
    schemas.S60 = { type: "string" };
    const first = { name: "a", in: "query", schema: { $ref: "#/components/schemas/S0" } };
    const { draft } = read(wrap([first], { components: { schemas } }));
    expect(Object.keys(draft("a").inputSchema.$defs as JsonObject)).toHaveLength(61);
    expect(checkDraft(draft("a"))).toEqual([]);
    const large = { name: "a", in: "query", schema: { enum: Array.from({ length: 300_000 }, (_, i) => `value ${i}`) } };
    expect(read(wrap([large])).refused.get("GET /a")).toMatch(/characters/);
  });

  it("keep names that objects have by themselves", () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"integer"},"constructor":{"type":"integer"}}}',
    );
    const { draft } = read(wrap([{ name: "toString", in: "query", schema }]));
    const checked = draft("a").inputSchema;
    expect(checkSchema(checked, { toString: JSON.parse('{"__proto__":"x"}') } as never)).not.toEqual([]);
    expect(checkSchema(checked, { toString: JSON.parse('{"constructor":1}') } as never)).toEqual([]);
    expect(checkSchema(checked, { toString: {} } as never)).toEqual([]);
    expect(checkSchema(checked, {} as never)).toEqual([]);
    expect(({} as Record<string, unknown>).type).toBeUndefined();
  });
});

describe("credentials", () => {
  it("are bound to a secret by its name", () => {
    const settings = httpSettingsSchema.parse(shop.draft("listOrders").settings);
    expect(settings.fixed).toEqual([
      { in: "header", name: "Authorization", prefix: "Bearer ", value: { $secret: "shop-token" } },
    ]);
    expect(httpSettingsSchema.parse(shop.draft("replaceOrder").settings).fixed).toEqual([]);
  });
});

it("every draft of a document may be registered", () => {
  for (const name of shop.operations.keys()) expect(checkDraft(shop.draft(name)), name).toEqual([]);
});

it("reads an interface of a thousand operations in the time of a breath", () => {
  const paths: Record<string, object> = {};
  const schema = { $ref: "#/components/schemas/Order" };
  for (let index = 0; index < 1_000; index++)
    paths[`/p${index}`] = {
      post: {
        requestBody: { content: { "application/json": { schema } } },
        responses: { 200: { description: "", content: { "application/json": { schema } } } },
      },
    };
  const parts = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`m${i}`, { type: "string", maxLength: i + 1 }]),
  );
  const components = { schemas: { Order: { type: "object", properties: parts } } };
  const text = JSON.stringify({ openapi: "3.1.0", info: { title: "T", version: "1" }, paths, components });
  const begun = process.cpuUsage().user;
  expect(read(text).operations.size).toBe(1_000);
  expect((process.cpuUsage().user - begun) / 1_000_000).toBeLessThan(20);
});
