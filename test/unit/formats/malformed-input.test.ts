import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText } from "../../../server/formats/decode-text";
import { importPlan } from "../../../server/formats/import-plan";
import { planFixture } from "../../support/plan-fixture";
import { places, refused } from "./expect-import";

const FIXTURES = [
  "brief.json",
  "diamond.yaml",
  "lookup.llmcompiler.txt",
  "slip.llmcompiler.txt",
  "pipeline.wfformat.json",
  "pipeline.wfformat-1.3.json",
  "five.stg",
  "bridges.rewoo.txt",
  "trip.nestful.json",
  "still.taskbench.json",
  "sheep.hugginggpt.json",
  "answer.n8n.json",
  "draft.flowise.json",
  "lanes.saga.json",
  "release.dot",
  "release.mmd",
  "house.sm",
  "nightly.github.yml",
  "coin.argo.yaml",
  "sum.tekton.yaml",
  "order.asl.json",
  "count.cwl",
  "order.conductor.json",
];

/** What must hold for any bytes whatever: no throw, a plan with tasks, or an error with a place and a reason. */
function expectLawful(bytes: Uint8Array, fileName: string | undefined): void {
  const text = decodeText(bytes);
  const result = text.ok ? importPlan(text.value, { fileName }) : text;
  if (result.ok) {
    expect(result.value.plan.tasks.length).toBeGreaterThan(0);
    return;
  }
  expect(result.error.some((problem) => problem.severity === "error")).toBe(true);
  for (const { message, line, column } of result.error) {
    expect(message).toMatch(/\S.*\.$/s);
    expect(message).not.toMatch(/\n\s+at |undefined|\[object/);
    expect(line).toBeGreaterThanOrEqual(1);
    expect(column).toBeGreaterThanOrEqual(1);
  }
}

/** One change that a disk, an editor or a person may make. */
const mutation = fc.oneof(
  fc.record({ kind: fc.constant("cut" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("flip" as const), at: fc.nat(), byte: fc.nat(255) }),
  fc.record({ kind: fc.constant("delete" as const), at: fc.nat(), length: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant("repeat" as const), at: fc.nat(), length: fc.integer({ min: 1, max: 200 }) }),
  fc.record({
    kind: fc.constant("insert" as const),
    at: fc.nat(),
    text: fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      "'",
      ",",
      ":",
      "\n",
      "\t",
      "- ",
      "&a ",
      "*a",
      "!!x ",
      "|",
      "null",
      "-1",
      "1e999",
      "$9",
      ")",
      "(",
      "\\",
      "__proto__",
      "\u0000",
      "-->",
      "#E1",
      "<node-0>",
      "subgraph x\n",
    ),
  }),
);
type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never;

function mutate(bytes: Uint8Array, change: Mutation): Uint8Array {
  const at = change.at % (bytes.length + 1);
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (change.kind) {
    case "cut":
      return head;
    case "flip":
      return Buffer.concat([head, Uint8Array.of(change.byte), tail.subarray(1)]);
    case "delete":
      return Buffer.concat([head, tail.subarray(change.length)]);
    case "repeat":
      return Buffer.concat([head, tail.subarray(0, change.length), tail]);
    case "insert":
      return Buffer.concat([head, Buffer.from(change.text), tail]);
  }
}

describe("malformed input", { timeout: 120_000 }, () => {
  it.each(FIXTURES)("%s with bytes changed, cut off or repeated is a plan or a located problem", (name) => {
    const original = Buffer.from(planFixture(name));
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), fc.boolean(), (changes, named) => {
        expectLawful(changes.reduce<Uint8Array>(mutate, original), named ? name : undefined);
      }),
      { numRuns: 300 },
    );
  });

  it("any short text is a plan or a located problem", () => {
    const token = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      ":",
      ",",
      "- ",
      "tasks",
      "format",
      "planwright/v1",
      "workflow",
      "id",
      "1",
      " ",
      "\n",
      "  ",
      "#",
      "&x",
      "*x",
      "1. a(",
      ")",
      "$1",
      "|",
      ">",
      "---",
      "? ",
      "%",
    );
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 25 }).map((parts) => parts.join("")),
        (text) => expectLawful(Buffer.from(text), undefined),
      ),
      { numRuns: 1_500 },
    );
  });

  it.each([
    ["nothing", "", ["1:1 syntax"]],
    ["blanks", " \n\t\n", ["1:1 syntax"]],
    ["another kind of object", '{"nodes":1}', ["1:1 schema"]],
    ["a list at the top", '[{"id":"a"}]', ["1:1 schema"]],
    ["a number", "42", ["1:1 schema"]],
    ["prose", "Dear all,\nplease find the plan attached.\n", ["1:1 schema"]],
    ["JSON that is cut off", '{"format":"planwright/v1",\n"tasks":[{"id":"a', ["2:18 syntax"]],
    ["two JSON texts", '{"tasks":[]}\n{"tasks":[]}', ["2:1 syntax"]],
    ["two YAML documents", "tasks: []\n---\ntasks: []\n", ["2:1 syntax"]],
  ])("%s is one located problem", (_, text, expected) => {
    expect(places(refused(text))).toEqual(expected);
  });

  it.each([
    ["JSON lists", "[".repeat(1_000_000)],
    ["JSON objects", '{"a":'.repeat(200_000)],
    ["YAML flow lists", `tasks: ${"[".repeat(20_000)}`],
    ["YAML block lists", `${"- ".repeat(20_000)}a`],
    ["YAML explicit keys", `${"? ".repeat(20_000)}a`],
    [
      "arguments of a plan",
      `{"format":"planwright/v1","name":"x","tasks":[{"id":"a","capability":"b","arguments":{"v":${"[".repeat(80)}${"]".repeat(80)}}}]}`,
    ],
  ])("%s nested without end are refused at a place", (_, text) => {
    const [problem] = refused(text);
    expect(problem?.code).toBe("limit_exceeded");
    expect(problem?.line).toBe(1);
  });

  it("aliases of aliases that would fill the memory are refused", () => {
    const levels = Array.from({ length: 30 }, (_, level) => `a${level + 1}: &a${level + 1} [*a${level}, *a${level}]`);
    expect(refused(["a0: &a0 [x]", ...levels].join("\n"))[0]?.code).toBe("limit_exceeded");
  });

  it.each([
    ["noise", "x".repeat(50_000_000)],
    ["JSON noise", `[${'"x",'.repeat(12_000_000)}`],
    ["an open text", `{"a":"${"x".repeat(50_000_000)}`],
    ["lines", "a: b\n".repeat(10_000_000)],
    ["line ends", `{${"\n".repeat(50_000_000)}`],
    ["a text in DOT", `digraph { a [label="${"x".repeat(50_000_000)}`],
    ["many arrows in DOT", `digraph { ${"a -> ".repeat(300_000)}`],
    ["an open shape in Mermaid", `graph LR\na[${"(".repeat(50_000_000)}`],
    ["open links in Mermaid", `graph LR\n${"a -- ".repeat(10_000_000)}`],
    ["hyphens in Mermaid", `graph LR\na ${"-".repeat(50_000_000)}`],
    ["slanted shapes in Mermaid", `graph LR\n${"a[/x/]\n".repeat(300_000)}b[`],
    ["words on links in Mermaid", `graph LR\na ${"-- x --> a ".repeat(200_000)} --`],
    ["blanks before Mermaid", `${"\n".repeat(50_000_000)}graph LR`],
    ["evidence without end", `#E1${" ".repeat(50_000_000)}`],
  ])("50 MB of %s are one located problem", (_, text) => {
    const problems = refused(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.line).toBeGreaterThanOrEqual(1);
  });

  it.each([
    ["quotes", '"'],
    ["quoted lines", '"\n'],
    ["flow lists", "a: [\n"],
    ["nested mappings", "a: b: c\n"],
    ["anchors", "&a "],
  ])("YAML noise of %s stops at the first problems", (_, unit) => {
    const started = performance.now();
    expect(refused(unit.repeat(60_000 / unit.length)).length).toBeLessThanOrEqual(20);
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});
