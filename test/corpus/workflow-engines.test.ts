import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { validatePlan } from "#kernel/plan/validate";
import { importPlan } from "../../server/formats/import-plan";
import { SHARED_DATA_MISSING, sharedData } from "../support/shared-data";

const graphSchema = z.object({ edge_list: z.array(z.tuple([z.string(), z.string()])), nodes: z.number() });
type Graph = z.infer<typeof graphSchema>;

/** A file's graphs: one, or one for each template or pipeline that it holds. */
const graphsSchema = z.union([
  graphSchema.transform((graph) => [graph]),
  z
    .record(z.string(), z.union([graphSchema, z.looseObject({ steps: z.number() })]))
    .transform((byName) => Object.values(byName).filter((graph): graph is Graph => "edge_list" in graph)),
]);

const machineSchema = graphSchema.extend({ acyclic: z.boolean(), nested: z.array(z.object({ nodes: z.number() })) });

const levelSchema = z.object({ States: z.record(z.string(), z.unknown()) });
const stateSchema = z.object({
  States: z.record(
    z.string(),
    z.object({
      Branches: z.array(levelSchema).optional(),
      Iterator: levelSchema.optional(),
      ItemProcessor: levelSchema.optional(),
    }),
  ),
});

const truth = z
  .record(z.string(), z.unknown())
  .parse(sharedData === undefined ? {} : JSON.parse(readFileSync(path.join(sharedData, "D/truth.json"), "utf8")));

const cases = ["argo", "cwl", "github_actions", "tekton"].flatMap((folder) =>
  sharedData === undefined
    ? []
    : readdirSync(path.join(sharedData, "D", folder))
        .filter((name) => /\.(ya?ml|cwl)$/.test(name))
        .map((name) => `D/${folder}/${name}`),
);

const definitions = Object.keys(truth).filter((name) => name.startsWith("D/conductor/"));
const machines = Object.keys(truth).filter((name) => name.startsWith("D/asl/"));

describe.skipIf(sharedData === undefined)(`files of workflow engines (skipped: ${SHARED_DATA_MISSING})`, () => {
  it("finds files to check", () => expect(cases.length).toBeGreaterThan(0));

  it.each(cases)("%s has the tasks and edges of its graphs", (name) => {
    const imported = importPlan(readFileSync(path.join(sharedData ?? "", name), "utf8"));
    if (!imported.ok) throw new Error(imported.error[0]?.message);
    const { plan } = imported.value;
    const problems = validatePlan(plan).diagnostics.filter(({ severity }) => severity === "error");
    expect(problems).toEqual([]);
    const within = (prefix: string) => {
      const part = (id: string) => (id.startsWith(prefix) ? id.slice(prefix.length).split(".")[0] : undefined);
      const nodes = new Set(plan.tasks.flatMap(({ id }) => part(id) ?? []));
      const edges = plan.tasks.flatMap(({ id, dependsOn }) =>
        dependsOn.flatMap((parent) => {
          const [from, to] = [part(parent), part(id)];
          return from === undefined || to === undefined || from === to ? [] : [`${from}>${to}`];
        }),
      );
      return { nodes, edges: [...new Set(edges)].sort() };
    };
    // What a template calls stands within the task that calls it, its name before theirs.
    const prefixes = [
      "",
      ...new Set(plan.tasks.flatMap(({ id }) => (id.includes(".") ? [id.replace(/\..*$/, ".")] : []))),
    ];
    const drawn = prefixes.map(within);
    for (const graph of graphsSchema.parse(truth[name])) {
      const edges = graph.edge_list.map(([from, to]) => `${from}>${to}`).sort();
      const finals = name.includes("final-tasks") ? ["clone-app-repo>check-git-commit", "clone-app-repo>cleanup"] : [];
      expect(drawn.map((part) => part.edges)).toContainEqual([...finals, ...edges]);
      expect(drawn.map(({ nodes }) => nodes.size)).toContain(graph.nodes + finals.length);
    }
  });

  it.each(definitions)("%s has a task for each task of its definition", (name) => {
    const imported = importPlan(readFileSync(path.join(sharedData ?? "", name), "utf8"));
    if (!imported.ok) throw new Error(imported.error[0]?.message);
    const { task_types } = z.object({ task_types: z.record(z.string(), z.number()) }).parse(truth[name]);
    expect(imported.value.report.format).toBe("conductor");
    expect(imported.value.plan.tasks).toHaveLength(Object.values(task_types).reduce((sum, tasks) => sum + tasks, 0));
    expect(validatePlan(imported.value.plan).valid).toBe(true);
  });

  it.each(machines)("%s has the states and transitions of its machine and of those within", (name) => {
    const imported = importPlan(readFileSync(path.join(sharedData ?? "", name), "utf8"));
    if (!imported.ok) throw new Error(imported.error[0]?.message);
    const { plan } = imported.value;
    const machine = machineSchema.parse(truth[name]);
    const titles = new Map(plan.tasks.map(({ id, title }): [string, string] => [id, title ?? id]));
    const source = stateSchema.parse(JSON.parse(readFileSync(path.join(sharedData ?? "", name), "utf8")));
    const holders = holdersOf(source);
    // A transition into a state with branches is drawn to the first states of them.
    const outer = (id: string) => holders.get(titles.get(id) ?? "") ?? titles.get(id) ?? "";
    const drawn = plan.tasks.flatMap(({ id, dependsOn }) => dependsOn.map((from) => [outer(from), outer(id)] as const));
    const edges = new Set(drawn.filter(([from, to]) => from !== to).map(([from, to]) => `${from}>${to}`));
    expect([...edges].sort()).toEqual(machine.edge_list.map(([from, to]) => `${from}>${to}`).sort());
    expect(plan.tasks).toHaveLength(machine.nodes + machine.nested.reduce((sum, { nodes }) => sum + nodes, 0));
    const errors = validatePlan(plan).diagnostics.filter(({ severity }) => severity === "error");
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(machine.acyclic ? [] : ["cycle"]));
  });
});

/** The state of the outermost level that each inner state belongs to. */
function holdersOf(machine: z.infer<typeof stateSchema>): Map<string, string> {
  return new Map(
    Object.entries(machine.States).flatMap(([holder, { Branches = [], Iterator, ItemProcessor }]) =>
      [...Branches, Iterator, ItemProcessor].flatMap((level) =>
        Object.keys(level?.States ?? {}).map((name): [string, string] => [name, holder]),
      ),
    ),
  );
}
