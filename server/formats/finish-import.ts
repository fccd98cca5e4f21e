import type { JsonValue } from "#kernel/json";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { parsePlan } from "#kernel/plan/parse";
import { PLAN_FORMAT } from "#kernel/plan/plan";
import { err, ok, type Result } from "#kernel/result";
import { count, diagnose, quote } from "./diagnose";
import type { Placeholder, Placeholders } from "./placeholders";
import type { ImportedPlan, PlanFormat } from "./plan-format";
import type { Position } from "./position";

interface Draft {
  readonly format: Pick<PlanFormat, "id" | "title">;
  readonly name: string | undefined;
  readonly objective?: string | undefined;
  readonly fileName?: string | undefined;
  /** Tasks in the native format, before parsing. */
  readonly tasks: readonly JsonValue[];
  readonly diagnostics: readonly Diagnostic[];
  readonly renamed?: readonly { from: string; to: string }[];
  /** The names that the tasks' capabilities came from, where the source has tools of its own. */
  readonly placeholders?: Placeholders;
  readonly pools?: Readonly<Record<string, number>>;
  readonly maxParallel?: number | undefined;
  readonly deadlineSeconds?: number | undefined;
  readonly notes: readonly string[];
  readonly locate: (pointers: Iterable<string>) => ReadonlyMap<string, Position>;
}

/** The last step of every importer of a foreign format: a typed plan with tasks, or errors that say where. */
export function finishImport(draft: Draft): Result<ImportedPlan, Diagnostic[]> {
  const { format, tasks, locate } = draft;
  if (tasks.length === 0) {
    const message = `The text reads as ${format.title} but holds no tasks.`;
    return err([diagnose({ code: "schema", message }, locate([""]).get(""))]);
  }
  const parsed = parsePlan({
    format: PLAN_FORMAT,
    name: planName(draft),
    ...(draft.objective === undefined || draft.objective === "" ? {} : { objective: draft.objective.slice(0, 4_000) }),
    ...(draft.maxParallel === undefined ? {} : { maxParallel: draft.maxParallel }),
    ...(Object.keys(draft.pools ?? {}).length === 0 ? {} : { pools: draft.pools }),
    tasks,
    ...(draft.deadlineSeconds === undefined ? {} : { budgets: { deadlineSeconds: draft.deadlineSeconds } }),
    source: { format: format.id, ...(draft.fileName === undefined ? {} : { name: draft.fileName }) },
  });
  if (!parsed.ok) return err(placeDiagnostics(parsed.error, locate));
  const placeholders = draft.placeholders?.list ?? [];
  return ok({
    plan: parsed.value,
    diagnostics: draft.diagnostics,
    report: {
      format: format.id,
      title: format.title,
      tasks: tasks.length,
      renamed: draft.renamed ?? [],
      placeholders,
      notes: placeholders.length === 0 ? draft.notes : [...draft.notes, describePlaceholders(placeholders)],
    },
    locate,
  });
}

/** How many placeholders a note lists by name. */
const LISTED_PLACEHOLDERS = 12;

function describePlaceholders(placeholders: readonly Placeholder[]): string {
  const listed = placeholders
    .slice(0, LISTED_PLACEHOLDERS)
    .map(({ capability, tool, tasks }) => `${capability}${tool === capability ? "" : ` (${quote(tool)})`} × ${tasks}`);
  const others = placeholders.length - listed.length;
  return `Placeholders, to be mapped to registered capabilities: ${listed.join(", ")}${others > 0 ? ` and ${count(others, "other")}` : ""}.`;
}

/** The same diagnostics, each with the line and column where its pointer stands in the source. */
export function placeDiagnostics(
  diagnostics: readonly Diagnostic[],
  locate: (pointers: Iterable<string>) => ReadonlyMap<string, Position>,
): Diagnostic[] {
  if (diagnostics.length === 0) return [];
  const positions = locate(new Set(diagnostics.map((diagnostic) => diagnostic.pointer)));
  return diagnostics.map((diagnostic) =>
    diagnostic.line === undefined ? { ...diagnostic, ...positions.get(diagnostic.pointer) } : diagnostic,
  );
}

/** The document's own name, else the file's, else the format's. */
function planName({ name, fileName, format }: Draft): string {
  const fileStem = fileName?.replace(/^.*[/\\]/, "").replace(/(\.[A-Za-z]{1,5}){1,2}$/, "");
  const chosen = [name, fileStem].find((candidate) => candidate !== undefined && candidate.trim() !== "");
  return (chosen ?? format.id).trim().slice(0, 200);
}
