import { withDefaults } from "../capability/defaults";
import type { JsonValue } from "../json";
import { type ArgumentOrigin, resolveArguments, resolveValue } from "../plan/reference";
import { type Command, record } from "./command";
import { type OutputLoader, viewFor } from "./outputs";
import type { RunState, TaskState } from "./state";

/** The arguments of a task as they will run, or why they are not to be had. */
export type Resolution =
  | { readonly type: "resolved"; readonly value: JsonValue; readonly origins: ArgumentOrigin[] }
  /** These outputs have to be loaded first. */
  | { readonly type: "missing"; readonly outputRefs: readonly string[] }
  /** `reference_unresolved`: the task fails before any call. */
  | { readonly type: "unresolved"; readonly message: string };

/**
 * Resolves the arguments of a task whose parents have ended, with the defaults of its capability filled in: the very
 * value that is shown, hashed, signed and sent. What a signer sent back stands in for the plan's.
 */
export function resolveTaskArguments(state: RunState, task: TaskState, load?: OutputLoader): Resolution {
  if (task.editedArguments !== undefined) {
    const { value, by } = task.editedArguments;
    return complete(state, task, {
      type: "resolved",
      value,
      origins: [{ pointer: "", from: [`edited by ${by.name}`] }],
    });
  }
  const view = viewFor(state, task, load);
  return complete(state, task, resolution(resolveArguments(task.task.arguments, view.output), view.missing));
}

function complete(state: RunState, task: TaskState, resolved: Resolution): Resolution {
  const schema = state.capabilities.get(task.task.capability)?.inputSchema;
  if (resolved.type !== "resolved" || schema === undefined) return resolved;
  const { value, filled } = withDefaults(schema, resolved.value);
  if (filled.length === 0) return resolved;
  const origins = [...resolved.origins, ...filled.map((pointer) => ({ pointer, from: ["default"] }))];
  return { type: "resolved", value, origins };
}

/** Resolves the list of a `forEach`. */
export function resolveForEach(state: RunState, task: TaskState, load?: OutputLoader): Resolution {
  const view = viewFor(state, task, load);
  return resolution(resolveValue(task.task.forEach ?? null, view.output), view.missing);
}

function resolution(result: ReturnType<typeof resolveValue>, missing: ReadonlySet<string>): Resolution {
  if (missing.size > 0) return { type: "missing", outputRefs: [...missing] };
  if (result.ok) return { type: "resolved", value: result.value.value, origins: result.value.origins };
  return { type: "unresolved", message: result.error.map((failure) => failure.message).join(" ") };
}

/** A task whose references give no value fails before any call. */
export const unresolvedFailure = (task: TaskState, now: number, message: string): Command =>
  record({
    type: "task_failed",
    at: now,
    taskId: task.id,
    attempt: 0,
    cause: { code: "reference_unresolved", message },
  });
