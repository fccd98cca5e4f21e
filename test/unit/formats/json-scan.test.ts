import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanJson } from "../../../server/formats/json-scan";
import { createPointerTree, offsetInTree } from "../../../server/formats/pointer-tree";

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("scanJson", { timeout: 30_000 }, () => {
  it("accepts what JSON.parse accepts, however it is spaced", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(undefined, 1, "\t"), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const problem = scanJson(text);
        expect(problem === undefined || /NUL|surrogate/.test(problem.message)).toBe(true);
      }),
    );
  });

  it("refuses whatever JSON.parse refuses", () => {
    fc.assert(
      fc.property(
        fc.jsonValue().map((value) => JSON.stringify(value)),
        fc.nat(),
        fc.constantFrom("", '"', "{", "}", "[", "]", ",", ":", "\\", "1", "e", "-", "\n", "n", "tru", " "),
        (text, place, inserted) => {
          const at = place % (text.length + 1);
          const mutated = text.slice(0, at) + inserted + text.slice(at + 1);
          if (!isJson(mutated)) expect(scanJson(mutated)).toBeDefined();
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("finds the place of every value", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.array(fc.integer())), (value) => {
        const text = JSON.stringify(value, null, 2);
        const pointers = Object.entries(value).flatMap(([key, items]) =>
          items.map((item, index) => ({
            item,
            pointer: `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}/${index}`,
          })),
        );
        const tree = createPointerTree(pointers.map(({ pointer }) => pointer));
        if (scanJson(text, tree) !== undefined) return;
        for (const { item, pointer } of pointers) {
          expect(text.slice(offsetInTree(tree, pointer)).startsWith(String(item))).toBe(true);
        }
      }),
    );
  });

  it.each([
    ['{"a":1,"a":2}', 7, "twice"],
    ['{"a":1,}', 6, "comma"],
    ["[1 2]", 3, 'Expected "," or "]"'],
    ["{'a':1}", 1, "single quote"],
    ["[1] // note", 4, "goes on"],
    ["[1e999]", 1, "too large"],
    ["[01]", 1, "not a number"],
    ["[NaN]", 1, "NaN"],
    ['["\\u0000"]', 2, "NUL"],
    ['["\\ud800"]', 2, "surrogate"],
    ['["a\nb"]', 3, "line"],
    ["", 0, "empty"],
  ])("says what is wrong with %j", (text, offset, words) => {
    const problem = scanJson(text);
    expect(problem).toMatchObject({ offset });
    expect(problem?.message).toContain(words);
  });

  it("stops at a depth bound, without recursion", () => {
    expect(scanJson("[".repeat(1_000_000))).toMatchObject({ code: "limit_exceeded", offset: 64 });
  });

  it("says where the part began that a cut-off text leaves open", () => {
    expect(scanJson('{"a":[1,{"b":')).toMatchObject({ offset: 13, startOffset: 8 });
  });
});
