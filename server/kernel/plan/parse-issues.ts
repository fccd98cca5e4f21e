import type { z } from "zod";
import { formatPointer, isJsonObject } from "../json";
import type { Diagnostic } from "./diagnostic";

type Issue = z.core.$ZodIssue;
type Path = readonly (string | number)[];

/**
 * What a plan must not say of itself: who approved it, who may sign, what it may spend beyond its own budgets.
 * A planner that writes one of these is told so by name, since that is an attempt to grant trust, not a typing error.
 */
const TRUST_FIELDS: ReadonlySet<string> = new Set([
  "admin",
  "allowed",
  "approvals",
  "approved",
  "approvedAt",
  "approvedBy",
  "approver",
  "approvers",
  "authorized",
  "authorizedBy",
  "autoApprove",
  "budget",
  "decidedBy",
  "decision",
  "gate",
  "permissions",
  "policy",
  "principal",
  "reviewedBy",
  "role",
  "roles",
  "scopes",
  "signature",
  "signedBy",
  "skipApproval",
  "trust",
  "trusted",
  "verified",
]);

/** The issues of a schema as diagnostics, each at its own place; `root` is where `input` stands in the document. */
export function diagnosticsOfIssues(issues: readonly Issue[], input: unknown, root: Path): readonly Diagnostic[] {
  return issues.flatMap((issue) => diagnosticsOf(issue, input, root));
}

function diagnosticsOf(issue: Issue, input: unknown, root: Path): readonly Diagnostic[] {
  const inner = issue.path.filter((part) => typeof part !== "symbol");
  const path = [...root, ...inner];
  const received = valueAt(input, inner);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => located([...path, key], unknownKey(key)));
    case "invalid_union":
      return ofUnion(issue.errors, received, path);
    case "invalid_format":
      return [{ ...located(path, taskIdMessage(received)), code: "task_id_invalid" }];
    case "invalid_type":
      return received === undefined
        ? [located(path, `“${String(path.at(-1) ?? "plan")}” is required: ${expected(issue.expected)}.`)]
        : [located(path, `Expected ${expected(issue.expected)}, not ${nameOf(received)}.`)];
    case "invalid_value":
      return [located(path, `Must be ${listOf(issue.values.map((value) => JSON.stringify(value)))}.`)];
    default:
      return [located(path, `${issue.message}.`)];
  }
}

/** A union says only that no branch fits; the branch that got furthest into the value is the one that was meant. */
function ofUnion(branches: readonly (readonly Issue[])[], received: unknown, path: Path): readonly Diagnostic[] {
  const deepest = branches
    .filter((issues) => issues.length > 0 && issues.every((issue) => issue.path.length > 0 || meantForIt(issue)))
    .sort((a, b) => a.length - b.length)[0];
  if (deepest === undefined) {
    return [
      located(path, 'A condition is true, false, or one of {"all"}, {"any"}, {"not"}, {"status", "is"}, {"value", …}.'),
    ];
  }
  return diagnosticsOfIssues(deepest, received, path);
}

const meantForIt = (issue: Issue): boolean => issue.code === "unrecognized_keys" && issue.keys.length === 1;

function located(path: Path, message: string): Diagnostic {
  return { code: "schema", severity: "error", pointer: formatPointer(path), message, related: [] };
}

const unknownKey = (key: string): string =>
  TRUST_FIELDS.has(key)
    ? `A plan cannot grant trust: “${key}” is refused. People decide approvals, and budgets stand under “budgets”.`
    : `“${key.slice(0, 100)}” is not part of the plan format.`;

const taskIdMessage = (received: unknown): string =>
  `${typeof received === "string" ? `“${received.slice(0, 100)}”` : "This"} is no task id: 1 to 128 letters, digits, “_”, “.” or “-”, starting with a letter or digit.`;

function valueAt(input: unknown, path: Path): unknown {
  let value = input;
  for (const part of path) {
    if (Array.isArray(value)) value = value[Number(part)];
    else if (isJsonObject(value)) value = Object.hasOwn(value, part) ? value[part] : undefined;
    else return undefined;
  }
  return value;
}

const EXPECTED: ReadonlyMap<string, string> = new Map([
  ["array", "a list"],
  ["object", "an object"],
  ["record", "an object"],
  ["string", "text"],
  ["number", "a number"],
  ["int", "a whole number"],
  ["boolean", "true or false"],
]);

const expected = (type: string): string => EXPECTED.get(type) ?? type;

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return EXPECTED.get(typeof value) ?? typeof value;
}

const listOf = (options: readonly string[]): string =>
  options.length < 2 ? options.join() : `${options.slice(0, -1).join(", ")} or ${options.at(-1)}`;
