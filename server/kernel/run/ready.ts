import type { TaskId } from "../ids";
import type { RunState } from "./state";

/**
 * Ready(t): the tasks whose own parents allow them and that have not begun, in the order in which they are dispatched;
 * those that wait for a signature come last. Whether one may run is a question of its holds.
 */
export function readyTasks(state: RunState): TaskId[] {
  const queued = state.queue.map((task) => task.id);
  const others = Array.from(state.tasks.values()).filter(
    (task) => task.status === "awaiting_approval" || (task.status === "ready" && state.settling.has(task.id)),
  );
  return [...queued, ...others.map((task) => task.id)];
}
