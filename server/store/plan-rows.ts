import type { Prisma } from "../../prisma/generated/client";
import {
  type PlanDraft,
  type PlanVersion,
  type PlanVersionSummary,
  planVersionSummarySchema,
} from "../runtime/plan-records";
import { readPlanDocument } from "./plan-documents";

/** What every version is read with. */
export const withAuthor = { author: { select: { id: true, name: true } } } as const;

type VersionRow = Prisma.PlanVersionGetPayload<{ include: typeof withAuthor }>;

export const versionSummaryOf = (row: Omit<VersionRow, "document">): PlanVersionSummary =>
  planVersionSummarySchema.parse({
    id: row.id,
    number: row.number,
    ...(row.note === null ? {} : { label: row.note }),
    contentHash: row.contentHash,
    tasks: row.taskCount,
    createdAt: row.createdAt.getTime(),
    createdBy: row.author,
  });

export const versionOf = (row: VersionRow): PlanVersion => ({
  ...versionSummaryOf(row),
  plan: readPlanDocument(row.document),
});

export const draftOf = (row: Prisma.PlanDraftGetPayload<object>): PlanDraft => ({
  plan: readPlanDocument(row.document),
  baseVersion: row.baseVersion,
  revision: row.revision,
  updatedAt: row.updatedAt.getTime(),
});
