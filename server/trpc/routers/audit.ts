import { z } from "zod";
import { auditEntryOf, auditEntrySchema } from "../../runtime/audit-view";
import { t } from "../init";
import { admin } from "../procedures";

const PAGE_MAX = 200;
const headSchema = z.object({ workspaceId: z.string(), number: z.int(), hash: z.string() });

export const auditRouter = t.router({
  /** Newest first. */
  list: admin
    .input(
      z
        .object({
          actorId: z.string().max(200).optional(),
          action: z.string().max(100).optional(),
          subjectId: z.string().max(300).optional(),
          since: z.int().optional(),
          until: z.int().optional(),
          /** The last entry of the page before. */
          cursor: z.int().optional(),
          limit: z.int().min(1).max(PAGE_MAX).default(100),
        })
        .default({ limit: 100 }),
    )
    .output(z.object({ entries: z.array(auditEntrySchema), nextCursor: z.int().optional() }))
    .query(async ({ ctx, input: { cursor, limit, ...filter } }) => {
      const page = await ctx.services.auditReader.list(ctx.scope.workspaceId, {
        ...filter,
        before: cursor,
        limit: limit + 1,
      });
      const entries = page.slice(0, limit).map(auditEntryOf);
      return { entries, nextCursor: page.length > limit ? entries.at(-1)?.number : undefined };
    }),

  /** What there is to filter by. */
  facets: admin
    .output(z.object({ actions: z.array(z.string()), actors: z.array(z.object({ id: z.string(), name: z.string() })) }))
    .query(async ({ ctx }) => {
      const { workspaceId } = ctx.scope;
      const [{ actions, actorIds }, people] = await Promise.all([
        ctx.services.auditReader.facets(workspaceId),
        ctx.services.workspaces.members(workspaceId),
      ]);
      const names = new Map(people.map(({ id, name }) => [id, name]));
      return { actions: [...actions], actors: actorIds.map((id) => ({ id, name: names.get(id) ?? id })) };
    }),

  /** Computes every hash anew. A query: nothing changes. */
  verify: admin
    .output(
      z.object({
        entries: z.int(),
        redacted: z.int(),
        runs: z.int(),
        head: headSchema,
        faults: z.array(z.object({ number: z.int(), kind: z.string(), message: z.string() })),
        more: z.int(),
        at: z.number(),
      }),
    )
    .query(async ({ ctx }) => {
      const { faults, ...report } = await ctx.services.auditReader.verify(ctx.scope.workspaceId);
      return { ...report, faults: [...faults], at: Date.now() };
    }),
});
