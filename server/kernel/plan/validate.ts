import type { Diagnostic } from "./diagnostic";
import { orderDiagnostics } from "./diagnostic-order";
import type { Plan } from "./plan";
import type { TaskGraph } from "./plan-graph";
import { validateAlternatives } from "./validate-alternatives";
import { validateArguments } from "./validate-arguments";
import { validateBudgets } from "./validate-budgets";
import { validateCapabilities } from "./validate-capabilities";
import { validateCompletion } from "./validate-completion";
import { validateCycles } from "./validate-cycles";
import { validateEdges } from "./validate-edges";
import { validateJoins } from "./validate-joins";
import { validateNames } from "./validate-names";
import { validateReferenceTypes } from "./validate-reference-types";
import { validateReferences } from "./validate-references";
import { validateResources } from "./validate-resources";
import { validateUpstream } from "./validate-upstream";
import { ValidationContext, type ValidationOptions } from "./validation-context";

export interface Validation {
  /** True when no diagnostic is an error: the plan may run. */
  readonly valid: boolean;
  /** Every problem, in document order. */
  readonly diagnostics: readonly Diagnostic[];
  readonly graph: TaskGraph;
  /** A topological order as task indices; undefined where there is a cycle. */
  readonly order: Int32Array | undefined;
}

/** Families of checks; each looks at the whole plan, and none relies on another having passed. */
const FAMILIES: readonly ((context: ValidationContext) => void)[] = [
  validateNames,
  validateCycles,
  validateReferences,
  validateUpstream,
  validateCapabilities,
  validateArguments,
  validateReferenceTypes,
  validateResources,
  validateJoins,
  validateBudgets,
  validateEdges,
  validateCompletion,
];

/** What has to hold of a plan in which a rule has put something in a failed task's place. */
const FAMILIES_OF_ALTERNATIVES = FAMILIES.filter((family) => family !== validateBudgets && family !== validateEdges);

/**
 * Everything that is wrong with a plan, at once, in a stable order. The rules and an example of each code are in
 * docs/plan-format.md. Linear in tasks and edges, but for the checks that say up to which size they look.
 */
export function validatePlan(plan: Plan, options: ValidationOptions = {}): Validation {
  const context = new ValidationContext(plan, options);
  for (const validate of FAMILIES) validate(context);
  validateAlternatives(context, FAMILIES_OF_ALTERNATIVES);
  const diagnostics = orderDiagnostics(context.diagnostics, context.limits.diagnostics);
  return {
    valid: diagnostics.every(({ severity }) => severity !== "error"),
    diagnostics,
    graph: context.graph,
    order: context.order,
  };
}
