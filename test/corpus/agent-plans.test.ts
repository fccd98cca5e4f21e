import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { edgesOf, graphOfPlan } from "#kernel/plan/plan-graph";
import { readySet } from "#kernel/plan/ready";
import { analyzePlan } from "#kernel/plan/schedule";
import { validatePlan } from "#kernel/plan/validate";
import { importPlan } from "../../server/formats/import-plan";
import type { ImportedPlan } from "../../server/formats/plan-format";
import { SHARED_DATA_MISSING, sharedData } from "../support/shared-data";

const read = (name: string): string =>
  sharedData === undefined ? "[]" : readFileSync(path.join(sharedData, name), "utf8");
const skipped = `skipped: ${SHARED_DATA_MISSING}`;

function imported(text: string): ImportedPlan {
  const result = importPlan(text);
  if (!result.ok) throw new Error(result.error[0]?.message);
  return result.value;
}

/** Edges under the ids of the source, sorted. */
function edges({ plan, report }: ImportedPlan): string[] {
  const original = new Map(report.renamed.map(({ from, to }) => [to, from]));
  return edgesOf(graphOfPlan(plan))
    .map(({ from, to }) => `${original.get(from) ?? from}>${original.get(to) ?? to}`)
    .sort();
}

const errors = ({ plan, locate }: ImportedPlan): Diagnostic[] => {
  const found = validatePlan(plan).diagnostics.filter(({ severity }) => severity === "error");
  const located = locate(found.map(({ pointer }) => pointer));
  for (const { pointer } of found) expect(located.get(pointer)?.line).toBeGreaterThan(0);
  return found;
};

const rewooSchema = z.array(
  z.object({
    text: z.string(),
    steps: z.array(z.object({ id: z.string(), refs: z.array(z.string()) })),
    expected: z.object({ steps: z.number(), edges: z.number(), first_ready: z.array(z.string()), levels: z.number() }),
  }),
);

describe.skipIf(sharedData === undefined)(`published ReWOO plans (${skipped})`, () => {
  it.each([...rewooSchema.parse(JSON.parse(read("B/rewoo/plans.json"))).entries()])(
    "plan %i has the right edges",
    (_, plan) => {
      const result = imported(plan.text);
      expect(edges(result)).toEqual(plan.steps.flatMap(({ id, refs }) => refs.map((ref) => `${ref}>${id}`)).sort());
      expect(edges(result)).toHaveLength(plan.expected.edges);
      expect(result.plan.tasks).toHaveLength(plan.expected.steps);
      expect(readySet(graphOfPlan(result.plan), new Set())).toEqual(plan.expected.first_ready);
      expect(analyzePlan(result.plan)?.levels).toHaveLength(plan.expected.levels);
      expect(errors(result)).toEqual([]);
    },
  );
});

const nestfulTruth = z.array(
  z.object({
    steps: z.number(),
    edge_list: z.array(z.tuple([z.string(), z.string()])),
    levels: z.number().nullable(),
    first_ready: z.array(z.string()),
    refs_to_missing_label: z.array(z.unknown()),
    duplicate_labels: z.array(z.string()),
  }),
);
const nestful = ["executable", "non-executable-sgd"].flatMap((set) => {
  const truth = nestfulTruth.parse(JSON.parse(read(`B/nestful/${set}-truth.json`)));
  const data: unknown[] = JSON.parse(read(`B/nestful/${set}-data.json`));
  return truth.map((expected, index) => ({ name: `${set} ${index}`, text: JSON.stringify(data[index]), expected }));
});
/** The truth marks the call without a label with its place. */
const bare = (label: string): string => label.replace(/@\d+$/, "");

describe.skipIf(sharedData === undefined)(`NESTFUL sequences (${skipped})`, () => {
  it.each(nestful)("$name is the truth's graph or refused where a label stands twice", ({ text, expected }) => {
    const result = importPlan(text);
    expect(result.ok).toBe(expected.duplicate_labels.length === 0);
    if (!result.ok) {
      expect(result.error).toMatchObject([{ code: "duplicate_task_id", line: 1 }]);
      return;
    }
    expect(result.value.plan.tasks).toHaveLength(expected.steps);
    expect(edges(result.value)).toEqual(expected.edge_list.map(([from, to]) => `${bare(from)}>${bare(to)}`).sort());
    expect(errors(result.value)).toHaveLength(expected.refs_to_missing_label.length);
    if (expected.refs_to_missing_label.length > 0) return;
    expect([...readySet(graphOfPlan(result.value.plan), new Set())].sort()).toEqual(
      expected.first_ready.map(bare).sort(),
    );
    if (expected.levels !== null) expect(analyzePlan(result.value.plan)?.levels).toHaveLength(expected.levels);
  });
});

const rowSchema = z.object({
  id: z.union([z.string(), z.number()]),
  task_nodes: z.array(z.object({ task: z.string() })),
  task_links: z.array(z.object({ source: z.string(), target: z.string() })),
});
const rows = ["B/taskbench/gold_samples.jsonl", "B/gnn4taskplan/data.json"].flatMap((file) =>
  sharedData === undefined
    ? []
    : read(file)
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((text) => ({ text, row: rowSchema.parse(JSON.parse(text)) }))
        .map(({ text, row }) => ({ name: `${file} ${row.id}`, text, row })),
);
/** Rows whose second node is made to use itself, as the index of the data says. */
const SELF = new Set(["29430318", "31416321"]);

describe.skipIf(sharedData === undefined)(`TaskBench plans (${skipped})`, () => {
  it.each(rows)("$name has every link, and an error where a node uses itself", ({ text, row }) => {
    const result = imported(text);
    const at = (tool: string, from = 0) =>
      row.task_nodes.findIndex(({ task }, index) => index >= from && task === tool);
    const links = row.task_links.map(({ source, target }) => `node-${at(source)}>node-${at(target, at(source) + 1)}`);
    const isSelf = SELF.has(String(row.id));
    expect(result.plan.tasks).toHaveLength(row.task_nodes.length);
    if (isSelf) expect(edges(result)).toEqual(expect.arrayContaining(links));
    else expect(edges(result)).toEqual([...links].sort());
    expect(errors(result).map(({ code }) => code)).toEqual(isSelf ? ["self_dependency"] : []);
  });
});

const messages = z.array(z.object({ role: z.string(), content: z.string() }));
const answers = messages
  .parse(JSON.parse(read("B/hugginggpt/demo_parse_task.json")))
  .filter(({ role }) => role === "assistant");

const parsed = (text: string): { id: number; dep: number[] }[] | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

describe.skipIf(sharedData === undefined)(`HuggingGPT plans (${skipped})`, () => {
  it.each([...answers.entries()])(
    "answer %i has the edges of dep, or is refused where its JSON breaks",
    (_, { content }) => {
      const tasks = parsed(content);
      const result = importPlan(content);
      expect(result.ok).toBe(tasks !== undefined);
      if (!result.ok) expect(result.error).toMatchObject([{ code: "syntax", line: 1 }]);
      else {
        const expected = tasks?.flatMap(({ id, dep }) =>
          dep.filter((from) => from >= 0).map((from) => `${from}>${id}`),
        );
        expect(edges(result.value)).toEqual(expected?.sort());
        expect(result.value.diagnostics).toEqual([]);
        expect(errors(result.value)).toEqual([]);
      }
    },
  );
});

const truthSchema = z.record(
  z.string(),
  z.object({
    nodes: z.number().optional(),
    edge_list: z.array(z.tuple([z.string(), z.string()])).optional(),
    levels: z.number().optional(),
    targets_not_a_node_name: z.number().optional(),
  }),
);
const drawn = Object.entries(
  truthSchema.parse(JSON.parse(sharedData === undefined ? "{}" : read("D/truth.json"))),
).filter(([name]) => /^D\/(n8n|n8n_broken|flowise|dot)\//.test(name));

describe.skipIf(sharedData === undefined)(`workflows of agent builders, and drawings (${skipped})`, () => {
  it("finds files to check", () => expect(sharedData === undefined || drawn.length > 0).toBe(true));

  it.each(drawn)("%s is the truth's graph, or refused with every connection that leads nowhere", (name, truth) => {
    const result = importPlan(read(name));
    if (truth.edge_list === undefined) {
      expect(result.ok).toBe(false);
      const dangling = result.ok ? [] : result.error.filter(({ message }) => message.includes("leads to"));
      expect(dangling).toHaveLength(truth.targets_not_a_node_name ?? 0);
      return;
    }
    if (!result.ok) throw new Error(result.error[0]?.message);
    expect(result.value.plan.tasks).toHaveLength(truth.nodes ?? 0);
    expect(edges(result.value)).toEqual(truth.edge_list.map(([from, to]) => `${from}>${to}`).sort());
    expect(analyzePlan(result.value.plan)?.levels).toHaveLength(truth.levels ?? 0);
    expect(errors(result.value)).toEqual([]);
    const loops = result.value.plan.tasks.filter(({ capability }) => capability === "loopAgentflow").length;
    expect(result.value.diagnostics.filter(({ code }) => code === "cycle")).toHaveLength(loops);
  });

  it("reads the durations of a task graph that is drawn", () => {
    const { plan } = imported(read("D/dot/j3011_2.dot"));
    const total = plan.tasks.reduce((sum, task) => sum + (task.estimate?.seconds ?? 0), 0);
    // The processing times in j3011_2.sm.
    const rows =
      read("D/dot/j3011_2.sm")
        .split(/REQUESTS\/DURATIONS:/)[1]
        ?.split("\n")
        .slice(3, 35) ?? [];
    expect(total).toBe(rows.reduce((sum, row) => sum + Number(row.trim().split(/\s+/)[2]), 0));
  });
});

const flowcharts = z.array(z.string()).parse(JSON.parse(read("D/mermaid/flowchart_syntax_blocks.json")));
const NODE_NAME = /^[A-Za-z][A-Za-z0-9]*$/;

describe.skipIf(sharedData === undefined)(`Mermaid's own flowchart samples (${skipped})`, () => {
  it.each([...flowcharts.entries()])("sample %i is read, without losing a node", (_, text) => {
    const result = imported(text);
    const ids = new Set(result.plan.tasks.map(({ id }) => id));
    // Words that stand alone on either side of an arrow, or before a shape, are nodes or subgraphs.
    const named = [...text.matchAll(/(?:^|-->|;)[ \t]*([A-Za-z][A-Za-z0-9]*)(?=[ \t]*(?:-->|\[|\(|\{|$))/gm)]
      .map((match) => match[1] ?? "")
      .filter((name) => NODE_NAME.test(name) && !/^(?:end|flowchart|subgraph|Line2?|direction)$/.test(name))
      .filter((name) => !new RegExp(`subgraph ${name}\\b`).test(text));
    for (const name of named) expect(ids).toContain(name);
    for (const diagnostic of result.diagnostics) expect(diagnostic.line).toBeGreaterThan(0);
  });

  it("draws the loop of the sample that has one and marks it", () => {
    const loop = flowcharts.findIndex((text) => text.includes("D --> B"));
    expect(errors(imported(flowcharts[loop] ?? "")).map(({ code }) => code)).toEqual(["cycle"]);
  });
});
