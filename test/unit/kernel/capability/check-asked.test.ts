import { describe, expect, it } from "vitest";
import { objectSchema } from "#kernel/capability/built-in/define";
import { type Precondition, registryOf, snapshotCapability } from "#kernel/capability/capability";
import { checkAsked } from "#kernel/capability/check-asked";
import { pinnedCapabilities } from "#kernel/plan/pinned-capabilities";
import { httpCapability } from "../../../support/http-capability";
import { planOf } from "../../../support/run-fixture";

const read = snapshotCapability({
  ...httpCapability("orders.get", { inputSchema: objectSchema({ id: { type: "string" } }) }),
  version: 2,
});
const change = snapshotCapability({ ...httpCapability("orders.close", { sideEffect: "write" }), version: 1 });
const registry = registryOf([read, change]);

const first: Precondition = {
  capability: "orders.get@2",
  arguments: { id: { $argument: "/orderId" } },
  expect: { pointer: "/state", values: ["open"] },
};
const asking = (precondition: Partial<Precondition>) =>
  httpCapability("orders.pay", { sideEffect: "write", preconditions: [{ ...first, ...precondition }] });
const messages = (precondition: Partial<Precondition>) =>
  checkAsked(asking(precondition), registry).map(({ pointer, message }) => `${pointer} ${message}`);

describe("a capability's preconditions and look-up", () => {
  it("are fine where they ask a version in use that reads, with arguments that both know", () => {
    expect(messages({})).toEqual([]);
    expect(messages({ arguments: { id: "42" }, expect: { pointer: "" } })).toEqual([]);
  });

  it.each([
    [{ capability: "orders.get@3" }, "/preconditions/0/capability There is no capability “orders.get@3” in use."],
    [{ capability: "orders.get" }, "/preconditions/0/capability “orders.get” has to name its version"],
    [{ capability: "orders.close@1" }, "/preconditions/0/capability “orders.close@1” changes something"],
    [{ arguments: { ident: "42", id: "1" } }, "/preconditions/0/arguments It has no argument “ident”."],
    [{ arguments: {} }, "/preconditions/0/arguments It needs the argument “id”."],
    [
      { arguments: { id: { $argument: "/order" } } },
      "/preconditions/0/arguments The call itself has no argument “order”.",
    ],
    [{ arguments: { id: { $argument: "orderId" } } }, "/preconditions/0/arguments “orderId” is no JSON pointer"],
    [{ expect: { pointer: "state" } }, "/preconditions/0 “state” is no JSON pointer"],
  ])("are refused as %j", (precondition, message) => {
    const found = messages(precondition);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(message);
  });

  it("are refused alike where a look-up asks what does not exist or changes something", () => {
    const lookUp = { capability: "orders.close", arguments: { orderId: "1" }, committed: { pointer: "/state" } };
    const draft = httpCapability("orders.pay", { idempotency: "status_lookup", lookUp });
    expect(checkAsked(draft, registry)).toMatchObject([{ pointer: "/lookUp/capability" }]);
    expect(checkAsked(draft, registryOf([]))).toMatchObject([{ pointer: "/lookUp/capability" }]);
    expect(
      checkAsked({ ...draft, lookUp: { ...lookUp, capability: "orders.get", arguments: { id: "1" } } }, registry),
    ).toEqual([]);
  });

  it("are pinned with the run that may call it", () => {
    const pay = snapshotCapability({ ...asking({}), version: 1 });
    const plan = planOf([{ id: "pay", capability: "orders.pay" }]);
    const pinned = pinnedCapabilities(plan, registryOf([read, change, pay])).map(({ name }) => name);
    expect(pinned).toEqual(expect.arrayContaining(["orders.pay", "orders.get"]));
    expect(pinned).not.toContain("orders.close");
  });
});
