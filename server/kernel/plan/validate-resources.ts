import { setOwn } from "../json";
import { findConflicts, type ResourceConflict } from "./conflicts";
import type { Fix, PlanEdit } from "./diagnostic";
import { namedAmount, type Plan, type Task } from "./plan";
import type { ValidationContext } from "./validation-context";

/**
 * Resource conflicts. Warnings: at run time the lock is held whatever the plan says, so the plan is safe to run, but
 * which of the two comes first is left to chance until an edge says so; a declared lock says that it does not matter.
 */
export function validateResources(context: ValidationContext): void {
  const { plan, paths, options } = context;
  if (paths === undefined) return;
  const { conflicts, complete } = findConflicts(plan, paths, options.registry);
  for (const conflict of conflicts) reportConflict(context, conflict);
  if (complete) return;
  context.report({
    code: "limit_exceeded",
    severity: "info",
    place: ["tasks"],
    message: "Not every pair of tasks was looked at for resource conflicts; locks hold at run time all the same.",
  });
}

function reportConflict(context: ValidationContext, { resource, first, second, kind }: ResourceConflict): void {
  const { plan } = context;
  const before = plan.tasks[first] as Task;
  const after = plan.tasks[second] as Task;
  const shown = resource.slice(0, 200);
  const lock = lockFix(plan, resource, ...(first === second ? [before] : [before, after]));
  if (first === second) {
    context.report({
      code: "resource_conflict",
      severity: "warning",
      place: ["tasks", first],
      message: `The instances of “${before.id}” all write “${shown}”; they will run one at a time, in any order.`,
      fix: lock,
    });
    return;
  }
  const what = kind === "write_write" ? "both write" : "read and write";
  const edge: Fix = {
    label: `Let “${after.id}” wait for “${before.id}”`,
    edits: [{ type: "add_dependency", taskId: after.id, dependsOn: before.id }],
  };
  context.report({
    code: "resource_conflict",
    severity: "warning",
    place: ["tasks", second],
    message: `“${before.id}” and “${after.id}” ${what} “${shown}”, and nothing says which comes first.`,
    related: [{ pointer: `/tasks/${first}`, taskId: before.id }],
    fix: edge,
    otherFixes: [lock],
  });
}

/** A pool of one unit that both tasks hold: they never overlap, and either may come first. */
function lockFix(plan: Plan, resource: string, ...tasks: readonly Task[]): Fix {
  const pool = `lock:${resource}`.slice(0, 200);
  const edits: PlanEdit[] = [];
  if (namedAmount(plan.pools, pool) !== 1) edits.push({ type: "set_pool", pool, units: 1 });
  for (const task of tasks) {
    const uses = { ...task.uses };
    setOwn(uses, pool, 1);
    edits.push({ type: "replace_task", taskId: task.id, task: { ...task, uses } });
  }
  return { label: `Lock “${resource.slice(0, 60)}”`, edits };
}
