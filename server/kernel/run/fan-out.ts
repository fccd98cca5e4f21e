import type { JsonValue } from "../json";
import { MAX_ITEMS_DEFAULT } from "../plan/limits";
import { resolveForEach } from "./action";
import { type Command, loadOutputs, record } from "./command";
import type { Asking, DecideOptions } from "./decide-options";
import type { Cause } from "./event";
import type { RunState, TaskState } from "./state";

/** The list of a `forEach` has become known: one instance per item, or a failure where it is no list or too long. */
export function expandGroup(state: RunState, task: TaskState, { now, options }: Asking): Command[] {
  const resolution = resolveForEach(state, task, options.load);
  if (resolution.type === "missing") return loadOutputs(resolution.outputRefs);
  const fail = (cause: Cause): Command[] => [
    record({ type: "task_failed", at: now, taskId: task.id, attempt: 0, cause }),
  ];
  if (resolution.type === "unresolved") return fail({ code: "reference_unresolved", message: resolution.message });
  const items = resolution.value;
  if (!Array.isArray(items)) {
    return fail({ code: "for_each_not_a_list", message: "Its forEach did not give a list." });
  }
  const most = task.task.maxItems ?? MAX_ITEMS_DEFAULT;
  if (items.length > most) {
    return fail({
      code: "limit_exceeded",
      message: `Its list has ${items.length} items; at most ${most} are allowed.`,
    });
  }
  return [record({ type: "task_expanded", at: now, taskId: task.id, items: [...items] })];
}

/**
 * How a fan-out ended, once all of its instances have. One failure fails it; else one cancellation or stop ends it the
 * same way; else it is skipped if every instance was; else it succeeds with the list of outputs in the order of the
 * items, null for a skipped one. An empty list succeeds with an empty list.
 */
export function finishGroup(state: RunState, group: TaskState, { now, options }: Asking): Command[] {
  const instances = (group.instanceIds ?? []).flatMap((id) => state.tasks.get(id) ?? []);
  const head = { at: now, taskId: group.id };
  const ended = (status: TaskState["status"]) => instances.find((instance) => instance.status === status);
  const failed = ended("failed");
  if (failed) return [record({ type: "task_failed", ...head, attempt: 0, cause: causeOf(failed, "failed") })];
  const cancelled = ended("cancelled");
  if (cancelled) return [record({ type: "task_cancelled", ...head, cause: causeOf(cancelled, "cancelled") })];
  const stopped = ended("stopped_budget");
  if (stopped) return [record({ type: "task_stopped", ...head, cause: causeOf(stopped, "stopped") })];
  if (instances.length > 0 && instances.every((instance) => instance.status === "skipped")) {
    const cause = { code: "all_instances_skipped", message: "Every instance was skipped." };
    return [record({ type: "task_skipped", ...head, cause })];
  }
  return succeed(group, instances, now, options);
}

const causeOf = (instance: TaskState, how: "failed" | "cancelled" | "stopped"): Cause => ({
  code: how === "stopped" ? (instance.cause?.code ?? "budget") : `instance_${how}`,
  message: `“${instance.id}” ${how === "failed" ? "failed" : `was ${how}`}${instance.cause ? `: ${instance.cause.message}` : "."}`,
  taskId: instance.id,
  seq: instance.endedSeq,
});

function succeed(group: TaskState, instances: readonly TaskState[], now: number, options: DecideOptions): Command[] {
  const missing = new Set<string>();
  const output = instances.map((instance): JsonValue => {
    if (instance.outputRef === undefined) return instance.output ?? null;
    const loaded = options.load?.(instance.outputRef);
    if (loaded === undefined) missing.add(instance.outputRef);
    return loaded ?? null;
  });
  if (missing.size > 0) return loadOutputs(missing);
  const startedAt = group.readyAt ?? now;
  const latencyMs = Math.max(0, now - startedAt);
  return [
    record({
      type: "task_succeeded",
      at: now,
      taskId: group.id,
      attempt: 1,
      startedAt,
      observation: { status: "ok", output, sideEffect: "none", latencyMs },
    }),
  ];
}
