import { BUILT_IN_CAPABILITIES } from "#kernel/capability/built-in/registry";
import { type CapabilityRegistry, registryOf, snapshotCapability } from "#kernel/capability/capability";

/** A plan document as it comes in: nothing parsed, nothing frozen. */
export interface TaskDocument {
  id: string;
  capability: string;
  arguments: Record<string, unknown>;
  dependsOn: string[];
  [key: string]: unknown;
}
export interface PlanDocument {
  format: string;
  name: string;
  tasks: TaskDocument[];
  completion: unknown[];
  [key: string]: unknown;
}

/** Chance with a seed, so that a failing plan can be made again (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<Value>(values: readonly Value[]): Value {
    if (values.length === 0) throw new Error("nothing to pick from");
    return values[this.below(values.length)] as Value;
  }
}

/** A capability that may only run signed and with a scope. */
const guarded = snapshotCapability({
  name: "records.delete",
  version: 3,
  title: "Delete a record",
  description: "Deletes a record for good.",
  provider: "http",
  inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  outputSchema: { type: "object" },
  sideEffect: "destructive",
  reads: [],
  writes: ["record:${id}"],
  idempotency: "none",
  requires: ["records:delete"],
  approval: "always",
  timeoutSeconds: 10,
  retryOn: [],
  estimate: { p50Seconds: 0.1, p95Seconds: 1 },
  costUsd: 2,
});

/** The built-in capabilities and one that asks for an approval and a scope. */
export const TEST_REGISTRY: CapabilityRegistry = registryOf([...BUILT_IN_CAPABILITIES, guarded]);

/** Which part of a task's output is text, per capability used here. */
const TEXT_PARTS: ReadonlyMap<string, string> = new Map([
  ["text.template", "#/text"],
  ["text.join", "#/text"],
  ["file.write", "#/sha256"],
]);

/** A plan of 4 to 12 tasks, written from first to last, with nothing wrong with it. */
export function validPlan(chance: Chance): PlanDocument {
  const size = 4 + chance.below(9);
  const tasks: TaskDocument[] = [];
  for (let index = 0; index < size; index++) tasks.push(validTask(chance, tasks, index));
  const last = tasks[size - 1] as TaskDocument;
  return {
    format: "planwright/v1",
    name: `plan-${size}`,
    tasks,
    completion: [
      chance.pick([
        { check: "json_schema", task: last.id, schema: {} },
        { check: "human", question: "Good?" },
      ]),
    ],
  };
}

function validTask(chance: Chance, earlier: readonly TaskDocument[], index: number): TaskDocument {
  const id = `${chance.pick(["task", "step-", "Work.", "x_"])}${index}`;
  const texts = earlier.filter(({ capability }) => TEXT_PARTS.has(capability));
  const text = (): unknown => {
    if (texts.length === 0 || chance.below(3) === 0) return "plain $5 {text} $${literal}";
    const source = chance.pick(texts);
    const reference = `${source.id}${TEXT_PARTS.get(source.capability)}`;
    return chance.below(2) === 0 ? { $output: reference } : `Based on \${${reference}}.`;
  };
  const any = (): unknown =>
    earlier.length > 0 && chance.below(2) === 0
      ? { $output: chance.pick(earlier).id, ...(chance.below(2) === 0 ? { default: null } : {}) }
      : chance.pick([1, "x", null, [1, { deep: [] }], { $literal: { $output: "as it is" } }]);
  const made = chance.pick<[string, () => Record<string, unknown>]>([
    ["test.echo", () => ({ value: any() })],
    ["test.echo@1", () => ({ value: [any(), { nested: text() }] })],
    ["text.template", () => ({ template: "On {{x}}", values: { x: text() } })],
    ["text.join", () => ({ parts: [text(), text(), 3], heading: text() })],
    ["math.evaluate", () => ({ expression: "1 + x", variables: { x: chance.below(9) } })],
    ["json.transform", () => ({ input: any(), expression: "length(@)" })],
    ["file.write", () => ({ path: `out/${id}.md`, text: text() })],
    ["test.sleep", () => ({ ms: chance.below(50), value: any() })],
  ]);
  const dependsOn = [...new Set(earlier.length > 0 ? [chance.pick(earlier).id, chance.pick(earlier).id] : [])];
  const task: TaskDocument = { id, capability: made[0], arguments: made[1](), dependsOn };
  if (chance.below(4) === 0) task.estimate = { seconds: chance.below(30) };
  if (chance.below(6) === 0) task.retry = { maxAttempts: 2 };
  if (chance.below(6) === 0) task.approval = {};
  if (chance.below(8) === 0) task.when = { any: [true, { value: any(), exists: true }] };
  if (chance.below(8) === 0 && dependsOn.length > 0) task.when = { status: dependsOn[0], is: "succeeded" };
  return task;
}
