import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePlan } from "#kernel/plan/parse";
import type { Plan } from "#kernel/plan/plan";
import { edgesOf, graphOfPlan } from "#kernel/plan/plan-graph";
import { exportDot } from "../../../server/formats/dot-export";
import { exportMermaid } from "../../../server/formats/mermaid-export";
import { exportJson, exportYaml } from "../../../server/formats/native-export";
import type { ImportedPlan } from "../../../server/formats/plan-format";
import { planFixture } from "../../support/plan-fixture";
import { imported } from "./expect-import";

const HOSTILE = [
  '"]; A --> B; C["',
  "</script><img src=x onerror=alert(1)>",
  "`**bold**`",
  "a\\",
  'say "hi"\n\\N',
  "#quot;",
  "end",
  "1. first",
  "%%{init:{}}%%",
  "\u202Eevil",
  "click A call f()",
];

const text = fc
  .oneof(fc.string({ unit: "grapheme", maxLength: 40 }), fc.constantFrom(...HOSTILE))
  .filter((value) => !value.includes("\0") && !/\p{Surrogate}/u.test(value));
const id = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,6}$/),
  fc.constantFrom("end", "n1", "a--b", "a.-b", "default", "constructor"),
);
const json = fc
  .jsonValue({ maxDepth: 2 })
  .filter((value) => !/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(value)) && !Object.is(value, -0));

/** Plans that parse, with hostile titles and names at every place. */
const anyPlan: fc.Arbitrary<Plan> = fc
  .record({
    name: text.filter((value) => value !== ""),
    objective: fc.option(text, { nil: undefined }),
    tasks: fc.uniqueArray(
      fc.record({
        id,
        title: fc.option(text, { nil: undefined }),
        capability: fc.constantFrom("test.echo", "math.evaluate@1"),
        arguments: fc.dictionary(text, json, { maxKeys: 3 }),
        estimate: fc.option(fc.record({ seconds: fc.nat(1_000) }), { nil: undefined }),
        retry: fc.option(fc.record({ maxAttempts: fc.integer({ min: 1, max: 5 }) }), { nil: undefined }),
        approval: fc.option(fc.constant({}), { nil: undefined }),
        onFailure: fc.constantFrom("cancel_dependents", "continue"),
      }),
      { selector: (task) => task.id, minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ tasks, ...rest }) => ({
    format: "planwright/v1",
    ...rest,
    tasks: tasks.map((task, index) => ({
      ...task,
      dependsOn: tasks
        .slice(0, index)
        .filter((_, place) => (place + index) % 2 === 0)
        .map((parent) => parent.id),
    })),
  }))
  .map((raw) => {
    const parsed = parsePlan(JSON.parse(JSON.stringify(raw)));
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
    return parsed.value;
  });

describe("native export", { timeout: 30_000 }, () => {
  it("loses nothing: what was written as JSON or YAML reads back as the same plan", () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        expect(imported(exportJson(plan)).plan).toEqual(plan);
        expect(imported(exportYaml(plan)).plan).toEqual(plan);
      }),
    );
  });

  it("writes keys in one order, whatever order they came in", () => {
    const plan = imported(planFixture("brief.json")).plan;
    const shuffled = imported(
      JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(planFixture("brief.json"))).reverse())),
    ).plan;
    expect(exportJson(shuffled)).toBe(exportJson(plan));
    expect(Object.keys(JSON.parse(exportJson(plan)))).toEqual(["format", "name", "objective", "tasks", "completion"]);
  });
});

/** What a drawing keeps of a plan. */
const shapeOf = ({ plan }: Pick<ImportedPlan, "plan">) => ({
  tasks: plan.tasks.map((task) => task.id).sort(),
  edges: edgesOf(graphOfPlan(plan))
    .map(({ from, to }) => `${from}>${to}`)
    .sort(),
});

describe("drawings read back", { timeout: 60_000 }, () => {
  it.each([
    ["Mermaid", exportMermaid],
    ["DOT", exportDot],
  ])("%s keeps every task and every edge, whatever the ids and titles are", (_, write) => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        expect(shapeOf(imported(write(plan)))).toEqual(shapeOf({ plan }));
      }),
    );
  });

  it.each([
    ["Mermaid", exportMermaid],
    ["DOT", exportDot],
  ])("%s keeps titles and data edges", (_, write) => {
    const plan = imported(planFixture("brief.json")).plan;
    const again = imported(write(plan)).plan;
    expect(shapeOf({ plan: again })).toEqual(shapeOf({ plan }));
    expect(again.tasks.map((task) => task.title)).toEqual(plan.tasks.map((task) => task.title));
  });
});

describe("Mermaid export", { timeout: 30_000 }, () => {
  it("draws tasks, control edges and data edges", () => {
    expect(exportMermaid(imported(planFixture("brief.json")).plan)).toBe(
      [
        "flowchart LR",
        '  summary-a["Summarise A<br/>summary-a"]',
        '  summary-b["Summarise B<br/>summary-b"]',
        '  summary-c["Summarise C<br/>summary-c"]',
        '  synthesis["synthesis"]',
        "  summary-a -.-> synthesis",
        "  summary-b -.-> synthesis",
        "  summary-c -.-> synthesis",
        "",
      ].join("\n"),
    );
  });

  it("lets no title break out of its label", () => {
    const line =
      /^ {2}\S+(?:\["[^"<>`\\\n[\]{}]*(?:<br\/>[^"<>`\\\n[\]{}]*)?"\]|\{\{"[^"<>`\\\n[\]{}]*(?:<br\/>[^"<>`\\\n[\]{}]*)?"\}\})$/;
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const [head, ...lines] = exportMermaid(plan).trimEnd().split("\n");
        expect(head).toBe("flowchart LR");
        const nodes = lines.slice(0, plan.tasks.length);
        for (const node of nodes) expect(node).toMatch(line);
        expect(new Set(nodes.map((node) => node.trim().split(/[[{]/)[0])).size).toBe(plan.tasks.length);
        for (const edge of lines.slice(plan.tasks.length)) expect(edge).toMatch(/^ {2}[\w-]+ (?:-->|-\.->) [\w-]+$/);
      }),
    );
  });
});

describe("DOT export", { timeout: 30_000 }, () => {
  it("quotes every name so that it ends where it should", () => {
    const quoted = String.raw`"(?:[^"\\\n]|\\["\\n])*"`;
    const line = new RegExp(
      String.raw`^  (?:${quoted} \[label=${quoted}(?:, peripheries=2)?\];|${quoted} -> ${quoted}(?: \[style=dashed\])?;|rankdir=LR;|node \[.*\];)$`,
    );
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const lines = exportDot(plan).trimEnd().split("\n");
        expect(lines[0]).toMatch(new RegExp(`^digraph ${quoted} \\{$`));
        expect(lines.at(-1)).toBe("}");
        for (const inner of lines.slice(1, -1)) expect(inner).toMatch(line);
      }),
    );
  });
});
