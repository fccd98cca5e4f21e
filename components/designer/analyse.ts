import { type Schema, Validator } from "@cfworker/json-schema";
import { type CapabilitySnapshot, registryOf } from "#kernel/capability/capability";
import { schemaCheckerFrom } from "#kernel/capability/schema-checker";
import type { JsonObject } from "#kernel/json";
import { findConflicts } from "#kernel/plan/conflicts";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { type Durations, durationsOf } from "#kernel/plan/durations";
import type { Plan } from "#kernel/plan/plan";
import { PathFinder } from "#kernel/plan/reachability";
import { type Analysis, analyzePlan } from "#kernel/plan/schedule";
import { validatePlan } from "#kernel/plan/validate";

/** What the screen says about a plan besides the plan itself. Plain data: it comes out of a worker. */
export interface PlanAnalysis {
  readonly diagnostics: readonly Diagnostic[];
  readonly conflicts: readonly { readonly a: string; readonly b: string; readonly resource: string }[];
  readonly durations: Durations;
  /** The pessimistic end of the same estimates. */
  readonly durationsP95: Durations;
  /** Undefined while the plan has a cycle. */
  readonly analysis: Analysis | undefined;
}

const validators = new WeakMap<JsonObject, Validator>();

/** JSON Schema 2020-12 without `eval`, so that it also runs where a page may not compile code. */
const checkSchema = schemaCheckerFrom((schema, value) => {
  const validator = validators.get(schema) ?? new Validator(schema as unknown as Schema, "2020-12", false);
  validators.set(schema, validator);
  return validator.validate(value);
});

/** What calls of a capability took in earlier runs. */
export interface PastCalls {
  readonly name: string;
  readonly p50Seconds: number;
  readonly p95Seconds: number;
}

/** What a plan may call, and how long that took before. */
export interface Callable {
  readonly capabilities: readonly CapabilitySnapshot[];
  readonly history: readonly PastCalls[];
}

export function analyse(plan: Plan, { capabilities, history }: Callable): PlanAnalysis {
  const capabilityHistory = new Map(history.map((past) => [past.name, past]));
  const registry = registryOf(capabilities);
  const { diagnostics, graph, order } = validatePlan(plan, { registry, checkSchema });
  const durations = durationsOf(plan, { registry, capabilityHistory });
  const found = order === undefined ? [] : findConflicts(plan, new PathFinder(graph, order), registry).conflicts;
  return {
    diagnostics,
    conflicts: found.map(({ first, second, resource }) => ({
      a: graph.ids[first] ?? "",
      b: graph.ids[second] ?? "",
      resource,
    })),
    durations,
    durationsP95: durationsOf(plan, { registry, capabilityHistory, quantile: "p95" }),
    analysis: analyzePlan(plan, durations, graph),
  };
}
