import { formatPointer, type JsonObject, type JsonValue } from "../json";
import { hasTemplate, parseTemplate, type ReferenceTarget, specialForm } from "./reference-grammar";

export interface Reference extends ReferenceTarget {
  /** `output` keeps the type, `text` is interpolated into a string, `key` into the name of a member. */
  readonly form: "output" | "text" | "key";
  /** JSON pointer to the object or string that holds it. */
  readonly at: string;
  readonly hasDefault: boolean;
}

/** Something that looks like a reference and is none. */
export interface ReferenceProblem {
  readonly at: string;
  readonly message: string;
}

/** Every reference in a value, in document order, defaults included; `item` among them. */
export function referencesIn(value: JsonValue, at: readonly (string | number)[] = []): readonly Reference[] {
  const references: Reference[] = [];
  visit(value, [...at], { reference: (reference) => references.push(reference), problem: () => {} });
  return references;
}

/** Everything in a value that looks like a reference and cannot be read as one. */
export function referenceProblemsIn(
  value: JsonValue,
  at: readonly (string | number)[] = [],
): readonly ReferenceProblem[] {
  const problems: ReferenceProblem[] = [];
  visit(value, [...at], { reference: () => {}, problem: (problem) => problems.push(problem) });
  return problems;
}

interface ReferenceVisitor {
  reference(reference: Reference): void;
  problem(problem: ReferenceProblem): void;
}

function visit(value: JsonValue, path: (string | number)[], visitor: ReferenceVisitor): void {
  if (typeof value === "string") {
    if (hasTemplate(value)) visitTemplate(value, "text", path, visitor);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      path.push(index);
      visit(value[index] as JsonValue, path, visitor);
      path.pop();
    }
    return;
  }
  const object = value as JsonObject;
  const special = specialForm(object);
  if (special === undefined) {
    for (const key of Object.keys(object)) {
      path.push(key);
      if (hasTemplate(key)) visitTemplate(key, "key", path, visitor);
      visit(object[key] as JsonValue, path, visitor);
      path.pop();
    }
  } else if ("problem" in special) {
    visitor.problem({ at: formatPointer(path), message: special.problem });
  } else if ("output" in special) {
    const { target, fallback } = special.output;
    visitor.reference({ ...target, form: "output", at: formatPointer(path), hasDefault: fallback !== undefined });
    if (fallback !== undefined) {
      path.push("default");
      visit(fallback, path, visitor);
      path.pop();
    }
  }
}

function visitTemplate(
  text: string,
  form: "text" | "key",
  path: readonly (string | number)[],
  visitor: ReferenceVisitor,
): void {
  for (const part of parseTemplate(text)) {
    if (part.kind === "reference") {
      visitor.reference({ ...part.target, form, at: formatPointer(path), hasDefault: false });
    } else if (part.kind === "problem") {
      visitor.problem({ at: formatPointer(path), message: part.message });
    }
  }
}

/** True where a value holds a reference, or something that looks like one. */
export function holdsReference(value: JsonValue): boolean {
  if (typeof value === "string") return hasTemplate(value);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((element) => holdsReference(element as JsonValue));
  const object = value as JsonObject;
  if (Object.hasOwn(object, "$output")) return true;
  if (Object.hasOwn(object, "$literal")) return Object.keys(object).length > 1;
  for (const key of Object.keys(object)) {
    if (hasTemplate(key) || holdsReference(object[key] as JsonValue)) return true;
  }
  return false;
}

/** Calls `found` with the task of every reference; cheaper than {@link referencesIn} where only edges are wanted. */
export function forEachReferencedTask(value: JsonValue, found: (taskId: string) => void): void {
  if (typeof value === "string") {
    if (!hasTemplate(value)) return;
    for (const part of parseTemplate(value)) if (part.kind === "reference") found(part.target.taskId);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const element of value) forEachReferencedTask(element as JsonValue, found);
    return;
  }
  const object = value as JsonObject;
  const special = specialForm(object);
  if (special === undefined) {
    for (const key of Object.keys(object)) {
      if (hasTemplate(key)) forEachReferencedTask(key, found);
      forEachReferencedTask(object[key] as JsonValue, found);
    }
  } else if ("output" in special) {
    found(special.output.target.taskId);
    if (special.output.fallback !== undefined) forEachReferencedTask(special.output.fallback, found);
  }
}
