import { isJsonObject } from "#kernel/json";
import { parsePlan } from "#kernel/plan/parse";
import { err, ok } from "#kernel/result";
import { diagnose } from "./diagnose";
import { placeDiagnostics } from "./finish-import";
import type { PlanFormat } from "./plan-format";

/** Our own format, as JSON or YAML. Nothing is mended: what does not fit the schema is an error at its place. */
export const nativeFormat: PlanFormat = {
  id: "planwright",
  title: "Planwright plan",

  detect: ({ document }) => {
    if (!isJsonObject(document?.value)) return false;
    const { format } = document.value;
    return (typeof format === "string" && format.startsWith("planwright/")) || Object.hasOwn(document.value, "tasks");
  },

  import: ({ document }) => {
    if (document === undefined) return err([diagnose({ code: "syntax", message: "A plan is JSON or YAML." })]);
    const locate = document.locate.bind(document);
    const parsed = parsePlan(document.value);
    if (!parsed.ok) return err(placeDiagnostics(parsed.error, locate));
    const plan = parsed.value;
    if (plan.tasks.length === 0) {
      return err(
        placeDiagnostics([diagnose({ code: "schema", pointer: "/tasks", message: "The plan has no tasks." })], locate),
      );
    }
    return ok({
      plan,
      diagnostics: [],
      report: {
        format: nativeFormat.id,
        title: nativeFormat.title,
        tasks: plan.tasks.length,
        renamed: [],
        placeholders: [],
        notes: [],
      },
      locate,
    });
  },
};
