import type { TaskState } from "./state";

/** Longest remaining path first; ties in plan order, then in the order of a fan-out's list. */
export function compareTasks(a: TaskState, b: TaskState): number {
  if (a.rank !== b.rank) return b.rank - a.rank;
  if (a.order !== b.order) return a.order - b.order;
  return (a.instance?.index ?? -1) - (b.instance?.index ?? -1);
}

function position(queue: readonly TaskState[], task: TaskState): number {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = queue[middle];
    if (other !== undefined && compareTasks(other, task) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The dispatch queue is a sorted array: a task enters and leaves by binary search and a memory move, and `decide` can
 * read it from the front without changing it, which a heap does not allow.
 */
export function enqueue(queue: TaskState[], task: TaskState): void {
  const last = queue.at(-1);
  if (last === undefined || compareTasks(last, task) < 0) queue.push(task);
  else queue.splice(position(queue, task), 0, task);
}

/** Takes the task out, if it is in. */
export function dequeue(queue: TaskState[], task: TaskState): void {
  if (queue[0] === task) {
    queue.shift();
    return;
  }
  const at = position(queue, task);
  if (queue[at] === task) queue.splice(at, 1);
}
