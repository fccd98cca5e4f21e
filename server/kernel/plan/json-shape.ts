import { formatPointer } from "../json";
import type { PlanLimits } from "./limits";

/** Something in a value that JSON cannot say, or that is too deep or too large. */
export interface ShapeProblem {
  readonly code: "schema" | "limit_exceeded";
  readonly pointer: string;
  readonly message: string;
}

/** At most this many are listed: the input is no document of ours, and one place is enough to see that. */
const SHAPE_PROBLEMS_MAX = 20;

/**
 * Checks that any JavaScript value is plain JSON within the limits; members that are undefined count as absent.
 * Ends on every input: cycles are found, depth is bounded, and a value that refers to one part many times is
 * measured at its full length and given up once that is too long.
 */
export function shapeProblems(value: unknown, limits: Pick<PlanLimits, "depth" | "bytes">): readonly ShapeProblem[] {
  const shape = new Shape(limits);
  try {
    shape.check(value);
  } catch (thrown) {
    if (!(thrown instanceof TooMuch)) shape.report("schema", "A part of the document could not be read.");
  }
  return shape.problems;
}

/** Ends the walk; never leaves this file. */
class TooMuch extends Error {}

class Shape {
  readonly problems: ShapeProblem[] = [];
  readonly #limits: Pick<PlanLimits, "depth" | "bytes">;
  readonly #path: (string | number)[] = [];
  readonly #open: object[] = [];
  #bytes = 0;

  constructor(limits: Pick<PlanLimits, "depth" | "bytes">) {
    this.#limits = limits;
  }

  report(code: ShapeProblem["code"], message: string): void {
    this.problems.push({ code, pointer: formatPointer(this.#path), message });
    if (this.problems.length >= SHAPE_PROBLEMS_MAX) throw new TooMuch();
  }

  check(value: unknown): void {
    switch (typeof value) {
      case "string":
        this.#count(value.length + 2);
        return;
      case "number":
        this.#count(8);
        if (!Number.isFinite(value)) this.report("schema", `${value} is not a JSON number.`);
        return;
      case "boolean":
        this.#count(5);
        return;
      case "object":
        if (value === null) this.#count(4);
        else this.#compound(value);
        return;
      default:
        this.report("schema", `${value === undefined ? "undefined" : `A ${typeof value}`} is not JSON.`);
    }
  }

  #compound(value: object): void {
    if (this.#open.includes(value)) {
      this.report("schema", "The document contains itself.");
      return;
    }
    if (this.#open.length >= this.#limits.depth) {
      this.report("limit_exceeded", `Nested more than ${this.#limits.depth} levels deep.`);
      return;
    }
    this.#open.push(value);
    this.#count(2);
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) this.#member(index, value[index]);
    } else if (isPlainObject(value)) {
      for (const key of Object.keys(value)) {
        const member = (value as Readonly<Record<string, unknown>>)[key];
        if (member === undefined) continue;
        this.#count(key.length + 4);
        this.#member(key, member);
      }
    } else {
      this.report("schema", "Only plain objects and lists are JSON.");
    }
    this.#open.pop();
  }

  #member(key: string | number, value: unknown): void {
    this.#path.push(key);
    this.check(value);
    this.#path.pop();
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#limits.bytes) return;
    this.#path.length = 0;
    this.report("limit_exceeded", `Longer than ${this.#limits.bytes} characters as JSON.`);
    throw new TooMuch();
  }
}

/** An object literal of this or another realm, or one without a prototype. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
