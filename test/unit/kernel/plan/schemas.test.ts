import { describe, expect, it } from "vitest";
import { testEcho } from "#kernel/capability/built-in/testing";
import { type Capability, registryOf, snapshotCapability } from "#kernel/capability/capability";
import { formatPointer, getAtPointer, type JsonObject, type JsonValue } from "#kernel/json";
import { viewSchema } from "#kernel/plan/schema-view";
import { validatePlan } from "#kernel/plan/validate";
import { checkSchema } from "../../../../server/capabilities/schema-check";
import { planOf } from "../../../support/kernel/plan-of";

/** Schemas that are hard to see through, each with values that fit them. */
const CASES: readonly { readonly name: string; readonly schema: JsonObject; readonly values: readonly JsonObject[] }[] =
  [
    {
      name: "a choice by what is required",
      schema: {
        type: "object",
        properties: { id: { type: "string" }, name: { type: "string", minLength: 3 } },
        anyOf: [{ required: ["id"] }, { required: ["name"] }],
      },
      values: [{ id: "1" }, { name: "long enough" }, { id: "1", name: "abc" }],
    },
    {
      name: "exactly one of two shapes",
      schema: {
        oneOf: [
          {
            type: "object",
            properties: { kind: { const: "a" }, size: { type: "integer" } },
            required: ["kind", "size"],
            additionalProperties: false,
          },
          {
            type: "object",
            properties: { kind: { const: "b" }, text: { type: "string" } },
            required: ["kind", "text"],
            additionalProperties: false,
          },
        ],
      },
      values: [
        { kind: "a", size: 3 },
        { kind: "b", text: "x" },
      ],
    },
    {
      name: "shapes by reference, one of them recursive",
      schema: {
        $defs: {
          node: {
            type: "object",
            properties: { label: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/node" } } },
            required: ["label"],
            additionalProperties: false,
          },
        },
        type: "object",
        properties: { tree: { $ref: "#/$defs/node" } },
        required: ["tree"],
        additionalProperties: false,
      },
      values: [{ tree: { label: "a", children: [{ label: "b", children: [] }, { label: "c" }] } }],
    },
    {
      name: "enumerations, patterns and formats",
      schema: {
        type: "object",
        properties: {
          method: { enum: ["GET", "POST"] },
          url: { type: "string", format: "uri", pattern: "^https?://" },
          tags: { type: "array", items: { type: "string", maxLength: 4 }, minItems: 1, uniqueItems: true },
          level: { type: "integer", minimum: 3, maximum: 5 },
          maybe: { type: ["null", "number"] },
        },
        required: ["method", "url"],
        additionalProperties: false,
      },
      values: [{ method: "GET", url: "https://example.org/", tags: ["a", "b"], level: 4, maybe: null }],
    },
    {
      name: "members by pattern and further members",
      schema: {
        type: "object",
        patternProperties: { "^x-": { type: "number" } },
        properties: { plain: { type: "boolean" } },
        additionalProperties: { type: "object", additionalProperties: { type: "string" } },
      },
      values: [{ "x-a": 1, plain: true, other: { deep: "text" } }],
    },
    {
      name: "tuples",
      schema: {
        type: "object",
        properties: { pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false } },
      },
      values: [{ pair: ["a", 1] }],
    },
    {
      name: "all of several, closed as a whole",
      schema: {
        allOf: [
          { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
          { properties: { b: { type: "integer" } } },
        ],
        unevaluatedProperties: false,
      },
      values: [{ a: "x", b: 2 }],
    },
    {
      name: "one thing depending on another",
      schema: {
        type: "object",
        properties: { mode: { type: "string" }, limit: { type: "integer" } },
        if: { properties: { mode: { const: "some" } }, required: ["mode"] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { required: ["limit"] },
      },
      values: [{ mode: "some", limit: 2 }, { mode: "all" }],
    },
    { name: "anything at all", schema: {}, values: [{ a: [1, { b: null }] }] },
  ];

/** Every place in a value but the top, as paths. */
function placesOf(value: JsonValue, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [];
  const members: [string | number, JsonValue][] = Array.isArray(value)
    ? value.map((element, index) => [index, element as JsonValue])
    : Object.entries(value as JsonObject);
  return members.flatMap(([key, member]) => [[...path, key], ...placesOf(member, [...path, key])]);
}

function replaced(value: JsonValue, at: ReadonlySet<string>, path: (string | number)[] = []): JsonValue {
  if (at.has(formatPointer(path))) return { $output: "source#/value" };
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((element, index) => replaced(element as JsonValue, at, [...path, index]));
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, member]) => [key, replaced(member, at, [...path, key])]),
  );
}

const capability = (change: Partial<Capability>) =>
  snapshotCapability({ ...testEcho, name: "case.call", outputSchema: {}, ...change });

function diagnose(inputSchema: JsonObject, taskArguments: JsonObject) {
  const registry = registryOf([snapshotCapability(testEcho), capability({ inputSchema })]);
  const plan = planOf([{ id: "source" }, { id: "call", capability: "case.call", arguments: taskArguments }]);
  return validatePlan(plan, { registry, checkSchema }).diagnostics.filter(({ severity }) => severity === "error");
}

describe("schemas", () => {
  it.each(CASES)("V4 refuses no arguments that can still become right: $name", ({ schema, values }) => {
    for (const value of values) {
      expect(checkSchema(schema, value)).toEqual([]);
      const places = placesOf(value).map(formatPointer);
      for (let set = 0; set < 1 << Math.min(places.length, 8); set++) {
        const chosen = new Set(places.filter((_, index) => (set & (1 << index)) !== 0));
        const taskArguments = replaced(value, chosen) as JsonObject;
        expect({ taskArguments, found: diagnose(schema, taskArguments) }).toEqual({ taskArguments, found: [] });
      }
    }
  });

  it.each(CASES)("V5 sees every part of a value that fits, with its type: $name", ({ schema, values }) => {
    for (const value of values) {
      for (const path of [[], ...placesOf(value)]) {
        const part = getAtPointer(value, formatPointer(path)) as JsonValue;
        const view = viewSchema(schema, formatPointer(path));
        expect({ path, status: view.status }).toEqual({ path, status: "present" });
        if (view.status !== "present" || view.types === undefined) continue;
        const type = part === null ? "null" : Array.isArray(part) ? "array" : typeof part;
        const fits = view.types.has(type) || (Number.isInteger(part) && view.types.has("integer"));
        expect({ path, types: [...view.types], fits }).toMatchObject({ fits: true });
      }
    }
  });

  it.each<[string, JsonObject, JsonObject, string[]]>([
    ["a number as text", { properties: { n: { type: "number" } } }, { n: "${source}" }, ["/n"]],
    ["one of few values", { properties: { m: { enum: ["a", "b"] } } }, { m: "c" }, ["/m"]],
    [
      "a list too long, whatever is in it",
      { properties: { l: { maxItems: 1 } } },
      { l: [{ $output: "source" }, 1] },
      ["/l"],
    ],
    ["a member too many", { properties: {}, additionalProperties: false }, { m: { $output: "source" } }, ["/m"]],
    ["a member missing beside a reference", { required: ["b"] }, { a: { $output: "source" } }, [""]],
    ["a fault beside a reference", { properties: { b: { type: "string" } } }, { a: "${source}", b: 1 }, ["/b"]],
  ])("V6 still refuses %s", (_, schema, taskArguments, expected) => {
    const found = diagnose({ type: "object", ...schema }, taskArguments);
    expect(found.map(({ code, pointer }) => [code, pointer.replace("/tasks/1/arguments", "")])).toEqual(
      expected.map((pointer) => ["arguments_invalid", pointer]),
    );
  });

  it.each<[string, JsonObject, string, string]>([
    [
      "a member of a closed object",
      { type: "object", properties: { a: {} }, additionalProperties: false },
      "/b",
      "absent",
    ],
    ["a member of an open object that lists others", { type: "object", properties: { a: {} } }, "/b", "unlisted"],
    ["a member of an object of which nothing is known", { type: "object" }, "/b", "present"],
    ["a member of a text", { type: "string" }, "/length", "absent"],
    ["a named member of a list", { type: "array" }, "/first", "absent"],
    ["an inherited name", { type: "object", properties: {}, additionalProperties: false }, "/toString", "absent"],
    [
      "a member one branch has",
      { anyOf: [{ type: "string" }, { type: "object", properties: { a: {} } }] },
      "/a",
      "present",
    ],
    ["a member no branch has", { anyOf: [{ type: "string" }, { type: "number" }] }, "/a", "absent"],
    ["a reference that leads nowhere", { $ref: "#/$defs/nothing" }, "/a", "present"],
    ["a reference that leads to itself", { $ref: "#" }, "/a", "present"],
    ["a reference to another document", { $ref: "https://example.org/x.json" }, "/a", "present"],
  ])("V7 says of %s what is certain", (_, schema, pointer, status) => {
    expect(viewSchema(schema, pointer).status).toBe(status);
  });

  it("V8 takes a schema that cannot be read as a fault of the arguments, not as an exception", () => {
    for (const schema of [{ type: "strng" }, { $ref: "#/$defs/dangling" }, { properties: 5 }, { pattern: "(" }]) {
      expect(() => diagnose(schema as unknown as JsonObject, { a: { $output: "source" } })).not.toThrow();
    }
  });

  it("V9 says what is missing, and what may not be there, in words for whoever fills in a form", () => {
    const schema: JsonObject = {
      type: "object",
      properties: { text: {} },
      required: ["text"],
      additionalProperties: false,
    };
    expect(checkSchema(schema, { content: 1 }).map(({ pointer, message }) => [pointer, message])).toEqual([
      ["", "“text” is missing."],
      ["/content", "This is not allowed here."],
    ]);
  });
});
