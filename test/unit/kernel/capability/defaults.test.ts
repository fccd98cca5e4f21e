import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withDefaults } from "#kernel/capability/defaults";
import type { JsonObject, JsonValue } from "#kernel/json";
import { argumentsHash } from "#kernel/run/signature";

const schema = {
  type: "object",
  $defs: { page: { type: "object", properties: { size: { type: "integer", default: 20 } } } },
  properties: {
    method: { type: "string", default: "POST" },
    page: { $ref: "#/$defs/page" },
    rows: { type: "array", items: { properties: { kind: { default: "plain" } } } },
    nested: { properties: { deep: { properties: { on: { default: false } } } } },
    none: { default: null },
  },
} as unknown as JsonObject;

describe("defaults of a schema", () => {
  it("fills in what is absent, at any depth that is there, and says where", () => {
    const value: JsonValue = JSON.parse('{"page":{},"rows":[{},{"kind":"odd"}],"nested":{}}');
    expect(withDefaults(schema, value)).toEqual({
      value: { method: "POST", page: { size: 20 }, rows: [{ kind: "plain" }, { kind: "odd" }], nested: {}, none: null },
      filled: ["/method", "/page/size", "/rows/0/kind", "/none"],
    });
    expect(value).toEqual({ page: {}, rows: [{}, { kind: "odd" }], nested: {} });
  });

  it("keeps what is given, a false or null one included", () => {
    const given = { method: null, page: { size: 0 }, none: false };
    expect(withDefaults(schema, given)).toEqual({ value: given, filled: [] });
  });

  it("is done once: a second time changes nothing, so a hash stays what was signed", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        const once = withDefaults(schema, given as JsonValue).value;
        const twice = withDefaults(schema, once);
        expect(twice.filled).toEqual([]);
        expect(argumentsHash(twice.value)).toBe(argumentsHash(once));
      }),
    );
  });

  it("reaches no prototype, whatever a property is called", () => {
    const odd = JSON.parse('{"properties":{"__proto__":{"default":{"polluted":1}},"constructor":{"default":2}}}');
    const { value } = withDefaults(odd, JSON.parse('{"__proto__x":1}'));
    expect(JSON.stringify(value)).toContain('"__proto__":{"polluted":1}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("comes to an end with a schema that refers to itself", () => {
    const endless = { properties: { child: { $ref: "#" }, name: { default: "x" } } } as unknown as JsonObject;
    let value: JsonValue = {};
    for (let depth = 0; depth < 100; depth++) value = { child: value };
    expect(withDefaults(endless, value).filled.length).toBeGreaterThan(1);
  });
});
