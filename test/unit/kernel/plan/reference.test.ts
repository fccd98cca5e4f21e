import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "#kernel/json";
import { forEachReferencedTask, holdsReference, referenceProblemsIn, referencesIn } from "#kernel/plan/find-references";
import { type OutputLookup, resolveArguments, resolveValue } from "#kernel/plan/reference";
import { escapeText, parseReference } from "#kernel/plan/reference-grammar";
import { renameReferences } from "#kernel/plan/rename-references";

const outputs = new Map<string, JsonValue>([
  ["a", { v: 1, text: "one", list: [10, { x: null }], "b/c": "slash", "m~n": "tilde", deep: { deeper: true } }],
  ["b", "plain"],
  ["sly", { text: "${a#/v} $${a} {{a}}", object: { $output: "a" }, literal: { $literal: { $output: "a" } } }],
  ["proto", JSON.parse('{"__proto__":{"x":1},"constructor":"c"}') as JsonValue],
]);
const lookup = (taskId: string): OutputLookup => {
  const output = outputs.get(taskId);
  return output === undefined ? { found: false, reason: `“${taskId}” was skipped.` } : { found: true, output };
};
const resolve = (value: JsonValue): JsonValue | string[] => {
  const result = resolveValue(value, lookup);
  return result.ok ? result.value.value : result.error.map(({ pointer, reference }) => `${pointer} ${reference}`);
};

describe("resolving", () => {
  it.each<[string, JsonValue, JsonValue]>([
    ["a whole output", { $output: "b" }, "plain"],
    ["a part, its type kept", { $output: "a#/v" }, 1],
    ["a boolean", { $output: "a#/deep/deeper" }, true],
    ["null", { $output: "a#/list/1/x" }, null],
    ["an element of a list", { $output: "a#/list/0" }, 10],
    ["a pointer with / and ~ in a name", [{ $output: "a#/b~1c" }, { $output: "a#/m~0n" }], ["slash", "tilde"]],
    ["a reference nested in lists and objects", { x: [{ y: [{ $output: "a#/v" }] }] }, { x: [{ y: [1] }] }],
    ["a reference in a string", "v is ${a#/v}!", "v is 1!"],
    ["two in one string", "${a#/v}+${b}", "1+plain"],
    ["the same one twice", "${b}${b}", "plainplain"],
    ["an object in a string, as JSON", "${a#/deep}", '{"deeper":true}'],
    ["null in a string", "${a#/list/1/x}", "null"],
    ["a reference in a key", { "k-${a#/text}": 1 }, { "k-one": 1 }],
    ["an escaped reference", "$${a#/v}", "${a#/v}"],
    ["an escape after a dollar", "$$${a}", "$${a}"],
    ["dollars that are no references", "$5 $ {a} $a {a} a$", "$5 $ {a} $a {a} a$"],
    ["a literal, untouched", { $literal: { $output: "a", t: "${a}" } }, { $output: "a", t: "${a}" }],
    ["a default where there is no output", { $output: "gone#/v", default: null }, null],
    ["a default where the output has no such part", { $output: "a#/nope", default: [1] }, [1]],
    ["a default that refers on", { $output: "gone", default: { $output: "gone", default: "${b}" } }, "plain"],
    ["no default where there is an output", { $output: "a#/v", default: 9 }, 1],
    ["members named like parts of a prototype", { $output: "proto#/__proto__/x" }, 1],
    ["members of a list only by place", { $output: "a#/list/length", default: "none" }, "none"],
    ["nothing inherited", { $output: "a#/toString", default: "none" }, "none"],
    ["nothing at all", { a: [], b: {}, c: "" }, { a: [], b: {}, c: "" }],
  ])("REF1 gives %s", (_, value, expected) => {
    expect(resolve(value)).toEqual(expected);
  });

  it.each<[string, JsonValue, string[]]>([
    ["a skipped task", { x: { $output: "gone" } }, ["/x gone"]],
    ["a part that is not there", { x: { $output: "a#/no/where" } }, ["/x a#/no/where"]],
    ["a skipped task in a string", { x: ["${gone#/v}"] }, ["/x/0 gone#/v"]],
    ["a string that never ends", "${a", [" ${a"]],
    ["a string that is no reference", "${a b}", [" ${a b}"]],
    ["a pointer without its slash", "${a#v}", [" ${a#v}"]],
    ["more beside $output", { $output: "a", else: 1 }, [" $output"]],
    ["an $output that is no text", { $output: 1 }, [" $output"]],
    ["every one of several", { x: { $output: "gone" }, y: "${lost} ${gone}" }, ["/x gone", "/y lost", "/y gone"]],
    ["two keys that become one", { "${a#/text}": 1, one: 2 }, ["/one one"]],
  ])("REF2 fails on %s before anything is sent", (_, value, expected) => {
    const found = resolve(value);
    expect(found).toEqual(expected);
  });

  it("REF3 never reads what a tool said as a reference, whatever it looks like", () => {
    expect(resolve({ $output: "sly#/text" })).toBe("${a#/v} $${a} {{a}}");
    expect(resolve("<${sly#/text}>")).toBe("<${a#/v} $${a} {{a}}>");
    expect(resolve({ $output: "sly#/object" })).toEqual({ $output: "a" });
    expect(resolve([{ $output: "sly#/literal" }])).toEqual([{ $literal: { $output: "a" } }]);
    expect(resolve({ "${sly#/text}": 1 })).toEqual({ "${a#/v} $${a} {{a}}": 1 });
  });

  it("REF4 lists where each value came from", () => {
    const result = resolveArguments(
      {
        document: "a.md",
        parts: [{ $output: "a#/text" }, "x"],
        heading: "Of ${a#/v} and ${b}",
        only: "${b}",
        n: { $output: "gone", default: 3 },
      },
      lookup,
    );
    expect(result.ok && result.value.origins).toEqual([
      { pointer: "/document", from: ["plan"] },
      { pointer: "/parts/0", from: ["a#/text"] },
      { pointer: "/parts/1", from: ["plan"] },
      { pointer: "/heading", from: ["plan", "a#/v", "b"] },
      { pointer: "/only", from: ["b"] },
      { pointer: "/n", from: ["default", "plan"] },
    ]);
  });

  it("REF5 gives arguments as an object or not at all", () => {
    expect(resolveArguments({ $output: "a#/deep" }, lookup)).toMatchObject({
      ok: true,
      value: { value: { deeper: true } },
    });
    expect(resolveArguments({ $output: "b" }, lookup).ok).toBe(false);
  });

  it("REF6 pollutes nothing with names from a plan or a tool", () => {
    const value = JSON.parse('{"__proto__":{"p":{"$output":"b"}},"constructor":{"$output":"proto"}}') as JsonObject;
    expect(JSON.stringify(resolve(value))).toBe(
      '{"__proto__":{"p":"plain"},"constructor":{"__proto__":{"x":1},"constructor":"c"}}',
    );
    expect(({} as { p?: unknown; x?: unknown }).p).toBeUndefined();
    expect(({} as { p?: unknown; x?: unknown }).x).toBeUndefined();
  });

  it("REF7 leaves a value without references as it is, and escaping undoes itself", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        if (!holdsReference(value as JsonValue)) expect(resolve(value as JsonValue)).toEqual(value);
        expect(resolve({ $literal: value as JsonValue })).toEqual(value);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("$", "{", "}", "a", "#", "/") }), (text) => {
        expect(resolve(escapeText(text))).toBe(text);
      }),
    );
  });
});

describe("finding", () => {
  const value: JsonValue = {
    x: [{ $output: "a#/v", default: "${b}" }],
    y: "${c#/d/e} and $${no}",
    "k${d}": { $literal: "${no}" },
    z: "${broken",
  };

  it("REF8 lists references with their places, and what only looks like one", () => {
    expect(referencesIn(value, ["tasks", 0])).toEqual([
      { taskId: "a", pointer: "/v", form: "output", at: "/tasks/0/x/0", hasDefault: true },
      { taskId: "b", pointer: "", form: "text", at: "/tasks/0/x/0/default", hasDefault: false },
      { taskId: "c", pointer: "/d/e", form: "text", at: "/tasks/0/y", hasDefault: false },
      { taskId: "d", pointer: "", form: "key", at: "/tasks/0/k${d}", hasDefault: false },
    ]);
    expect(referenceProblemsIn(value).map(({ at }) => at)).toEqual(["/z"]);
  });

  const pieces = fc.constantFrom("${a}", "${b#/x}", "$${a}", "${", "}", "$", "text", "${a b}");
  const text = fc.array(pieces, { maxLength: 4 }).map((parts) => parts.join(""));
  const values = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.record({ $output: text }),
      fc.record({ $output: fc.constantFrom("a", "b#/x"), default: tie("value") }),
      fc.record({ $literal: tie("value") }),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(text, tie("value"), { maxKeys: 3 }),
    ),
  })).value;

  it("REF9 finds the same tasks with and without places, and none where it says there is none", () => {
    fc.assert(
      fc.property(values, (any) => {
        const found: string[] = [];
        forEachReferencedTask(any, (taskId) => found.push(taskId));
        expect(found).toEqual(referencesIn(any).map(({ taskId }) => taskId));
        if (!holdsReference(any)) expect([found, referenceProblemsIn(any)]).toEqual([[], []]);
      }),
      { numRuns: 500 },
    );
  });

  it("REF10 asks at run time for exactly what was found in the plan", () => {
    fc.assert(
      fc.property(values, (any) => {
        const asked = new Set<string>();
        resolveValue(any, (taskId) => {
          asked.add(taskId);
          return { found: false, reason: "asked" };
        });
        expect(asked).toEqual(new Set(referencesIn(any).map(({ taskId }) => taskId)));
      }),
      { numRuns: 500 },
    );
  });

  it("REF11 renames exactly the references to one task, and back to the very same value", () => {
    fc.assert(
      fc.property(values, (any) => {
        const renamed = renameReferences(any, (name) => (name === "a" ? "new" : name));
        expect(referencesIn(renamed).map(({ taskId }) => taskId)).toEqual(
          referencesIn(any).map(({ taskId }) => (taskId === "a" ? "new" : taskId)),
        );
        const back = renameReferences(renamed, (name) => (name === "new" ? "a" : name));
        expect(JSON.stringify(back)).toBe(JSON.stringify(any));
        if (referencesIn(any).every(({ taskId }) => taskId !== "a")) expect(renamed).toBe(any);
      }),
      { numRuns: 500 },
    );
  });

  it.each(["", "#", "#/a", "a b", "a#b", "a#/~2", "-a", "a#/b#"])(
    "REF12 reads “%s” as a reference only if it is one",
    (text) => {
      expect(parseReference(text)).toEqual(text === "a#/b#" ? { taskId: "a", pointer: "/b#" } : undefined);
    },
  );
});
