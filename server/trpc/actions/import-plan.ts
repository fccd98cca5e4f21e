import type { PlanScope } from "../../runtime/plan-store";
import type { Services } from "../../services";
import type { ImportInput, ImportReport } from "../schemas/import";
import { acceptPlan } from "./check-plan";

/** Reads a file of any known format and keeps it as a new plan. */
export async function importPlan(services: Services, scope: PlanScope, input: ImportInput): Promise<ImportReport> {
  const text =
    input.content.encoding === "text" ? input.content.data : Buffer.from(input.content.data, "base64").toString("utf8");
  const plan = acceptPlan(JSON.parse(text));
  const same = input.reuse ? await services.plans.findSame(scope, plan) : undefined;
  const planId = same ?? (await services.plans.create(scope, plan)).planId;
  return {
    planId,
    created: same === undefined,
    report: { format: "planwright-json", name: plan.name, tasks: plan.tasks.length, edges: 0, notCarriedOver: 0 },
    diagnostics: [],
  };
}
