import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import type { Condition } from "#kernel/plan/plan";
import { allOf, anyOf, notOf } from "./conditions";
import { PASSED_ON } from "./control-tasks";
import { carryValue, outputOf } from "./foreign-values";
import { listOf, textOf } from "./read-fields";

/** Every rule stands in the conditions of the later ones. */
const RULES_MAX = 20;
const DEPTH_MAX = 12;
/** Comparisons in all rules together. */
const COMPARISONS_MAX = 200;

export interface ChoiceConditions {
  /** The paths that the rules look at. */
  readonly variables: readonly string[];
  /** When the choice leads to this state. */
  chosen(taskId: string, to: string): Condition;
}

/** The rules of a Choice state as conditions on what it passes on; undefined where one has no counterpart. */
export function choiceConditions(definition: JsonObject): ChoiceConditions | undefined {
  const rules = listOf(definition, "Choices").filter(isJsonObject);
  if (rules.length > RULES_MAX) return undefined;
  const variables = new Variables();
  const translated = rules.map((rule) => ruleCondition(rule, variables, 0));
  if (translated.includes(undefined)) return undefined;
  return {
    variables: [...variables],
    chosen: (taskId, to) => {
      const conditions = translated.map((rule) => (rule === undefined ? false : rule(taskId)));
      const before = (index: number): Condition[] => conditions.slice(0, index).map(notOf);
      const ways = rules.flatMap((rule, index) =>
        textOf(rule, "Next") === to ? [allOf([...before(index), conditions[index] ?? false])] : [],
      );
      if (textOf(definition, "Default") === to) ways.push(allOf(before(conditions.length)));
      return anyOf(ways);
    },
  };
}

/** The paths that rules look at, and how often they do. */
class Variables extends Set<string> {
  comparisons = 0;
}

type Rule = (taskId: string) => Condition;

function ruleCondition(rule: JsonObject, variables: Variables, depth: number): Rule | undefined {
  if (depth > DEPTH_MAX || ++variables.comparisons > COMPARISONS_MAX) return undefined;
  for (const [key, combine] of [
    ["And", allOf],
    ["Or", anyOf],
  ] as const) {
    if (!Object.hasOwn(rule, key)) continue;
    const parts = listOf(rule, key).map((part) =>
      isJsonObject(part) ? ruleCondition(part, variables, depth + 1) : undefined,
    );
    if (parts.includes(undefined)) return undefined;
    return (taskId) => combine(parts.flatMap((part) => (part === undefined ? [] : [part(taskId)])));
  }
  const negated = getOwn(rule, "Not");
  if (isJsonObject(negated)) {
    const part = ruleCondition(negated, variables, depth + 1);
    return part === undefined ? undefined : (taskId) => notOf(part(taskId));
  }
  const variable = textOf(rule, "Variable");
  if (variable === undefined) return undefined;
  variables.add(variable);
  const value = (taskId: string): JsonValue =>
    outputOf(taskId, `${PASSED_ON}/${variable.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  return comparison(rule, value);
}

function comparison(rule: JsonObject, value: (taskId: string) => JsonValue): Rule | undefined {
  for (const [operator, operand] of Object.entries(rule)) {
    const equal: Rule = (taskId) => ({ value: value(taskId), equals: carryValue(operand) });
    if (/^(String|Numeric|Boolean)Equals$/.test(operator)) return equal;
    if (operator === "IsPresent" && typeof operand === "boolean")
      return (taskId) => ({ value: value(taskId), exists: operand });
    if (operator === "IsNull" && typeof operand === "boolean") {
      const isNull: Rule = (taskId) => ({ value: value(taskId), equals: null });
      return operand ? isNull : (taskId) => notOf(isNull(taskId));
    }
    const [, side, orEqual] = /^Numeric(Greater|Less)Than(Equals)?$/.exec(operator) ?? [];
    if (side === undefined || typeof operand !== "number") continue;
    const beyond: Rule = (taskId) =>
      side === "Greater" ? { value: value(taskId), greaterThan: operand } : { value: value(taskId), lessThan: operand };
    return orEqual === undefined ? beyond : (taskId) => anyOf([beyond(taskId), equal(taskId)]);
  }
  return undefined;
}
