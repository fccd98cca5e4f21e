import { formatPointer, getAtPointer, isJsonObject, type JsonObject, type JsonValue, setOwn } from "../json";
import { err, ok, type Result } from "../result";
import {
  formatReference,
  hasTemplate,
  type OutputForm,
  parseTemplate,
  type ReferenceTarget,
  shorten,
  specialForm,
} from "./reference-grammar";

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

/** How an output reads inside a string: text as it is, anything else as JSON. */
const asText = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));
