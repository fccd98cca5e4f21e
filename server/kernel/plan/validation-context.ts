import type { CapabilityRegistry, CapabilitySnapshot } from "../capability/capability";
import type { SchemaChecker } from "../capability/schema-checker";
import { formatPointer } from "../json";
import type { Diagnostic } from "./diagnostic";
import { DEFAULT_PLAN_LIMITS, type PlanLimits } from "./limits";
import { listNames, nearNames } from "./near-names";
import { topologicalOrder } from "./order";
import type { Budgets, Plan, Task } from "./plan";
import { graphOfPlan, type TaskGraph } from "./plan-graph";
import { PathFinder } from "./reachability";

export interface ValidationOptions {
  /** Without it, nothing that depends on capabilities is checked. */
  readonly registry?: CapabilityRegistry;
  /** Without it, arguments are not checked against schemas. */
  readonly checkSchema?: SchemaChecker;
  readonly limits?: PlanLimits;
  /** What whoever would run the plan is granted; absent: authorization is left to the moment of action. */
  readonly granted?: readonly string[];
  /** Budgets the plan must not exceed: those that a person gave, where a planner wrote the plan. */
  readonly budgetCeiling?: Budgets;
}

/** Names compared for hints in one validation: a plan that is wrong throughout is not made better by a thousand. */
const NAMES_COMPARED_MAX = 20_000;

/** A diagnostic before its parts have their defaults; its place is a JSON pointer or the parts of one. */
export type Report = Pick<Diagnostic, "code" | "message"> &
  Partial<Omit<Diagnostic, "code" | "message" | "pointer">> & { readonly place: string | readonly (string | number)[] };

/** What every family of checks works on; each adds its diagnostics in any order. */
export class ValidationContext {
  readonly plan: Plan;
  readonly options: ValidationOptions;
  readonly limits: PlanLimits;
  readonly graph: TaskGraph;
  /** A topological order; undefined where there is a cycle, and then order-dependent checks wait for its repair. */
  readonly order: Int32Array | undefined;
  /** Answers path questions; undefined where there is a cycle. */
  readonly paths: PathFinder | undefined;
  readonly diagnostics: Diagnostic[] = [];
  #comparisonsLeft = NAMES_COMPARED_MAX;
  readonly #capabilities = new Map<string, CapabilitySnapshot | undefined>();

  constructor(plan: Plan, options: ValidationOptions) {
    this.plan = plan;
    this.options = options;
    this.limits = options.limits ?? DEFAULT_PLAN_LIMITS;
    this.graph = graphOfPlan(plan);
    this.order = topologicalOrder(this.graph);
    this.paths = this.order === undefined ? undefined : new PathFinder(this.graph, this.order);
  }

  report({ place, ...rest }: Report): void {
    const pointer = typeof place === "string" ? place : formatPointer(place);
    const taskId = this.#taskAt(pointer);
    this.diagnostics.push({
      severity: "error",
      pointer,
      related: [],
      ...(taskId === undefined ? {} : { taskId }),
      ...rest,
    });
  }

  /** The capability a task names; undefined where it is unknown or there is no registry. */
  capabilityOf(task: Task): CapabilitySnapshot | undefined {
    return this.capability(task.capability);
  }

  capability(reference: string): CapabilitySnapshot | undefined {
    if (!this.#capabilities.has(reference)) {
      this.#capabilities.set(reference, this.options.registry?.find(reference));
    }
    return this.#capabilities.get(reference);
  }

  /** " Did you mean …?", or nothing: none is near, or this plan has had all the hints it gets. */
  hint(name: string, names: readonly string[]): string {
    this.#comparisonsLeft -= names.length;
    const near = this.#comparisonsLeft < 0 ? [] : nearNames(name, names);
    return near.length === 0 ? "" : ` Did you mean ${listNames(near.map((known) => `“${known}”`))}?`;
  }

  /** {@link hint} among the tasks. */
  taskHint = (name: string): string => this.hint(name, this.graph.ids);

  /** The first task of that id. */
  task(id: string): Task | undefined {
    const index = this.graph.indexOf.get(id);
    return index === undefined ? undefined : this.plan.tasks[index];
  }

  #taskAt(pointer: string): string | undefined {
    const index = /^\/tasks\/(\d+)/.exec(pointer)?.[1];
    return index === undefined ? undefined : this.plan.tasks[Number(index)]?.id;
  }
}
