import type { CapabilityRegistry, CapabilitySnapshot } from "../capability/capability";
import { canonicalJson, type JsonValue } from "../json";
import { sameTask } from "../plan/diff";
import type { Approval, Budgets, Plan, Task } from "../plan/plan";
import { plannedResourcesOf } from "../plan/resources";
import { plannedScopesOf } from "../plan/scopes";
import type { Widening } from "./event";
import type { RunState } from "./state";
import { unfinishedPlan } from "./unfinished";

/** What has been approved so far: everything that the plans in force have named. */
interface Envelope {
  readonly reads: Set<string>;
  readonly writes: Set<string>;
  readonly scopes: Set<string>;
}

/**
 * The parts of a revision that add or widen a side effect, a resource, a scope or a cost beyond what the plans in
 * force have named, or that ask fewer people: these need an approval of their own. Empty: nothing does.
 *
 * A step with a gate of its own is left to that gate, which shows the very arguments that run. A cost within an
 * unchanged cost budget was approved with the budget.
 */
export function wideningsOf(state: RunState, plan: Plan, registry: CapabilityRegistry): Widening[] {
  const before = unfinishedPlan(state) ?? { ...plan, tasks: [] };
  const envelope = envelopeOf(state, registry);
  const earlier = new Map<string, Task>(before.tasks.map((task) => [task.id, task]));
  const widened: Widening[] = [];
  const reasons = planReasons(before, plan);
  if (reasons.length > 0) widened.push({ reasons });
  for (const task of plan.tasks) {
    const old = earlier.get(task.id);
    if (old !== undefined && sameTask(old, task)) continue;
    const found = taskReasons(old, task, { envelope, registry, costIsBounded: plan.budgets?.costUsd !== undefined });
    if (found.length > 0) widened.push({ taskId: task.id, reasons: found });
  }
  return widened;
}

interface Judging {
  readonly envelope: Envelope;
  readonly registry: CapabilityRegistry;
  readonly costIsBounded: boolean;
}

function taskReasons(old: Task | undefined, task: Task, judging: Judging): string[] {
  const reasons = old === undefined ? [] : fewerSignatures(old.approval, task.approval);
  for (const [form, label] of formsOf(task)) {
    const capability = judging.registry.find(form.capability);
    if (form.approval !== undefined || capability?.approval === "always") continue;
    const was = label === "" ? old : undefined;
    if (label !== "" && old !== undefined && sameRules(old, task)) continue;
    reasons.push(...effectReasons(was, form, capability, judging).map((reason) => label + reason));
  }
  return [...new Set(reasons)];
}

/** A task, and what its rules may put in its place. */
function* formsOf(task: Task): Generator<[Task, string]> {
  yield [task, ""];
  for (const alternative of task.alternatives ?? []) {
    const { capability, arguments: others } = alternative;
    yield [{ ...task, capability, arguments: others ?? task.arguments }, "As an alternative: "];
  }
  for (const each of task.fallback ?? []) yield [each, "As a fallback: "];
}

const rulesOf = ({ alternatives, fallback }: Task): string =>
  canonicalJson({ alternatives, fallback } as unknown as JsonValue);
const sameRules = (old: Task, task: Task): boolean => rulesOf(old) === rulesOf(task);

function effectReasons(
  old: Task | undefined,
  task: Task,
  capability: CapabilitySnapshot | undefined,
  { envelope, registry, costIsBounded }: Judging,
): string[] {
  if (capability === undefined) return [`It calls “${task.capability}”, of which nothing is known.`];
  const reasons: string[] = [];
  const was = old === undefined ? undefined : registry.find(old.capability);
  const changes = capability.sideEffect === "write" || capability.sideEffect === "destructive";
  if (changes && (was === undefined || LEVEL[was.sideEffect] < LEVEL[capability.sideEffect])) {
    reasons.push(
      `It adds a ${capability.sideEffect === "write" ? "write" : "destructive effect"}: ${capability.title}.`,
    );
  } else if (changes && old !== undefined && actionOf(old) !== actionOf(task)) {
    reasons.push(`It changes what ${capability.title} is called with.`);
  }
  const touched = plannedResourcesOf(task, capability);
  const written = touched.writes.filter((resource) => !envelope.writes.has(resource));
  const read = touched.reads.filter((resource) => !envelope.reads.has(resource) && !envelope.writes.has(resource));
  if (written.length > 0) reasons.push(`It writes ${listed(written)}, which nothing approved so far writes.`);
  if (read.length > 0) reasons.push(`It reads ${listed(read)}, which nothing approved so far touches.`);
  const scopes = scopesOf(task, capability, registry).filter((scope) => !envelope.scopes.has(scope));
  if (scopes.length > 0) reasons.push(`It needs the scope ${listed(scopes)}.`);
  if (!costIsBounded && (capability.costUsd ?? 0) > (was?.costUsd ?? 0)) {
    reasons.push(`It costs about ${capability.costUsd} US dollars.`);
  }
  return reasons;
}

/** The scopes for the arguments as the plan gives them; where only the run will know those, the template itself. */
function scopesOf(task: Task, capability: CapabilitySnapshot, registry: CapabilityRegistry): string[] {
  const { known, open } = plannedScopesOf({ capability, given: task.arguments, registry });
  return [...known, ...open];
}

const LEVEL = { none: 0, read: 1, write: 2, destructive: 3 } as const;

/** What a task does, without what only people read. */
export const actionOf = ({ capability, arguments: own, forEach, maxItems }: Task): string =>
  canonicalJson({ capability, arguments: own, forEach, maxItems } as unknown as JsonValue);

function envelopeOf(state: RunState, registry: CapabilityRegistry): Envelope {
  const envelope: Envelope = { reads: new Set(), writes: new Set(), scopes: new Set() };
  for (const known of state.tasks.values()) {
    if (known.instance !== undefined) continue;
    for (const [task] of formsOf(known.task)) {
      const capability = registry.find(task.capability);
      const { reads, writes } = plannedResourcesOf(task, capability);
      for (const resource of reads) envelope.reads.add(resource);
      for (const resource of writes) envelope.writes.add(resource);
      if (capability === undefined) continue;
      for (const scope of scopesOf(task, capability, registry)) envelope.scopes.add(scope);
    }
  }
  return envelope;
}

function fewerSignatures(old: Approval | undefined, now: Approval | undefined): string[] {
  if (old === undefined) return [];
  if (now === undefined) return ["It no longer asks for an approval."];
  const people = canonicalJson([...(now.people ?? [])].sort());
  const same = old.role === now.role && people === canonicalJson([...(old.people ?? [])].sort());
  return same && now.quorum >= old.quorum ? [] : ["It asks other or fewer people for its approval."];
}

/** What a revision loosens in the plan as a whole. A planner may never; a person may, with an approval. */
export function planReasons(before: Plan, after: Plan): string[] {
  const reasons = raisedBudgets(before.budgets, after.budgets);
  if (text(before.completion) !== text(after.completion)) reasons.push("It changes how the result is checked.");
  reasons.push(...fewerSignatures(before.approval, after.approval));
  if (text(before.replanning) !== text(after.replanning)) reasons.push("It changes how the plan may be revised.");
  return reasons;
}

const text = (value: unknown): string => canonicalJson((value ?? null) as JsonValue);

function raisedBudgets(before: Budgets | undefined, after: Budgets | undefined): string[] {
  const reasons: string[] = [];
  const raised = (name: string, old: number | undefined, now: number | undefined): void => {
    if (old === undefined || (now !== undefined && now <= old)) return;
    reasons.push(now === undefined ? `It lifts the budget ${name}.` : `It raises the budget ${name} to ${now}.`);
  };
  const { toolCallsPerCapability: perOld = {}, ...old } = before ?? {};
  const { toolCallsPerCapability: perNow = {}, ...now } = after ?? {};
  const limits = new Map(Object.entries(now));
  for (const [name, amount] of Object.entries(old)) {
    if (name !== "verificationReserveSeconds") raised(name, amount, limits.get(name));
  }
  const perCapability = new Map(Object.entries(perNow));
  for (const [name, amount] of Object.entries(perOld)) {
    raised(`toolCallsPerCapability.${name}`, amount, perCapability.get(name));
  }
  return reasons;
}

const listed = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
