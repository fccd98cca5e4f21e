/** A task as it stands in a plan's text: names only. */
export interface NamedTask {
  readonly id: string;
  readonly dependsOn: readonly string[];
  readonly seconds: number;
}

/**
 * The text of a layered random plan: each task depends on earlier ones, most of them near, as in plans of agents and
 * of scientific workflows. The same seed gives the same text.
 */
export function planText(tasks: number, edges: number, seed = 1): string {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % limit;
  };
  const parents = Array.from({ length: tasks }, () => new Set<number>());
  for (let left = edges; left > 0; ) {
    const task = 1 + below(tasks - 1);
    const reach = below(4) === 0 ? task : Math.min(task, 1_000);
    const set = parents[task] as Set<number>;
    const before = set.size;
    set.add(task - 1 - below(reach));
    if (set.size > before) left--;
  }
  const document = {
    format: "planwright/v1",
    name: `${tasks} tasks`,
    completion: [{ check: "human", question: "Is it done?" }],
    tasks: parents.map((set, task) => ({
      id: `task-${task.toString(36)}`,
      capability: "test.echo",
      arguments: { value: task, note: "plain text" },
      dependsOn: [...set].map((parent) => `task-${parent.toString(36)}`),
      estimate: { seconds: 1 + below(60) },
    })),
  };
  return JSON.stringify(document);
}

/** Fresh strings from the text, as every reader of a file has them: no hash is known, nothing is interned. */
export function namedTasks(text: string): readonly NamedTask[] {
  const { tasks } = JSON.parse(text) as {
    tasks: { id: string; dependsOn: string[]; estimate: { seconds: number } }[];
  };
  return tasks.map(({ id, dependsOn, estimate }) => ({ id, dependsOn, seconds: estimate.seconds }));
}
