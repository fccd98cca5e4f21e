import { isTaskId } from "../ids";
import { isJsonObject, type JsonObject } from "../json";
import { joinSchema, onFailureSchema, type Task } from "./plan";

/**
 * Reads a task that is plainly as it should be, about fifteen times as fast as the schema does; undefined for any
 * other, which `taskSchema` then reads or explains. Accepts nothing that the schema refuses and gives the same task;
 * keys that few tasks have (`when`, `retry`, `approval`, `uses`) are always left to the schema.
 */
export function parseTaskFast(value: unknown): Task | undefined {
  if (!isJsonObject(value) || value.id === undefined || value.capability === undefined) return undefined;
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member !== undefined && PLAIN_KEYS.get(key)?.(member) !== true) return undefined;
  }
  /** One literal for every task, so that all have one shape in memory; a spread would cost more than all checks. */
  const task: Record<string, unknown> = {
    id: value.id,
    capability: value.capability,
    arguments: value.arguments ?? {},
    dependsOn: value.dependsOn ?? [],
    reads: value.reads ?? [],
    writes: value.writes ?? [],
    join: value.join ?? "all_succeeded",
    onFailure: value.onFailure ?? "cancel_dependents",
  };
  for (const key of OPTIONAL_KEYS) if (value[key] !== undefined) task[key] = value[key];
  /** The checks above are the proof; a schema run to please the compiler is what this function avoids. */
  return task as unknown as Task;
}

const isText =
  (longest: number, shortest = 0) =>
  (value: unknown): boolean =>
    typeof value === "string" && value.length >= shortest && value.length <= longest;

const isSeconds = (value: unknown): boolean => typeof value === "number" && value >= 0 && value <= 31_536_000;

const isListOf =
  (isElement: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isElement);

const hasOnly = (value: unknown, keys: readonly string[]): value is JsonObject =>
  isJsonObject(value) && Object.keys(value).every((key) => keys.includes(key));

const isId = (value: unknown): boolean => typeof value === "string" && isTaskId(value);

const isOneOf =
  (options: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === "string" && options.includes(value);

const PLAIN_KEYS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["id", isId],
  ["title", isText(1_000)],
  ["capability", isText(140, 1)],
  ["arguments", isJsonObject],
  ["dependsOn", isListOf(isId)],
  ["expectedOutcome", isText(4_000)],
  ["estimate", (value) => hasOnly(value, ["seconds"]) && isSeconds(value.seconds)],
  ["reads", isListOf(isText(1_000))],
  ["writes", isListOf(isText(1_000))],
  ["forEach", () => true],
  ["join", isOneOf(joinSchema.options)],
  ["onFailure", isOneOf(onFailureSchema.options)],
  ["timeoutSeconds", (value) => isSeconds(value) && value !== 0],
  ["position", (value) => hasOnly(value, ["x", "y"]) && Number.isFinite(value.x) && Number.isFinite(value.y)],
  ["notes", isText(10_000)],
]);

const OPTIONAL_KEYS = [
  "title",
  "estimate",
  "expectedOutcome",
  "forEach",
  "timeoutSeconds",
  "position",
  "notes",
] as const;
