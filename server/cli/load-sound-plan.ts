import type { Diagnostic, DiagnosticCode } from "#kernel/plan/diagnostic";
import { validatePlan } from "#kernel/plan/validate";
import { err, type Result } from "#kernel/result";
import { placeDiagnostics } from "../formats/finish-import";
import type { ImportedPlan } from "../formats/plan-format";
import type { CommandIo } from "./command";
import { loadPlan } from "./load-plan";

/** Problems that leave a plan without a graph to work on. Others, such as an unknown capability, do not matter here. */
const STRUCTURAL: ReadonlySet<DiagnosticCode> = new Set([
  "duplicate_task_id",
  "missing_dependency",
  "self_dependency",
  "cycle",
  "reference_missing_task",
  "limit_exceeded",
]);

/** A plan whose graph is complete and has no cycle, or the problems that prevent it, each at its line. */
export async function loadSoundPlan(file: string, io: CommandIo): Promise<Result<ImportedPlan, Diagnostic[]>> {
  const loaded = await loadPlan(file, io);
  if (!loaded.ok) return loaded;
  const problems = validatePlan(loaded.value.plan).diagnostics.filter(
    ({ severity, code }) => severity === "error" && STRUCTURAL.has(code),
  );
  return problems.length === 0 ? loaded : err(placeDiagnostics(problems, loaded.value.locate));
}
