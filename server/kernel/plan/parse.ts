import { z } from "zod";
import { formatPointer, isJsonObject } from "../json";
import { err, ok, type Result } from "../result";
import type { Diagnostic } from "./diagnostic";
import { orderDiagnostics } from "./diagnostic-order";
import { shapeProblems } from "./json-shape";
import { DEFAULT_PLAN_LIMITS, type PlanLimits } from "./limits";
import { diagnosticsOfIssues } from "./parse-issues";
import { parseTaskFast } from "./parse-task";
import { type Plan, planSchema, type Task, taskSchema } from "./plan";

const planWithoutTasksSchema = planSchema.extend({ tasks: z.array(z.unknown()) });

/**
 * Reads a plan from parsed JSON or YAML, or from any other JavaScript value; never throws.
 *
 * The plan is well formed, not yet valid: names may point nowhere and edges may form a cycle, so that a draft with
 * problems still opens. `validatePlan` says what is wrong with it.
 *
 * @returns the plan with defaults filled in, or every problem of form at once: `schema`, `task_id_invalid`,
 * `duplicate_task_id`, `limit_exceeded`, each with a JSON pointer, in document order.
 */
export function parsePlan(
  value: unknown,
  limits: PlanLimits = DEFAULT_PLAN_LIMITS,
): Result<Plan, readonly Diagnostic[]> {
  const shape = shapeProblems(value, limits);
  if (shape.length > 0) return err(shape.map((problem) => ({ ...problem, severity: "error", related: [] })));
  const parsed = planWithoutTasksSchema.safeParse(value);
  const diagnostics: Diagnostic[] = [];
  if (!parsed.success) diagnostics.push(...diagnosticsOfIssues(parsed.error.issues, value, []));
  const rawTasks = isJsonObject(value) && Array.isArray(value.tasks) ? (value.tasks as readonly unknown[]) : [];
  if (rawTasks.length > limits.tasks) {
    diagnostics.push(error("limit_exceeded", ["tasks"], `${rawTasks.length} tasks; the limit is ${limits.tasks}.`));
    return err(orderDiagnostics(diagnostics, limits.diagnostics));
  }
  const tasks = parseTasks(rawTasks, diagnostics);
  if (!parsed.success || diagnostics.length > 0) return err(orderDiagnostics(diagnostics, limits.diagnostics));
  return ok({ ...parsed.data, tasks });
}

function parseTasks(rawTasks: readonly unknown[], diagnostics: Diagnostic[]): Task[] {
  const tasks: Task[] = [];
  const firstWithId = new Map<string, number>();
  rawTasks.forEach((raw, index) => {
    const id = isJsonObject(raw) && typeof raw.id === "string" ? raw.id : undefined;
    const fast = parseTaskFast(raw);
    if (fast !== undefined) tasks.push(fast);
    else {
      const parsed = taskSchema.safeParse(raw);
      if (parsed.success) tasks.push(parsed.data);
      else {
        const located = diagnosticsOfIssues(parsed.error.issues, raw, ["tasks", index]);
        diagnostics.push(
          ...located.map((diagnostic) => (id === undefined ? diagnostic : { ...diagnostic, taskId: id })),
        );
      }
    }
    if (id === undefined) return;
    const first = firstWithId.get(id);
    if (first === undefined) firstWithId.set(id, index);
    else diagnostics.push(duplicate(id, first, index));
  });
  return tasks;
}

function duplicate(id: string, first: number, index: number): Diagnostic {
  const related = [
    { pointer: formatPointer(["tasks", first, "id"]), taskId: id, message: "The first task of that id." },
  ];
  return {
    ...error("duplicate_task_id", ["tasks", index, "id"], `There is already a task “${id.slice(0, 128)}”.`),
    taskId: id,
    related,
  };
}

function error(code: Diagnostic["code"], path: readonly (string | number)[], message: string): Diagnostic {
  return { code, severity: "error", pointer: formatPointer(path), message, related: [] };
}
