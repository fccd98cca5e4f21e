import type { TaskId } from "../ids";
import type { Diagnostic } from "./diagnostic";
import type { Plan, Task } from "./plan";
import { hasRule, replaced, withReplacement } from "./replacement";
import { ValidationContext } from "./validation-context";

type Family = (context: ValidationContext) => void;

/** Plans in which this many tasks would have to be looked at are looked at as far as that. */
const TASKS_LOOKED_AT_MAX = 2_000_000;

/**
 * What may take the place of a failed task is judged as if it stood in the plan: for each alternative, and for the
 * fallback, the plan that the run would then go on with is checked, and what is wrong there and nowhere else is
 * reported where the alternative or the fallback is written.
 *
 * @param families the checks to make of those plans.
 */
export function validateAlternatives(context: ValidationContext, families: readonly Family[]): void {
  const { plan } = context;
  reportTakenIds(context);
  const known = new Set(context.diagnostics.map(sameProblem));
  let left = TASKS_LOOKED_AT_MAX;
  plan.tasks.forEach((task, index) => {
    if (!hasRule(task)) return;
    for (const variant of variantsOf(plan, task, index)) {
      left -= variant.plan.tasks.length;
      if (left < 0) return;
      const inner = new ValidationContext(variant.plan, context.options);
      for (const validate of families) validate(inner);
      for (const problem of inner.diagnostics) {
        if (problem.severity !== "error" || known.has(sameProblem(problem))) continue;
        const place = variant.placeOf(problem.pointer);
        context.report({ code: problem.code, place, taskId: task.id, message: variant.label + problem.message });
      }
    }
  });
}

const sameProblem = ({ code, message }: Diagnostic): string => `${code} ${message}`;

/** A plan as it would be with one rule applied, and where the parts of that rule are written. */
interface Variant {
  readonly plan: Plan;
  readonly label: string;
  placeOf(pointer: string): string;
}

function* variantsOf(plan: Plan, task: Task, index: number): Generator<Variant> {
  const here = `/tasks/${index}`;
  for (const [number, alternative] of (task.alternatives ?? []).entries()) {
    const { fallback: _later, ...replacement } = replaced(task, task.id, alternative);
    const place = `${here}/alternatives/${number}`;
    yield {
      plan: { ...plan, tasks: plan.tasks.with(index, replacement) },
      label: "As an alternative: ",
      placeOf: (pointer) => (isWithin(pointer, here) ? placeInAlternative(pointer.slice(here.length), place) : place),
    };
  }
  if (task.fallback === undefined) return;
  const place = `${here}/fallback`;
  yield {
    plan: fallbackPlan(plan, task, index, task.fallback),
    label: "As a fallback: ",
    placeOf(pointer) {
      const [, number = "", rest = ""] = /^\/tasks\/(\d+)(.*)$/.exec(pointer) ?? [];
      const at = Number(number) - (plan.tasks.length - 1);
      return number !== "" && at >= 0 ? `${place}/${at}${rest}` : place;
    },
  };
}

/** The plan without the task and with its fallback at the end, whose last task stands in for it. */
function fallbackPlan(plan: Plan, task: Task, index: number, fallback: readonly Task[]): Plan {
  const others = { ...plan, tasks: plan.tasks.toSpliced(index, 1) };
  const { tasks, ...rest } = withReplacement(others, task.id, fallback);
  return { ...rest, tasks: [...tasks.slice(fallback.length), ...fallback] };
}

const isWithin = (pointer: string, place: string): boolean => pointer === place || pointer.startsWith(`${place}/`);

function placeInAlternative(within: string, place: string): string {
  return within === "/capability" || isWithin(within, "/arguments") ? place + within : place;
}

/** Every task that a plan may come to has a name of its own. */
function reportTakenIds(context: ValidationContext): void {
  const seen = new Set<string>(context.plan.tasks.map(({ id }) => id));
  context.plan.tasks.forEach((task, index) => {
    (task.fallback ?? []).forEach(({ id }: { readonly id: TaskId }, at) => {
      const message = `There is already a task “${id}”.`;
      if (seen.has(id))
        context.report({ code: "duplicate_task_id", place: ["tasks", index, "fallback", at, "id"], message });
      seen.add(id);
    });
  });
}
