import type { CapabilityRegistry } from "#kernel/capability/capability";
import type { Plan } from "#kernel/plan/plan";
import type { Prisma } from "../../prisma/generated/client";
import type { Database } from "../db";
import type { CapabilityRecords, WorkspaceRegistry } from "../runtime/capability-records";
import { type PlanSummary, planSummarySchema } from "../runtime/plan-records";
import type { PlanScope } from "../runtime/plan-store";
import { readPlanDocument } from "./plan-documents";
import { latestRuns } from "./plan-runs";

/** What the list shows of a plan beyond its row. */
export interface PlanAssessment {
  readonly edges: number;
  readonly shape: readonly number[];
  readonly problems: PlanSummary["problems"];
}

export interface PlanAssessments {
  /** Asked once for every version and every state of the registry it was checked against. */
  readonly assess: (plan: Plan, registry: CapabilityRegistry) => PlanAssessment;
  readonly registryOf: CapabilityRecords["registryOf"];
}

export interface PlanSelection {
  readonly planId?: string;
  readonly search?: string;
  readonly limit: number;
}

/** Assessments kept; a version is immutable, so the oldest is let go only to bound memory. */
const ASSESSMENTS_MAX = 5_000;

/** Reads plans as the list shows them, assessing each version once for every state of the registry. */
export function createPlanSummaries({ prisma, pool }: Database, { assess, registryOf }: PlanAssessments) {
  const assessments = new Map<string, PlanAssessment>();
  const keyOf = (versionId: string, registry: WorkspaceRegistry): string => `${versionId}:${registry.revision}`;

  async function assessMissing(versionIds: readonly string[], registry: WorkspaceRegistry): Promise<void> {
    const missing = versionIds.filter((id) => !assessments.has(keyOf(id, registry)));
    if (missing.length === 0) return;
    const rows = await prisma.planVersion.findMany({
      where: { id: { in: missing } },
      select: { id: true, document: true },
    });
    for (const { id, document } of rows)
      assessments.set(keyOf(id, registry), assess(readPlanDocument(document), registry));
    for (const id of assessments.keys()) {
      if (assessments.size <= ASSESSMENTS_MAX) break;
      assessments.delete(id);
    }
  }

  return {
    async list(scope: PlanScope, selection: PlanSelection): Promise<readonly PlanSummary[]> {
      const rows = await prisma.plan.findMany({
        where: whereSelected(scope, selection),
        orderBy: [{ updatedAt: "desc" }, { id: "desc" }],
        take: selection.limit,
        include: {
          versions: {
            orderBy: { number: "desc" },
            take: 1,
            select: { id: true, number: true, taskCount: true, author: { select: { id: true, name: true } } },
          },
          drafts: { where: { personId: scope.person.id }, select: { updatedAt: true } },
        },
      });
      const registry = await registryOf(scope.workspaceId);
      await assessMissing(
        rows.flatMap(({ versions }) => versions.map(({ id }) => id)),
        registry,
      );
      const runs = await latestRuns(
        pool,
        rows.map(({ id }) => id),
      );
      return rows.flatMap(({ versions: [newest], drafts: [draft], ...plan }) => {
        const assessment = newest === undefined ? undefined : assessments.get(keyOf(newest.id, registry));
        if (newest === undefined || assessment === undefined) return [];
        return planSummarySchema.parse({
          id: plan.id,
          name: plan.name,
          ...(plan.objective === null ? {} : { objective: plan.objective }),
          version: newest.number,
          tasks: newest.taskCount,
          ...assessment,
          createdAt: plan.createdAt.getTime(),
          updatedAt: plan.updatedAt.getTime(),
          updatedBy: newest.author,
          example: plan.example,
          draft: draft === undefined ? null : { updatedAt: draft.updatedAt.getTime() },
          lastRun: runs.get(plan.id) ?? null,
        });
      });
    },
  };
}

function whereSelected(scope: PlanScope, { planId, search }: PlanSelection): Prisma.PlanWhereInput {
  const contains = { contains: asLetters(search ?? ""), mode: "insensitive" } as const;
  return {
    workspaceId: scope.workspaceId,
    archivedAt: null,
    ...(planId === undefined ? {} : { id: planId }),
    ...(search === undefined || search === "" ? {} : { OR: [{ name: contains }, { objective: contains }] }),
  };
}

/** Wildcards of LIKE stand for themselves in what a person typed. */
const asLetters = (search: string): string => search.replace(/[\\%_]/g, "\\$&");
