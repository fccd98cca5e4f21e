import type { PrismaClient } from "../../prisma/generated/client";
import type { PlanSummary } from "../runtime/plan-records";

type LastRun = NonNullable<PlanSummary["lastRun"]>;

/** The newest run of each plan that has one. */
export async function latestRuns(
  _prisma: PrismaClient,
  _planIds: readonly string[],
): Promise<ReadonlyMap<string, LastRun>> {
  return new Map();
}
