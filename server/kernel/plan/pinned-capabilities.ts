import { BUILT_IN_CAPABILITIES } from "../capability/built-in/registry";
import type { CapabilityRegistry, CapabilitySnapshot } from "../capability/capability";
import type { Plan } from "./plan";

const NEWEST_BUILT_INS: ReadonlySet<string> = new Set(BUILT_IN_CAPABILITIES.map(({ fingerprint }) => fingerprint));

/**
 * What a run of this plan is pinned to: every built-in capability, and the registered and earlier versions that it names.
 * A registry may hold hundreds; whoever reads the run's log needs those it can call.
 */
export function pinnedCapabilities(
  plan: Pick<Plan, "tasks" | "completion">,
  registry: CapabilityRegistry,
): readonly CapabilitySnapshot[] {
  const named = new Set<string>();
  for (const task of plan.tasks.flatMap((each) => [each, ...(each.fallback ?? [])])) {
    named.add(task.capability);
    for (const alternative of task.alternatives ?? []) named.add(alternative.capability);
  }
  for (const check of plan.completion) if (check.check === "capability") named.add(check.capability);
  const registered = new Map<string, CapabilitySnapshot>();
  // A set grows while it is walked: what is asked before or after a call is pinned with it.
  for (const reference of named) {
    const capability = registry.find(reference);
    if (capability === undefined || NEWEST_BUILT_INS.has(capability.fingerprint)) continue;
    registered.set(`${capability.name}@${capability.version}`, capability);
    if (capability.lookUp !== undefined) named.add(capability.lookUp.capability);
    for (const precondition of capability.preconditions ?? []) named.add(precondition.capability);
  }
  // One list for all runs of built-ins, whose text and hash are known by its identity.
  if (registered.size === 0) return BUILT_IN_CAPABILITIES;
  return [...BUILT_IN_CAPABILITIES, ...registered.values()];
}
