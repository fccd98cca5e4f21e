import type { JsonValue } from "../json";
import { referencesInCondition, statusesOf, valuesOf } from "./edge-place";
import { type Reference, referenceProblemsIn, referencesIn } from "./find-references";
import { listNames } from "./near-names";
import { END_STATUSES, isEndStatus } from "./validate-references";
import type { ValidationContext } from "./validation-context";

/** Completion: there is a check, and what it looks at exists. Every task is upstream of it. */
export function validateCompletion(context: ValidationContext): void {
  const { completion } = context.plan;
  if (completion.length === 0) {
    context.report({
      code: "no_completion_check",
      severity: "warning",
      place: ["completion"],
      message: "Nothing checks that the objective was met: the run completes when its tasks have ended well.",
    });
  }
  completion.forEach((check, index) => {
    const place = ["completion", index];
    switch (check.check) {
      case "json_schema":
        validateTask(context, check.task, [...place, "task"]);
        break;
      case "predicate":
        for (const { value, path } of valuesOf(check.when, [...place, "when"])) validateSyntax(context, value, path);
        validateReferences(context, referencesInCondition(check.when, [...place, "when"]));
        for (const { task, is, path } of statusesOf(check.when, [...place, "when"])) {
          validateTask(context, task, path);
          if (isEndStatus(is)) continue;
          const message = `No task ends “${is.slice(0, 60)}”: ask for ${listNames(END_STATUSES)}.`;
          context.report({ code: "schema", place: [...path.slice(0, -1), "is"], message });
        }
        break;
      case "capability":
        validateSyntax(context, check.arguments, [...place, "arguments"]);
        validateReferences(context, referencesIn(check.arguments, [...place, "arguments"]));
        break;
      case "human":
        break;
    }
  });
}

function validateSyntax(context: ValidationContext, value: JsonValue, path: readonly (string | number)[]): void {
  for (const { at, message } of referenceProblemsIn(value, path)) {
    context.report({ code: "syntax", place: at, message });
  }
}

function validateReferences(context: ValidationContext, references: readonly Reference[]): void {
  for (const { taskId, at } of references) validateTask(context, taskId, at);
}

function validateTask(context: ValidationContext, name: string, place: string | readonly (string | number)[]): void {
  if (context.graph.indexOf.has(name)) return;
  const message = `There is no task “${name}” to check.${context.taskHint(name)}`;
  context.report({ code: "reference_missing_task", place, message });
}
