import { expect, it } from "vitest";
import type { Operation } from "../../../../components/capabilities/import-data";
import { lookUpText, readLookUp, suggestedArguments } from "../../../../components/capabilities/look-up-text";

const typed = { ...lookUpText(undefined), capability: " shop.getOrder ", arguments: '{"id": {"$argument": "/id"}}' };

it("a look-up that is typed whole is one; what is JSON among its values is taken as that", () => {
  expect(
    readLookUp({
      ...typed,
      pointer: "/body/state",
      committed: 'paid, 3, true, "3"',
      notCommitted: "none",
      output: "/body",
    }),
  ).toEqual({
    faults: {},
    lookUp: {
      capability: "shop.getOrder",
      arguments: { id: { $argument: "/id" } },
      committed: { pointer: "/body/state", values: ["paid", 3, true, "3"] },
      notCommitted: { pointer: "/body/state", values: ["none"] },
      output: "/body",
    },
  });
  for (const committed of ["", 'paid, 3, true, "3"'])
    expect(lookUpText(readLookUp({ ...typed, committed }).lookUp).committed).toBe(committed);
  expect(readLookUp(typed).lookUp).toEqual({
    capability: "shop.getOrder",
    arguments: { id: { $argument: "/id" } },
    committed: { pointer: "/body" },
  });
});

it.each([
  ["capability", "  "],
  ["arguments", "[1]"],
  ["arguments", "{"],
  ["pointer", "body"],
  ["output", "body"],
] as const)("the field %s cannot be %j, and the fault stands at it", (key, value) => {
  const { lookUp, faults } = readLookUp({ ...typed, [key]: value });
  expect(lookUp).toBeUndefined();
  expect(Object.keys(faults)).toEqual([key]);
});

it("values that say no need values that say yes", () => {
  expect(Object.keys(readLookUp({ ...typed, notCommitted: "none" }).faults)).toEqual(["committed"]);
});

it("arguments of the same name are suggested, and the key where one is asked for", () => {
  const operation = (names: Readonly<Record<string, boolean>>) =>
    ({ arguments: Object.entries(names).map(([name, required]) => ({ name, required })) }) as unknown as Operation;
  const call = operation({ id: true, "a/b~": false, note: false });
  const asked = operation({ id: true, "a/b~": false, requestKey: true, page: false, other: true });
  expect(JSON.parse(suggestedArguments(call, asked))).toEqual({
    id: { $argument: "/id" },
    "a/b~": { $argument: "/a~1b~0" },
    requestKey: { $idempotencyKey: true },
  });
});
