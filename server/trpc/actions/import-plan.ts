import { AppError } from "../../errors";
import { importPlan as readPlan } from "../../formats/import-plan";
import type { ImportedPlan } from "../../formats/plan-format";
import { readText } from "../../formats/read-text";
import type { PlanScope } from "../../runtime/plan-store";
import type { Services } from "../../services";
import type { ImportInput, ImportReport } from "../schemas/import";
import { checkPlan } from "./check-plan";

/** Reads a file of any known format and keeps it as a new plan, with its problems placed in the file. */
export async function importPlan(services: Services, scope: PlanScope, input: ImportInput): Promise<ImportReport> {
  const imported = await readImport(input);
  const { plan, report } = imported;
  const same = input.reuse ? await services.plans.findSame(scope, plan) : undefined;
  const planId = same ?? (await services.plans.create(scope, plan)).planId;
  const validation = checkPlan(services, await services.capabilities.registryOf(scope.workspaceId), plan);
  const places = imported.locate(validation.diagnostics.map((diagnostic) => diagnostic.pointer));
  const problems = validation.diagnostics.map((diagnostic) => ({ ...diagnostic, ...places.get(diagnostic.pointer) }));
  return {
    planId,
    created: same === undefined,
    report: {
      format: report.title,
      name: plan.name,
      tasks: plan.tasks.length,
      edges: validation.graph.edgeCount,
      notCarriedOver: imported.diagnostics.filter(({ code }) => code === "not_carried_over").length,
      notes: [...report.notes],
    },
    diagnostics: [...imported.diagnostics, ...problems],
  };
}

async function readImport({ fileName, content, plan }: ImportInput): Promise<ImportedPlan> {
  const text =
    content.encoding === "text"
      ? { ok: true as const, value: content.data }
      : await readText(Uint8Array.from(Buffer.from(content.data, "base64")));
  const read = text.ok ? readPlan(text.value, { fileName, plan }) : text;
  if (read.ok) return read.value;
  throw new AppError("import_failed", `${fileName} could not be read as a plan.`, { diagnostics: read.error });
}
