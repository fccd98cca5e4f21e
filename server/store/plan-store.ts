import { planContentHash } from "#kernel/plan/content-hash";
import type { Plan } from "#kernel/plan/plan";
import { err, ok } from "#kernel/result";
import type { Database } from "../db";
import type { PlanScope, PlanStore } from "../runtime/plan-store";
import { writePlanDocument } from "./plan-documents";
import { draftOf, versionOf, versionSummaryOf, withAuthor } from "./plan-rows";
import { createPlanSummaries, type PlanAssessments } from "./plan-summaries";

/** Plans in Postgres. `assessments` counts what the list shows of a plan. */
export function createPlanStore(database: Database, assessments: PlanAssessments): PlanStore {
  const { prisma } = database;
  const summaries = createPlanSummaries(database, assessments);

  const mine = (scope: PlanScope, planId: string) => ({ id: planId, workspaceId: scope.workspaceId, archivedAt: null });
  const exists = async (scope: PlanScope, planId: string): Promise<boolean> =>
    (await prisma.plan.count({ where: mine(scope, planId) })) > 0;
  const draftKey = (scope: PlanScope, planId: string) => ({ planId_personId: { planId, personId: scope.person.id } });

  const versionRow = (scope: PlanScope, plan: Plan, number: number, label: string | undefined) => ({
    number,
    contentHash: planContentHash(plan),
    document: writePlanDocument(plan),
    taskCount: plan.tasks.length,
    authorId: scope.person.id,
    note: label ?? null,
  });

  return {
    list: (scope, options) => summaries.list(scope, options),

    async get(scope, planId) {
      const [summary] = await summaries.list(scope, { planId, limit: 1 });
      if (summary === undefined) return undefined;
      const row = await prisma.planVersion.findUniqueOrThrow({
        where: { planId_number: { planId, number: summary.version } },
        include: withAuthor,
      });
      const draft = await prisma.planDraft.findUnique({ where: draftKey(scope, planId) });
      return { summary, current: versionOf(row), draft: draft === null ? null : draftOf(draft) };
    },

    async create(scope, plan, options = {}) {
      const { versions, ...created } = await prisma.plan.create({
        data: {
          workspaceId: scope.workspaceId,
          name: plan.name,
          objective: plan.objective ?? null,
          example: options.example ?? false,
          createdById: scope.person.id,
          latestVersion: 1,
          versions: { create: versionRow(scope, plan, 1, undefined) },
        },
        include: { versions: { include: withAuthor } },
      });
      const [row] = versions;
      if (row === undefined) throw new Error("A plan was created without its first version.");
      return { ...versionOf(row), planId: created.id };
    },

    async findSame(scope, plan) {
      const candidates = await prisma.plan.findMany({
        where: { workspaceId: scope.workspaceId, archivedAt: null, name: plan.name },
        select: { id: true, latestVersion: true, versions: { where: { contentHash: planContentHash(plan) } } },
        orderBy: { createdAt: "desc" },
      });
      return candidates.find(({ latestVersion, versions }) => versions.some(({ number }) => number === latestVersion))
        ?.id;
    },

    async saveVersion(scope, planId, { plan, baseVersion, label }) {
      return prisma.$transaction(async (transaction) => {
        const [current] = await transaction.plan.findMany({
          where: mine(scope, planId),
          select: { latestVersion: true, versions: { orderBy: { number: "desc" }, take: 1, include: withAuthor } },
        });
        const newest = current?.versions[0];
        if (current === undefined || newest === undefined) return undefined;
        const row = versionRow(scope, plan, baseVersion + 1, label);
        if (current.latestVersion === baseVersion && newest.document === row.document && label === undefined) {
          await transaction.planDraft.deleteMany({ where: { planId, personId: scope.person.id } });
          return ok(versionOf(newest));
        }
        // The expected version is part of the update: of two savers that both saw it, one finds no row.
        const raised = await transaction.plan.updateMany({
          where: { ...mine(scope, planId), latestVersion: baseVersion },
          data: { latestVersion: baseVersion + 1, name: plan.name, objective: plan.objective ?? null },
        });
        if (raised.count === 0) return err({ currentVersion: Math.max(current.latestVersion, baseVersion + 1) });
        const saved = await transaction.planVersion.create({ data: { ...row, planId }, include: withAuthor });
        await transaction.planDraft.deleteMany({ where: { planId, personId: scope.person.id } });
        return ok(versionOf(saved));
      });
    },

    async versions(scope, planId) {
      if (!(await exists(scope, planId))) return undefined;
      const rows = await prisma.planVersion.findMany({
        where: { planId },
        omit: { document: true },
        orderBy: { number: "desc" },
        include: withAuthor,
      });
      return rows.map(versionSummaryOf);
    },

    async version(scope, planId, number) {
      const row = await prisma.planVersion.findFirst({
        where: { planId, number, plan: { workspaceId: scope.workspaceId } },
        include: withAuthor,
      });
      return row === null ? undefined : versionOf(row);
    },

    async saveDraft(scope, planId, { plan, baseVersion, expectedRevision }) {
      if (!(await exists(scope, planId))) return undefined;
      const key = { planId, personId: scope.person.id };
      const document = writePlanDocument(plan);
      const revision = (expectedRevision ?? 0) + 1;
      // Either statement changes one row or none, so of two tabs at the same revision one finds none.
      const written =
        expectedRevision === null
          ? await prisma.planDraft.createMany({
              data: { ...key, baseVersion, revision, document },
              skipDuplicates: true,
            })
          : await prisma.planDraft.updateMany({
              where: { ...key, revision: expectedRevision },
              data: { baseVersion, revision, document },
            });
      const current = await prisma.planDraft.findUnique({ where: draftKey(scope, planId) });
      if (written.count === 1) return ok({ revision, updatedAt: (current?.updatedAt ?? new Date()).getTime() });
      return err({ current: current === null ? null : draftOf(current) });
    },

    async discardDraft(scope, planId) {
      const { count } = await prisma.planDraft.deleteMany({
        where: { planId, personId: scope.person.id, plan: { workspaceId: scope.workspaceId } },
      });
      return count > 0;
    },

    async remove(scope, planId) {
      const { count } = await prisma.plan.updateMany({
        where: mine(scope, planId),
        data: { archivedAt: new Date() },
      });
      return count > 0;
    },
  };
}
