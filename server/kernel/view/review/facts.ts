import type { CapabilityRegistry, CapabilitySnapshot } from "../../capability/capability";
import type { SchemaChecker } from "../../capability/schema-checker";
import type { PlanId, RunId } from "../../ids";
import type { Plan } from "../../plan/plan";
import type { RunEvent, RunOutcome } from "../../run/event";

/** A plan under review. A plan in a file has no id. */
export interface ReviewedPlan {
  readonly planId?: PlanId;
  readonly plan: Plan;
}

/** A run under review, as its head says. */
export interface ReviewedRun {
  readonly runId: RunId;
  readonly name: string;
  readonly finished: boolean;
  readonly outcome?: RunOutcome;
  readonly reason?: string;
}

/** An event of a reviewed run. */
export interface ReviewedEvent {
  readonly runId: RunId;
  readonly event: RunEvent;
}

/** The newest runs and those of their events that a review reads: {@link REVIEWED_EVENTS}. */
export interface ReviewedHistory {
  readonly runs: readonly ReviewedRun[];
  /** Of all runs; more than `runs` holds where there are many. */
  readonly runsTotal: number;
  readonly events: readonly ReviewedEvent[];
}

/** What the people of the workspace may have runs do, by the roles that somebody has. */
export interface ReviewedGrants {
  readonly byRole: readonly { readonly role: string; readonly scopes: readonly string[] }[];
  /** Somebody in the workspace holds the scope. */
  readonly holds: (scope: string) => boolean;
}

/** Whether a limit above the plans' own stands for each run, whatever its plan says. By the names of a plan's budgets. */
export interface ReviewedCeilings {
  readonly budgets: ReadonlySet<string>;
}

/** Everything that a review is answered from: what is declared and what was seen, nothing that somebody says of it. */
export interface ReviewFacts {
  readonly plans: readonly ReviewedPlan[];
  /** Of all plans; more than `plans` holds where there are many. */
  readonly plansTotal: number;
  readonly registry: CapabilityRegistry;
  readonly checkSchema?: SchemaChecker;
  /** Absent: a file, which has no history. */
  readonly history?: ReviewedHistory;
  /** Absent: a file, which belongs to no workspace. */
  readonly grants?: ReviewedGrants;
  readonly ceilings?: ReviewedCeilings;
}

/** The types of events that a review reads. */
export const REVIEWED_EVENTS = [
  "run_finished",
  "task_failed",
  "task_observed",
  "task_stopped",
  "task_retry_scheduled",
  "outcome_unknown",
  "repetition_detected",
  "completion_checked",
] as const satisfies readonly RunEvent["type"][];

/** One task of one plan with what it calls; undefined where nothing of that name is registered. */
export interface ReviewedAction {
  readonly plan: ReviewedPlan;
  readonly task: Plan["tasks"][number];
  readonly capability: CapabilitySnapshot | undefined;
}

/** Every task of every plan. */
export const actionsOf = ({ plans, registry }: ReviewFacts): readonly ReviewedAction[] =>
  plans.flatMap((plan) => plan.plan.tasks.map((task) => ({ plan, task, capability: registry.find(task.capability) })));

/** The capabilities that the plans call, each once, in the order of their names. */
export function capabilitiesInUse(facts: ReviewFacts): readonly CapabilitySnapshot[] {
  const used = new Map<string, CapabilitySnapshot>();
  for (const { capability } of actionsOf(facts)) if (capability) used.set(capabilityReference(capability), capability);
  return [...used.keys()].sort().flatMap((key) => used.get(key) ?? []);
}

export const capabilityReference = ({ name, version }: CapabilitySnapshot): string => `${name}@${version}`;

/** Calls of it change something outside. */
export const changes = (capability: CapabilitySnapshot | undefined): boolean =>
  capability?.sideEffect === "write" || capability?.sideEffect === "destructive";

/** The events of one type. */
export const eventsOf = <Type extends (typeof REVIEWED_EVENTS)[number]>(
  facts: ReviewFacts,
  type: Type,
): readonly { readonly runId: RunId; readonly event: Extract<RunEvent, { type: Type }> }[] =>
  (facts.history?.events ?? []).flatMap(({ runId, event }) =>
    event.type === type ? [{ runId, event: event as Extract<RunEvent, { type: Type }> }] : [],
  );
