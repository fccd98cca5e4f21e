import { z } from "zod";
import { notFound } from "../../errors";
import { PLAN_EXPORTERS } from "../../formats/export-plan";
import type { PlanScope } from "../../runtime/plan-store";
import type { Services } from "../../services";

export const exportFormatSchema = z.enum(PLAN_EXPORTERS.map(({ id }) => id));

export interface ExportRequest {
  readonly planId: string;
  /** Default: the newest. */
  readonly number?: number | undefined;
  readonly format: z.infer<typeof exportFormatSchema>;
}

/** A version of a plan as a file. */
export async function exportPlan(
  services: Services,
  scope: PlanScope,
  { planId, number, format }: ExportRequest,
): Promise<{ fileName: string; mediaType: string; text: string }> {
  const version =
    number === undefined
      ? (await services.plans.get(scope, planId))?.current
      : await services.plans.version(scope, planId, number);
  const exporter = PLAN_EXPORTERS.find(({ id }) => id === format);
  if (version === undefined || exporter === undefined) throw notFound();
  return {
    fileName: `${fileNameOf(version.plan.name)}.${exporter.extension}`,
    mediaType: exporter.mediaType,
    text: exporter.write(version.plan),
  };
}

/** A name that every file system takes. */
const fileNameOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .toLowerCase()
    .slice(0, 80) || "plan";
