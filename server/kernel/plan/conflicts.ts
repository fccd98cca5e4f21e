import type { CapabilityRegistry } from "../capability/capability";
import { compareIds } from "./order";
import { namedAmount, type Plan, type Task } from "./plan";
import type { PathFinder } from "./reachability";
import { plannedResourcesOf } from "./resources";

/** Two tasks that no path orders and that touch one resource, at least one of them writing. */
export interface ResourceConflict {
  readonly resource: string;
  /** Task indices; `first` stands earlier in topological order. One task twice: instances of its `forEach`. */
  readonly first: number;
  readonly second: number;
  readonly kind: "write_write" | "read_write";
}

export interface ResourceConflicts {
  /** By resource, then by place in the topological order. */
  readonly conflicts: readonly ResourceConflict[];
  /** False where the plan is so large, or has so many conflicts, that not every pair was looked at. */
  readonly complete: boolean;
}

/** Conflicts listed; a plan with more has one cause, not a thousand. */
const CONFLICTS_MAX = 1_000;
/** Tasks on one resource of which every pair is looked at; of more, only neighbours in topological order. */
const ALL_PAIRS_MAX = 200;

interface Touch {
  readonly task: number;
  readonly writes: boolean;
}

/**
 * Finds conflicts among the resources that the plan itself tells; what depends on outputs is locked at run time
 * whatever is found here. Two tasks that between them use more of a pool than it has exclude one another, so they do
 * not conflict: a pool of capacity 1 is how a plan declares a lock.
 */
export function findConflicts(
  plan: Pick<Plan, "tasks" | "pools">,
  paths: PathFinder,
  registry?: CapabilityRegistry,
): ResourceConflicts {
  const conflicts: ResourceConflict[] = [];
  let complete = true;
  const byResource = touchesByResource(plan, registry);
  const positions = byResource.size > 0 ? paths.positions() : new Int32Array();
  for (const resource of [...byResource.keys()].sort(compareIds)) {
    const touches = (byResource.get(resource) ?? []).sort(
      (a, b) => (positions[a.task] as number) - (positions[b.task] as number),
    );
    if (!touches.some(({ writes }) => writes)) continue;
    if (touches.length > ALL_PAIRS_MAX) complete = false;
    for (const [a, b] of pairsOf(touches)) {
      if (conflicts.length >= CONFLICTS_MAX) return { conflicts, complete: false };
      if (a.task === b.task ? !isRepeated(plan, a) : !(a.writes || b.writes)) continue;
      if (a.task !== b.task) {
        const unordered = paths.unordered(a.task, b.task);
        if (unordered === undefined) return { conflicts, complete: false };
        if (unordered === false || excludeOneAnother(plan, a.task, b.task)) continue;
      }
      const kind = a.writes && b.writes ? "write_write" : "read_write";
      conflicts.push({ resource, first: a.task, second: b.task, kind });
    }
  }
  return { conflicts, complete };
}

function touchesByResource(plan: Pick<Plan, "tasks">, registry: CapabilityRegistry | undefined): Map<string, Touch[]> {
  const byResource = new Map<string, Touch[]>();
  const add = (resource: string, touch: Touch): void => {
    const touches = byResource.get(resource);
    if (touches === undefined) byResource.set(resource, [touch]);
    else touches.push(touch);
  };
  plan.tasks.forEach((task, index) => {
    const capability = registry?.find(task.capability);
    if (task.reads.length + task.writes.length === 0 && !declaresResources(capability)) return;
    const { reads, writes } = plannedResourcesOf(task, capability);
    for (const resource of writes) add(resource, { task: index, writes: true });
    for (const resource of reads) if (!writes.includes(resource)) add(resource, { task: index, writes: false });
  });
  return byResource;
}

const declaresResources = (capability: { reads: readonly string[]; writes: readonly string[] } | undefined): boolean =>
  capability !== undefined && capability.reads.length + capability.writes.length > 0;

function* pairsOf(touches: readonly Touch[]): Generator<readonly [Touch, Touch]> {
  const reach = touches.length > ALL_PAIRS_MAX ? 1 : touches.length;
  for (let first = 0; first < touches.length; first++) {
    const last = Math.min(touches.length - 1, first + reach);
    for (let second = first; second <= last; second++) yield [touches[first] as Touch, touches[second] as Touch];
  }
}

/** A task whose instances all write the resource. */
function isRepeated(plan: Pick<Plan, "tasks" | "pools">, { task, writes }: Touch): boolean {
  const { forEach } = plan.tasks[task] as Task;
  if (!writes || forEach === undefined || forEach === null) return false;
  if (Array.isArray(forEach) && forEach.length < 2) return false;
  return !excludeOneAnother(plan, task, task);
}

function excludeOneAnother({ tasks, pools }: Pick<Plan, "tasks" | "pools">, first: number, second: number): boolean {
  const [a, b] = [tasks[first]?.uses, tasks[second]?.uses];
  if (a === undefined || b === undefined) return false;
  return Object.keys(a).some((pool) => {
    const capacity = namedAmount(pools, pool);
    const together = (namedAmount(a, pool) ?? 0) + (namedAmount(b, pool) ?? 0);
    return capacity !== undefined && namedAmount(b, pool) !== undefined && together > capacity;
  });
}
