import { isTaskId } from "../ids";
import {
  formatPointer,
  getAtPointer,
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parsePointer,
  setOwn,
} from "../json";
import { err, ok, type Result } from "../result";

/**
 * References: the one place that reads, resolves and rewrites them.
 *
 * - `{"$output": "task"}` is a task's whole output, `{"$output": "task#/a/b"}` a part of it (RFC 6901), type kept.
 *   `{"$output": …, "default": value}` uses the value where the output is not to be had; the value is plan data, so
 *   it may hold references itself.
 * - In a string, `${task}` and `${task#/a/b}` become text; `$${` is a literal `${`. Keys of objects are strings too.
 * - `{"$literal": value}` is the value, untouched.
 * - In a task with `forEach`, the name `item` is the item of this instance.
 *
 * Resolution walks the plan's own data once and copies outputs in as they are, so text that came out of a tool is
 * never read as a reference, whatever it looks like.
 */

/** The name that means "this item" in a task with `forEach`. */
export const ITEM = "item";

/** What a reference points at: a task (or `item`) and a JSON pointer into its output, "" for all of it. */
export interface ReferenceTarget {
  readonly taskId: string;
  readonly pointer: string;
}

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

/** Why a reference gave no value. The task that holds it fails before any call. */
export interface ReferenceFailure {
  readonly code: "reference_unresolved";
  /** JSON pointer into the value that was being resolved. */
  readonly pointer: string;
  /** As written: `task#/pointer`. */
  readonly reference: string;
  readonly message: string;
}

/** What a lookup knows of a task: its output, or why there is none ("was skipped"). */
export type OutputLookup =
  | { readonly found: true; readonly output: JsonValue }
  | { readonly found: false; readonly reason: string };

/** Where a resolved value came from: `plan`, references as `task#/pointer`, or `default`. */
export interface ArgumentOrigin {
  /** JSON pointer into the resolved value. */
  pointer: string;
  from: string[];
}

export interface Resolved<Value extends JsonValue = JsonValue> {
  readonly value: Value;
  readonly origins: ArgumentOrigin[];
}

type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reference"; readonly target: ReferenceTarget; readonly source: string }
  | { readonly kind: "problem"; readonly message: string };

/** `task#/pointer` → its parts; undefined where the text is no reference. */
export function parseReference(text: string): ReferenceTarget | undefined {
  const hash = text.indexOf("#");
  const taskId = hash === -1 ? text : text.slice(0, hash);
  const pointer = hash === -1 ? "" : text.slice(hash + 1);
  if (!isTaskId(taskId) || parsePointer(pointer) === undefined) return undefined;
  return { taskId, pointer };
}

export const formatReference = (target: ReferenceTarget): string =>
  target.pointer === "" ? target.taskId : `${target.taskId}#${target.pointer}`;

/** Splits a string into literal text and references; `$${` has become `${` in the text. */
function parseTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let literal = "";
  let at = 0;
  const flush = (): void => {
    if (literal !== "") parts.push({ kind: "text", text: literal });
    literal = "";
  };
  while (at < text.length) {
    const dollar = text.indexOf("$", at);
    if (dollar === -1) break;
    literal += text.slice(at, dollar);
    if (text.startsWith("$${", dollar)) {
      literal += "${";
      at = dollar + 3;
    } else if (text.startsWith("${", dollar)) {
      const end = text.indexOf("}", dollar);
      const source = end === -1 ? text.slice(dollar) : text.slice(dollar, end + 1);
      const target = end === -1 ? undefined : parseReference(source.slice(2, -1));
      flush();
      parts.push(
        target === undefined
          ? { kind: "problem", message: templateProblem(source, end !== -1) }
          : { kind: "reference", target, source },
      );
      at = dollar + source.length;
    } else {
      literal += "$";
      at = dollar + 1;
    }
  }
  literal += text.slice(at);
  flush();
  return parts;
}

const templateProblem = (source: string, closed: boolean): string =>
  closed
    ? `“${shorten(source)}” is not a reference: write \${task#/pointer}, or $\${ for a literal \${.`
    : `“${shorten(source)}” opens a reference that never ends: close it with }, or write $\${ for a literal \${.`;

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

const hasTemplate = (text: string): boolean => text.includes("${");

interface OutputForm {
  readonly target: ReferenceTarget;
  readonly source: string;
  readonly fallback: JsonValue | undefined;
}

/** Reads `{"$output": …}` and `{"$literal": …}`; undefined for any other object. */
function specialForm(
  object: JsonObject,
): { output: OutputForm } | { literal: JsonValue } | { problem: string } | undefined {
  if (Object.hasOwn(object, "$output")) {
    const source = object.$output;
    const extra = Object.keys(object).find((key) => key !== "$output" && key !== "default");
    if (extra !== undefined) return { problem: `Only “default” may stand beside “$output”, not “${shorten(extra)}”.` };
    const target = typeof source === "string" ? parseReference(source) : undefined;
    if (target === undefined || typeof source !== "string") {
      return { problem: "“$output” names a task and a part of its output, as in task#/pointer." };
    }
    return { output: { target, source, fallback: getOwn(object, "default") } };
  }
  if (Object.hasOwn(object, "$literal")) {
    if (Object.keys(object).length > 1) return { problem: "Nothing may stand beside “$literal”." };
    return { literal: object.$literal as JsonValue };
  }
  return undefined;
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

/** Every reference in a value, in document order, defaults included; `item` among them. */
export function referencesIn(value: JsonValue, at: readonly (string | number)[] = []): readonly Reference[] {
  const references: Reference[] = [];
  visit(value, [...at], { reference: (reference) => references.push(reference), problem: () => {} });
  return references;
}

/** The same value with `${` written so that it is text and no reference. */
export const escapeText = (text: string): string => text.replaceAll("${", () => "$${");

/** Everything in a value that looks like a reference and cannot be read as one. */
export function referenceProblemsIn(
  value: JsonValue,
  at: readonly (string | number)[] = [],
): readonly ReferenceProblem[] {
  const problems: ReferenceProblem[] = [];
  visit(value, [...at], { reference: () => {}, problem: (problem) => problems.push(problem) });
  return problems;
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

/** How an output reads inside a string: text as it is, anything else as JSON. */
const asText = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));

class Resolver {
  readonly failures: ReferenceFailure[] = [];
  readonly origins: ArgumentOrigin[] = [];
  readonly #lookup: (taskId: string) => OutputLookup;

  constructor(lookup: (taskId: string) => OutputLookup) {
    this.#lookup = lookup;
  }

  /** The resolved value; where it could not be, null, with the failure recorded. */
  resolve(value: JsonValue, path: (string | number)[]): JsonValue {
    if (typeof value === "string") {
      if (!hasTemplate(value)) return this.#fromPlan(value, path);
      const from: string[] = [];
      const text = this.#template(value, path, from);
      this.#came(path, from);
      return text;
    }
    if (typeof value !== "object" || value === null) return this.#fromPlan(value, path);
    if (Array.isArray(value)) {
      if (value.length === 0) return this.#fromPlan(value, path);
      return value.map((element, index) => this.#member(element as JsonValue, index, path));
    }
    const object = value as JsonObject;
    const special = specialForm(object);
    if (special === undefined) return this.#object(object, path);
    if ("literal" in special) return this.#fromPlan(special.literal, path);
    if ("problem" in special) return this.#fail(path, "$output", special.problem);
    return this.#output(special.output, path);
  }

  #object(object: JsonObject, path: (string | number)[]): JsonValue {
    const keys = Object.keys(object);
    if (keys.length === 0) return this.#fromPlan(object, path);
    const resolved: Record<string, JsonValue> = {};
    for (const key of keys) {
      const from: string[] = [];
      const failedBefore = this.failures.length;
      const name = hasTemplate(key) ? this.#template(key, [...path, key], from) : key;
      const isNamed = this.failures.length === failedBefore;
      const member = this.#member(object[key] as JsonValue, name, path);
      if (!isNamed) continue;
      if (Object.hasOwn(resolved, name)) {
        this.#fail([...path, key], key, `Two members of this object came to have the name “${shorten(name)}”.`);
        continue;
      }
      if (from.length > 0) this.#came([...path, name], from);
      setOwn(resolved, name, member);
    }
    return resolved;
  }

  #member(value: JsonValue, key: string | number, path: (string | number)[]): JsonValue {
    path.push(key);
    const resolved = this.resolve(value, path);
    path.pop();
    return resolved;
  }

  #output(form: OutputForm, path: (string | number)[]): JsonValue {
    const looked = this.#find(form.target);
    if (looked.found) {
      this.#came(path, [form.source]);
      return looked.output;
    }
    if (form.fallback === undefined) return this.#fail(path, form.source, looked.reason);
    const before = this.origins.length;
    const value = this.resolve(form.fallback, path);
    for (const origin of this.origins.slice(before)) origin.from.unshift("default");
    return value;
  }

  #template(text: string, path: readonly (string | number)[], from: string[]): string {
    let result = "";
    const add = (origin: string): void => {
      if (!from.includes(origin)) from.push(origin);
    };
    for (const part of parseTemplate(text)) {
      if (part.kind === "text") {
        add("plan");
        result += part.text;
      } else if (part.kind === "problem") {
        this.#fail(path, shorten(text), part.message);
      } else {
        const looked = this.#find(part.target);
        if (looked.found) {
          add(formatReference(part.target));
          result += asText(looked.output);
        } else {
          this.#fail(path, formatReference(part.target), looked.reason);
        }
      }
    }
    return result;
  }

  #find(target: ReferenceTarget): OutputLookup {
    const looked = this.#lookup(target.taskId);
    if (!looked.found) return looked;
    const value = getAtPointer(looked.output, target.pointer);
    if (value !== undefined) return { found: true, output: value };
    return { found: false, reason: `The output of ${target.taskId} has nothing at “${target.pointer}”.` };
  }

  #fromPlan(value: JsonValue, path: readonly (string | number)[]): JsonValue {
    this.#came(path, ["plan"]);
    return value;
  }

  #came(path: readonly (string | number)[], from: string[]): void {
    this.origins.push({ pointer: formatPointer(path), from });
  }

  #fail(path: readonly (string | number)[], reference: string, message: string): null {
    this.failures.push({ code: "reference_unresolved", pointer: formatPointer(path), reference, message });
    return null;
  }
}

/**
 * Puts the outputs of other tasks into a value, once.
 *
 * @param lookup the output of a task, or why there is none; asked with `item` for the item of a `forEach` instance.
 * @returns the value with the origin of each leaf, or every reference that gave no value.
 */
export function resolveValue(
  value: JsonValue,
  lookup: (taskId: string) => OutputLookup,
): Result<Resolved, readonly ReferenceFailure[]> {
  const resolver = new Resolver(lookup);
  const resolved = resolver.resolve(value, []);
  if (resolver.failures.length > 0) return err(resolver.failures);
  return ok({ value: resolved, origins: resolver.origins });
}

/**
 * The arguments of a task as they will be sent: {@link resolveValue}, of which the result must be an object, since
 * `{"$output": "task"}` may stand for all the arguments at once.
 */
export function resolveArguments(
  taskArguments: JsonObject,
  lookup: (taskId: string) => OutputLookup,
): Result<Resolved<JsonObject>, readonly ReferenceFailure[]> {
  const resolved = resolveValue(taskArguments, lookup);
  if (!resolved.ok) return resolved;
  const { value, origins } = resolved.value;
  if (!isJsonObject(value)) {
    return err([
      {
        code: "reference_unresolved",
        pointer: "",
        reference: "",
        message: "The arguments as a whole are not an object.",
      },
    ]);
  }
  return ok({ value, origins });
}

/**
 * The same value with references to other tasks renamed and nothing else touched; the very same object where no
 * reference changed.
 */
export function renameReferences(value: JsonValue, rename: (taskId: string) => string): JsonValue {
  if (typeof value === "string") return hasTemplate(value) ? renameInText(value, rename) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const renamed = value.map((element) => renameReferences(element as JsonValue, rename));
    return renamed.some((element, index) => element !== value[index]) ? renamed : value;
  }
  const object = value as JsonObject;
  const special = specialForm(object);
  if (special !== undefined && !("output" in special)) return value;
  let changed = false;
  const renamed: Record<string, JsonValue> = {};
  for (const key of Object.keys(object)) {
    const before = object[key] as JsonValue;
    const isTarget = special !== undefined && key === "$output";
    const after = isTarget ? renameReference(before as string, rename) : renameReferences(before, rename);
    const name = hasTemplate(key) ? renameInText(key, rename) : key;
    if (after !== before || name !== key) changed = true;
    setOwn(renamed, name, after);
  }
  return changed ? renamed : value;
}

function renameReference(source: string, rename: (taskId: string) => string): string {
  const hash = source.indexOf("#");
  return hash === -1 ? rename(source) : rename(source.slice(0, hash)) + source.slice(hash);
}

/** Rewrites only the names inside `${…}`; every other character, escapes included, stays as it was written. */
function renameInText(text: string, rename: (taskId: string) => string): string {
  return text.replaceAll(/\$\$\{|\$\{([^}]*)\}/g, (match: string, inner: string | undefined) =>
    inner === undefined || parseReference(inner) === undefined ? match : `\${${renameReference(inner, rename)}}`,
  );
}
