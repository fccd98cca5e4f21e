import { isJsonObject, type JsonObject, type JsonValue, setOwn } from "../json";
import { replanReasonSchema } from "./event";

/** Stands where a text was that is gone. */
export const REDACTED = "[redacted]";

type Rule = (value: JsonValue) => JsonValue | undefined;

/**
 * What to do with the value of a key, wherever in an event it stands: by name, so that an event of a kind that is new
 * loses its payload too.
 */
const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["arguments", () => null],
  ["editedArguments", () => undefined],
  ["output", () => undefined],
  ["outputRef", () => undefined],
  ["answer", () => undefined],
  ["origins", () => []],
  ["items", (value) => (Array.isArray(value) ? value.map(() => null) : [])],
  ["question", (value) => (isJsonObject(value) ? { text: REDACTED } : REDACTED)],
  ["messages", (value) => (Array.isArray(value) ? value.map(() => REDACTED) : [])],
  ["message", redactText],
  ["text", redactText],
  ["comment", redactText],
  ["note", redactText],
  // A word of a closed list says why a plan was revised, and stays; a sentence goes.
  ["reason", (value) => (replanReasonSchema.safeParse(value).success ? value : redactText(value))],
  ["before", () => undefined],
  ["after", () => undefined],
]);

function redactText(value: JsonValue): JsonValue {
  return value === null ? null : REDACTED;
}

/** Keys whose values say how things hang together, and nothing of what was worked with. */
const KEPT = new Set(["capabilities", "policy", "by", "startedBy", "planAuthor", "usage"]);

/**
 * The fields of an event without what the run worked with: arguments, outputs, answers, and every sentence. What it
 * was, when, of which task and attempt, how it ended and who decided stays, so that the log still folds to the same
 * statuses. Plans keep their shape: see {@link redactPlan}.
 */
export function redactFields(fields: JsonObject): JsonObject {
  const redacted: Record<string, JsonValue> = Object.create(null);
  for (const [key, value] of Object.entries(fields)) {
    const kept = redactField(key, value);
    if (kept !== undefined) setOwn(redacted, key, kept);
  }
  return redacted;
}

function redactField(key: string, value: JsonValue): JsonValue | undefined {
  if (KEPT.has(key)) return value;
  if (key === "plan" && isJsonObject(value)) return redactPlan(value);
  if (key === "task" && isJsonObject(value)) return redactTask(value);
  const rule = RULES.get(key);
  if (rule !== undefined) return rule(value);
  if (Array.isArray(value)) return value.map((each) => (isJsonObject(each) ? redactFields(each) : each));
  return isJsonObject(value) ? redactFields(value) : value;
}

/** A plan with its tasks, edges and rules, and none of the values in its arguments. */
export function redactPlan(plan: JsonObject): JsonObject {
  const { tasks, objective: _objective, ...rest } = plan;
  const kept = Array.isArray(tasks) ? tasks.map((task) => (isJsonObject(task) ? redactTask(task) : task)) : [];
  return { ...rest, tasks: kept };
}

function redactTask(task: JsonObject): JsonObject {
  const { arguments: given, forEach, expectedOutcome: _expected, ...rest } = task;
  return {
    ...rest,
    ...(given === undefined ? {} : { arguments: redactValue(given) }),
    ...(forEach === undefined ? {} : { forEach: redactValue(forEach) }),
  };
}

/** Keeps references, which are edges of the plan, and the keys that lead to them; every other value is gone. */
function redactValue(value: JsonValue): JsonValue {
  if (typeof value === "string") return [...value.matchAll(/(?<!\$)\$\{[^}]*\}/g)].join("") || REDACTED;
  if (Array.isArray(value)) return value.map(redactValue);
  if (!isJsonObject(value)) return null;
  if (typeof value.$output === "string") return { $output: value.$output };
  if ("$literal" in value) return { $literal: REDACTED };
  const redacted: Record<string, JsonValue> = Object.create(null);
  for (const [key, each] of Object.entries(value)) setOwn(redacted, key, redactValue(each));
  return redacted;
}
