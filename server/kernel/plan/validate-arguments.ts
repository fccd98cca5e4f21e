import type { SchemaChecker, SchemaIssue } from "../capability/schema-checker";
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from "../json";
import { holdsReference } from "./find-references";
import type { Task } from "./plan";
import type { ValidationContext } from "./validation-context";

/**
 * Arguments against the capability's input schema, as far as they are known. What a reference will bring is not, so
 * it fits everything; a text with references in it is some text.
 */
export function validateArguments(context: ValidationContext): void {
  const { checkSchema } = context.options;
  if (checkSchema === undefined) return;
  context.plan.tasks.forEach((task, index) => {
    const schema = context.capabilityOf(task)?.inputSchema;
    if (schema === undefined) return;
    for (const issue of issuesOf(checkSchema, schema, task)) {
      context.report({
        code: "arguments_invalid",
        place: `/tasks/${index}/arguments${issue.pointer}`,
        message: `${issue.pointer === "" ? "Arguments" : `“${issue.pointer.slice(1)}”`}: ${issue.message}`,
      });
    }
  });
}

function issuesOf(checkSchema: SchemaChecker, schema: JsonObject, task: Task): readonly SchemaIssue[] {
  if (!holdsReference(task.arguments)) return checkSchema(schema, withoutLiterals(task.arguments));
  const unknown = unknownPlaces(task.arguments);
  if (unknown.some(({ pointer, text }) => pointer === "" && !text)) return [];
  /** A fault of what is known stays a fault whatever the references bring. */
  const [first = [], ...others] = PROBES.map((probe) => checkSchema(schema, fill(task.arguments, probe)));
  const open = first.filter((issue) => BRANCHING.has(issue.keyword) && unknown.some((place) => isWithin(place, issue)));
  return first.filter(
    (issue) =>
      others.every((issues) => issues.some((other) => isSame(issue, other))) &&
      unknown.every((place) => isCertain(issue, place)) &&
      !open.some((branch) => isWithin(issue, branch)),
  );
}

/** Keywords that choose between schemas: a reference may bring the value that makes another choice fit. */
const BRANCHING: ReadonlySet<string> = new Set(["anyOf", "oneOf", "not", "if", "then", "else", "contains"]);

const isWithin = (inner: { pointer: string }, outer: { pointer: string }): boolean =>
  inner.pointer === outer.pointer || inner.pointer.startsWith(`${outer.pointer}/`);

/** One value of each type: an issue that only some of them cause is an issue of the value, not of the arguments. */
const PROBES: readonly JsonValue[] = ["text", 1, true, null, [], {}];

const isSame = (a: SchemaIssue, b: SchemaIssue): boolean => a.pointer === b.pointer && a.keyword === b.keyword;

/** Keywords of an object or a list that hold whatever single unknown members are. */
const ABOUT_THE_WHOLE: ReadonlySet<string> = new Set([
  "type",
  "required",
  "additionalProperties",
  "propertyNames",
  "dependentRequired",
  "minProperties",
  "maxProperties",
  "minItems",
  "maxItems",
]);

interface UnknownPlace {
  readonly pointer: string;
  /** A string whose content is unknown; otherwise not even the type is known. */
  readonly text: boolean;
}

/** False where the issue may come from what an unknown place holds. */
function isCertain(issue: SchemaIssue, place: UnknownPlace): boolean {
  if (issue.pointer === place.pointer) return issue.keyword === "false" || (place.text && issue.keyword === "type");
  if (issue.pointer.startsWith(`${place.pointer}/`)) return false;
  const isAround = place.pointer.startsWith(`${issue.pointer}/`);
  return !isAround || ABOUT_THE_WHOLE.has(issue.keyword);
}

function unknownPlaces(value: JsonValue, pointer = ""): UnknownPlace[] {
  if (!holdsReference(value)) return [];
  if (typeof value === "string") return [{ pointer, text: true }];
  if (Array.isArray(value)) return value.flatMap((element, index) => unknownPlaces(element, `${pointer}/${index}`));
  if (!isJsonObject(value) || Object.hasOwn(value, "$output") || Object.hasOwn(value, "$literal")) {
    return [{ pointer, text: false }];
  }
  return Object.keys(value).flatMap((key) => {
    const member = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const named = holdsReference(key) ? [{ pointer: member, text: false }] : [];
    return [...named, ...unknownPlaces(value[key] as JsonValue, member)];
  });
}

/** The arguments with `probe` for each reference and literals unwrapped. */
function fill(value: JsonValue, probe: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => fill(element, probe));
  const object = value as JsonObject;
  if (Object.hasOwn(object, "$output")) return probe;
  if (Object.hasOwn(object, "$literal")) return object.$literal as JsonValue;
  const filled: Record<string, JsonValue> = {};
  for (const key of Object.keys(object)) setOwn(filled, key, fill(object[key] as JsonValue, probe));
  return filled;
}

const withoutLiterals = (taskArguments: JsonObject): JsonValue => fill(taskArguments, null);
