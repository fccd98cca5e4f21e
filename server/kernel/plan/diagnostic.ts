import type { Plan } from "./plan";

export const DIAGNOSTIC_CODES = [
  "syntax",
  "schema",
  "task_id_invalid",
  "duplicate_task_id",
  "missing_dependency",
  "self_dependency",
  "cycle",
  "unknown_capability",
  "arguments_invalid",
  "reference_not_upstream",
  "reference_missing_task",
  "reference_unknown_path",
  "reference_type_mismatch",
  "resource_conflict",
  "approval_required",
  "not_authorized",
  "limit_exceeded",
  "budget_infeasible",
  "join_invalid",
  "redundant_edge",
  "no_completion_check",
  /** An importer could not carry something over; the plan is usable, the report says what is missing. */
  "not_carried_over",
] as const;
export type DiagnosticCode = (typeof DIAGNOSTIC_CODES)[number];

export type Severity = "error" | "warning" | "info";

/** A change that would mend a problem, small enough for one click; `label` is the button. */
export interface Fix {
  readonly label: string;
  readonly edits: readonly PlanEdit[];
}

/** One problem, located. `pointer` is a JSON pointer into the plan (or the imported document); "" is its root. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly pointer: string;
  readonly taskId?: string;
  /** One sentence a person can act on. */
  readonly message: string;
  /** Other places that take part: the tasks of a cycle, the other side of a conflict. */
  readonly related: readonly { readonly pointer: string; readonly taskId?: string; readonly message?: string }[];
  readonly fix?: Fix;
  /** Other ways to mend it, after `fix`. */
  readonly otherFixes?: readonly Fix[];
  /** 1-based place in the source text, where the problem was found in text. */
  readonly line?: number;
  readonly column?: number;
}

/**
 * One edit of a plan. Applying it gives a new plan and the edit that takes it back, so that undo is exact.
 * An index says where a task stands in `tasks`; a value of undefined removes an optional key; a pool of null units
 * is taken out.
 */
export type PlanEdit =
  | { readonly type: "add_task"; readonly index: number; readonly task: Plan["tasks"][number] }
  | { readonly type: "remove_task"; readonly taskId: string }
  | { readonly type: "replace_task"; readonly taskId: string; readonly task: Plan["tasks"][number] }
  | { readonly type: "rename_task"; readonly taskId: string; readonly newId: string }
  | { readonly type: "add_dependency"; readonly taskId: string; readonly dependsOn: string; readonly index?: number }
  | { readonly type: "remove_dependency"; readonly taskId: string; readonly dependsOn: string }
  | { readonly type: "set_pool"; readonly pool: string; readonly units: number | null }
  | { readonly type: "set_plan"; readonly plan: Plan }
  | { readonly type: "move_tasks"; readonly positions: Readonly<Record<string, { x: number; y: number } | null>> };
