import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiServer, openApiServer } from "../../support/api-server";
import { httpCapability } from "../../support/http-capability";
import { shopDocument } from "../../support/shop-document";

let api: ApiServer;
beforeAll(async () => {
  api = await openApiServer();
});
afterAll(() => api.close());

const GET = "GET /orders/{orderId}";
const DELETE = "DELETE /orders/{orderId}";
const lookUp = {
  capability: "shop.getOrder",
  arguments: { orderId: { $argument: "/orderId" } },
  committed: { pointer: "/status", values: [404] },
};
const imported = async (operations: readonly object[], prefix = "shop") => {
  const { data } = await api.mutate(
    "capabilities.importOpenApi",
    {
      text: JSON.stringify(shopDocument("https://shop.example")),
      server: "https://shop.example",
      prefix,
      secrets: [],
      operations,
    },
    api.keys.engineer,
  );
  return data.results as { id: string; status: string; reason?: string }[];
};
const looked = (change: object = {}) => ({
  id: DELETE,
  idempotency: "status_lookup",
  lookUp: { ...lookUp, ...change },
});

test("an operation may be looked up by another one of the same document, whichever comes first", async () => {
  expect((await imported([looked(), { id: GET }])).map(({ status }) => status)).toEqual(["registered", "registered"]);
  const { data } = await api.query("capabilities.get", { name: "shop.deleteOrder" }, api.keys.engineer);
  expect(JSON.stringify(data)).toContain('"capability":"shop.getOrder"');
});

test.each([
  [{ capability: "shop.nothing" }, "There is no capability"],
  [{ capability: "shop.deleteOrder", arguments: { orderId: "1" } }, "changes something"],
  [{ arguments: { orderId: { $argument: "/id" } } }, "has no argument “id”"],
  [{ arguments: {} }, "needs the argument “orderId”"],
])("a look-up %j is refused with its reason, and takes nothing else with it", async (change, reason) => {
  const [refused, other] = await imported([
    { ...looked(change), name: "shop.remove" },
    { id: GET, name: "shop.read2" },
  ]);
  expect(refused?.status).toBe("refused");
  expect(refused?.reason).toContain(reason);
  expect(other?.status).not.toBe("refused");
});

test("a version whose precondition names nothing is not registered", async () => {
  const preconditions = [{ capability: "shop.nothing@1", arguments: {}, expect: { pointer: "" } }];
  const draft = httpCapability("shop.checked", { preconditions });
  const answer = await api.mutate("capabilities.register", { draft, baseVersion: 0 }, api.keys.engineer);
  expect(answer.error?.data.appCode).toBe("capability_invalid");
  expect(answer.error?.message).toContain("shop.nothing@1");
});
