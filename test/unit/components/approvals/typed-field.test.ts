import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonObject, type JsonValue, setOwn } from "#kernel/json";
import { deadlineText, isUrgent } from "../../../../components/approvals/deadline";
import { fieldsOf, objectOf } from "../../../../components/approvals/typed-field";

const objects = fc
  .array(fc.tuple(fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString")), fc.jsonValue()))
  .map((members) => {
    const object: Record<string, JsonValue> = {};
    for (const [name, value] of members) setOwn(object, name, JSON.parse(JSON.stringify(value)) as JsonValue);
    return object as JsonObject;
  });

describe("editing arguments", () => {
  it("gives back the same value, types included, when nothing is touched", () => {
    fc.assert(
      fc.property(objects, (value) => {
        expect(objectOf(fieldsOf(value, undefined), new Map())).toEqual({ ok: true, value });
      }),
    );
  });

  it("keeps a number a number and a text that looks like one a text", () => {
    const fields = fieldsOf({ percent: 25, zip: "01067", flag: true }, undefined);
    const edited = objectOf(
      fields,
      new Map([
        ["percent", "50"],
        ["zip", "007"],
        ["flag", "false"],
      ]),
    );
    expect(edited).toEqual({ ok: true, value: { percent: 50, zip: "007", flag: false } });
  });

  it("names every field that does not read as its type", () => {
    const fields = fieldsOf({ percent: 25, list: [1] }, undefined);
    const edited = objectOf(
      fields,
      new Map([
        ["percent", "many"],
        ["list", "[1,"],
      ]),
    );
    expect(edited.ok ? [] : [...edited.error.keys()]).toEqual(["percent", "list"]);
  });

  it("offers what the schema allows besides, and leaves it out while it is empty", () => {
    const schema = {
      properties: { reason: { type: "string" }, count: { type: "integer" }, mode: { enum: ["a", "b"] } },
    };
    const fields = fieldsOf({}, schema);
    expect(fields.map((field) => [field.name, field.kind])).toEqual([
      ["reason", "text"],
      ["count", "number"],
      ["mode", "text"],
    ]);
    expect(objectOf(fields, new Map())).toEqual({ ok: true, value: {} });
    const filled = new Map([
      ["count", "3"],
      ["mode", "b"],
    ]);
    expect(objectOf(fields, filled)).toEqual({ ok: true, value: { count: 3, mode: "b" } });
  });
});

describe("deadlines", () => {
  const now = Date.UTC(2026, 10, 24, 12);
  it.each([
    [-1, "over"],
    [45_000, "45 s"],
    [11 * 60_000 + 30_000, "11 min"],
    [3 * 3_600_000, "3 h"],
  ])("says %d ms from now as %s", (left, text) => expect(deadlineText(now + left, now)).toBe(text));

  it("is urgent below a quarter of an hour", () => {
    expect(isUrgent(now + 14 * 60_000, now)).toBe(true);
    expect(isUrgent(now + 16 * 60_000, now)).toBe(false);
  });
});
