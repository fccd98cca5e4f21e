import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { edgesOf, graphOfPlan } from "#kernel/plan/plan-graph";
import { readySet } from "#kernel/plan/ready";
import { analyzePlan } from "#kernel/plan/schedule";
import { importPlan } from "../../server/formats/import-plan";
import { SHARED_DATA_MISSING, sharedData } from "../support/shared-data";

const planSchema = z.object({
  text: z.string(),
  steps: z.array(z.object({ id: z.number(), tool: z.string(), refs: z.array(z.number()) })),
  expected: z.object({
    steps: z.number(),
    edges_from_refs: z.number(),
    first_ready: z.array(z.number()),
    levels: z.number(),
    malformed_lines: z.array(z.number()),
  }),
});

const folder = path.join(sharedData ?? "", "B/llmcompiler/plans");
const cases =
  sharedData === undefined
    ? []
    : readdirSync(folder).flatMap((name) =>
        z
          .array(planSchema)
          .parse(JSON.parse(readFileSync(path.join(folder, name), "utf8")))
          .map((plan, index): [string, z.infer<typeof planSchema>] => [`${name} plan ${index + 1}`, plan]),
      );

describe.skipIf(sharedData === undefined)(`published LLMCompiler plans (skipped: ${SHARED_DATA_MISSING})`, () => {
  it("finds plans to check", () => expect(cases.length).toBeGreaterThan(0));

  it.each(cases)("%s draws with the right edges", (_, { text, steps, expected }) => {
    const imported = importPlan(text);
    if (!imported.ok) throw new Error(imported.error[0]?.message);
    const { plan, diagnostics } = imported.value;
    const graph = graphOfPlan(plan);
    const joins = new Set(steps.filter((step) => step.tool === "join").map((step) => String(step.id)));

    expect(plan.tasks.map((task) => task.id)).toEqual(steps.map((step) => String(step.id)));
    const drawn = edgesOf(graph).filter((edge) => !joins.has(edge.to));
    expect(drawn.map(({ from, to }) => `${from}>${to}`).sort()).toEqual(
      steps.flatMap((step) => step.refs.map((reference) => `${reference}>${step.id}`)).sort(),
    );
    expect(drawn).toHaveLength(expected.edges_from_refs);
    expect(readySet(graph, new Set()).map(Number)).toEqual(expected.first_ready);
    expect(analyzePlan(plan)?.levels).toHaveLength(expected.levels);

    const lineOfStep = (id: number) => text.split("\n").findIndex((line) => line.startsWith(`${id}. `)) + 1;
    const reported = diagnostics.filter(({ code }) => code === "syntax").map(({ line }) => line);
    expect(reported).toEqual(expected.malformed_lines.map(lineOfStep));
  });

  it.each(cases)("%s: join waits for every other step", (_, { text, steps }) => {
    const imported = importPlan(text);
    if (!imported.ok) throw new Error(imported.error[0]?.message);
    const graph = graphOfPlan(imported.value.plan);
    const join = steps.find((step) => step.tool === "join");
    const others = steps.filter((step) => step !== join).map((step) => String(step.id));
    const waitedFor = new Set<string>();
    const open = [String(join?.id)];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      for (const edge of edgesOf(graph)) {
        if (edge.to !== id || waitedFor.has(edge.from)) continue;
        waitedFor.add(edge.from);
        open.push(edge.from);
      }
    }
    expect([...waitedFor].sort()).toEqual([...others].sort());
    expect(readySet(graph, new Set(others))).toEqual([String(join?.id)]);
  });
});
