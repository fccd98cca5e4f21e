import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BUILT_IN_REGISTRY } from "#kernel/capability/built-in/registry";
import { readySet } from "#kernel/plan/ready";
import { analyzePlan } from "#kernel/plan/schedule";
import { validatePlan } from "#kernel/plan/validate";
import { importPlan } from "../../server/formats/import-plan";
import { readText } from "../../server/formats/read-text";
import { SHARED_DATA_MISSING, sharedData } from "../support/shared-data";

const truthSchema = z.record(
  z.string(),
  z.object({
    tasks: z.number(),
    edges: z.number(),
    critical_path_length: z.number(),
    total_work: z.number(),
    width_max_antichain: z.number().nullable(),
    /** Left out where it is long. */
    initial_ready_set: z.array(z.string()).nullable(),
    roots: z.number(),
    sinks: z.number(),
    levels: z.number(),
  }),
);

const truthFile = path.join(sharedData ?? "", "A/truth.json");
const cases =
  sharedData === undefined
    ? []
    : Object.entries(truthSchema.parse(JSON.parse(readFileSync(truthFile, "utf8")))).filter(
        ([name]) => /wfinstances|\/stg\/|\/psplib\//.test(name) && existsSync(path.join(sharedData ?? "", name)),
      );

/** Sums of run times are added in another order than the truth's. */
const close = (value: number, expected: number) => Math.abs(value - expected) <= 1e-9 * Math.max(1, expected);

describe.skipIf(sharedData === undefined)(
  `recorded workflows and published task graphs (skipped: ${SHARED_DATA_MISSING})`,
  () => {
    it("finds files to check", () => expect(cases.length).toBeGreaterThan(0));

    it.each(cases)("%s has the published shape and times", async (name, truth) => {
      const text = await readText(new Uint8Array(readFileSync(path.join(sharedData ?? "", name))));
      if (!text.ok) throw new Error(text.error[0]?.message);
      const imported = importPlan(text.value, { fileName: path.basename(name) });
      if (!imported.ok) throw new Error(imported.error[0]?.message);
      const { plan } = imported.value;
      const analysis = analyzePlan(plan);
      if (analysis === undefined) throw new Error("The graph has a cycle.");

      expect(plan.tasks).toHaveLength(truth.tasks);
      expect(analysis.graph.edgeCount).toBe(truth.edges);
      expect(close(analysis.lowerBound, truth.critical_path_length)).toBe(true);
      expect(close(analysis.work, truth.total_work)).toBe(true);
      if (truth.width_max_antichain !== null) expect(analysis.width).toBe(truth.width_max_antichain);
      const ready = [...readySet(analysis.graph, new Set())].sort();
      if (truth.initial_ready_set !== null) expect(ready).toEqual([...truth.initial_ready_set].sort());
      expect(analysis.roots).toHaveLength(truth.roots);
      expect(analysis.sinks).toHaveLength(truth.sinks);
      expect(analysis.levels).toHaveLength(truth.levels);
      expect(validatePlan(plan, { registry: BUILT_IN_REGISTRY }).valid).toBe(true);
    });
  },
);
