import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { analyzePlan } from "#kernel/plan/schedule";
import { importPlan } from "../../server/formats/import-plan";
import { SHARED_DATA_MISSING, sharedData } from "../support/shared-data";

const folder = path.join(sharedData ?? "", "A/dagbench");
const graphs =
  sharedData === undefined
    ? []
    : readdirSync(folder).filter((name) => existsSync(path.join(folder, name, "graph.json")));

describe.skipIf(sharedData === undefined)(`DAGBench graphs (skipped: ${SHARED_DATA_MISSING})`, () => {
  it("finds graphs to check", () => expect(graphs.length).toBeGreaterThan(0));

  it.each(graphs)("%s has the tasks and edges that its metadata says", (name) => {
    const metadata = readFileSync(path.join(folder, name, "metadata.yaml"), "utf8");
    const stated = (key: string) => Number(new RegExp(`^ *${key}: (\\d+)$`, "m").exec(metadata)?.[1]);
    const result = importPlan(readFileSync(path.join(folder, name, "graph.json"), "utf8"));
    if (!result.ok) throw new Error(result.error[0]?.message);
    const analysis = analyzePlan(result.value.plan);
    expect(result.value.plan.tasks).toHaveLength(stated("num_tasks"));
    expect(analysis?.graph.edgeCount).toBe(stated("num_edges"));
  });
});
