import type { JsonValue } from "#kernel/json";
import type { Condition } from "#kernel/plan/plan";
import { allOf, anyOf, equalsText, notOf } from "./conditions";
import type { Comparison, Expression } from "./expression";

/** What the names of an engine's conditions mean. */
export interface Vocabulary {
  /** The value in our notation; undefined where it is not known before the run. */
  value(expression: Expression): JsonValue | undefined;
  /** A condition of its own, such as a call of `failure()` or a comparison with a task's result. */
  condition?(expression: Expression): Condition | undefined;
}

export interface Translation {
  /** Holds wherever the original does. */
  readonly condition: Condition;
  /** False where a part is not known here: the condition then holds more often than the original. */
  readonly exact: boolean;
}

const UNKNOWN: Translation = { condition: true, exact: false };

/** A condition of an engine as ours, as far as its names are known. */
export function translateCondition(expression: Expression | undefined, vocabulary: Vocabulary): Translation {
  if (expression === undefined) return UNKNOWN;
  const special = vocabulary.condition?.(expression);
  if (special !== undefined) return { condition: special, exact: true };
  switch (expression.kind) {
    case "and": {
      const parts = expression.parts.map((part) => translateCondition(part, vocabulary));
      return { condition: allOf(parts.map((part) => part.condition)), exact: parts.every((part) => part.exact) };
    }
    case "or": {
      const parts = expression.parts.map((part) => translateCondition(part, vocabulary));
      return { condition: anyOf(parts.map((part) => part.condition)), exact: parts.every((part) => part.exact) };
    }
    case "not": {
      const part = translateCondition(expression.part, vocabulary);
      return part.exact ? { condition: notOf(part.condition), exact: true } : UNKNOWN;
    }
    case "compare": {
      const condition = compare(expression, vocabulary);
      return condition === undefined ? UNKNOWN : { condition, exact: true };
    }
    case "call":
      return UNKNOWN;
    case "literal":
    case "path":
    case "template": {
      const value = vocabulary.value(expression);
      if (value === undefined) return UNKNOWN;
      return { condition: typeof value === "object" ? { value } : Boolean(value), exact: true };
    }
  }
}

function compare(
  { operator, left, right }: Extract<Expression, { kind: "compare" }>,
  vocabulary: Vocabulary,
): Condition | undefined {
  const [a, b] = [vocabulary.value(left), vocabulary.value(right)];
  if (a === undefined || b === undefined) return undefined;
  // A literal stands on the right, so that the texts of an engine can be compared with numbers too.
  if (typeof a !== "object" && typeof b === "object") return comparison(MIRRORED[operator], b, a);
  return comparison(operator, a, b);
}

const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

function comparison(operator: Comparison, value: JsonValue, literal: JsonValue): Condition | undefined {
  const equal = equalsText(value, literal);
  if (operator === "==") return equal;
  if (operator === "!=") return notOf(equal);
  const bound = typeof literal === "number" ? literal : Number.NaN;
  if (Number.isNaN(bound)) return undefined;
  const strict: Condition = operator.startsWith("<") ? { value, lessThan: bound } : { value, greaterThan: bound };
  return operator.endsWith("=") ? anyOf([strict, equal]) : strict;
}
