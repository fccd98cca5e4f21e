import { z } from "zod";
import { personIdSchema } from "#kernel/ids";
import { AppError, notFound } from "../../errors";
import { DELEGATION_DAYS_MAX, type DelegationRefusal, delegationSchema } from "../../runtime/delegations";
import { t } from "../init";
import { inPerson, signedIn } from "../procedures";

const REFUSALS: Readonly<Record<DelegationRefusal, string>> = {
  not_a_member: "This person is not in the workspace.",
  same_person: "That is you: somebody else has to stand in.",
  period_invalid: `The time has to end after it begins, begin now or later, and last ${DELEGATION_DAYS_MAX} days at most.`,
  already_delegated: "This person stands in for you in that time already.",
};

export const delegationsRouter = t.router({
  /** Who stands in for whom in the workspace: everybody sees it, since it says who can sign. */
  list: signedIn
    .output(z.object({ delegations: z.array(delegationSchema) }))
    .query(async ({ ctx }) => ({ delegations: [...(await ctx.services.delegations.list(ctx.scope.workspaceId))] })),

  /** Whom the asker could ask to stand in. */
  candidates: signedIn
    .output(z.object({ people: z.array(z.object({ id: personIdSchema, name: z.string() })) }))
    .query(async ({ ctx }) => ({ people: [...(await ctx.services.delegations.candidates(ctx.principal))] })),

  /** Lends the asker's own right to sign; only a person at a screen can, so that no key passes its owner's on. */
  create: inPerson
    .input(
      z.object({
        delegateId: personIdSchema,
        startsAt: z.number().optional(),
        endsAt: z.number(),
        reason: z.string().trim().max(500).optional(),
      }),
    )
    .output(delegationSchema)
    .mutation(async ({ ctx, input }) => {
      const created = await ctx.services.delegations.create(ctx.principal, input);
      if (!created.ok) throw new AppError("delegation_refused", REFUSALS[created.error]);
      return created.value;
    }),

  /** Ends one before its time: the delegator's own, or, for an admin, anybody's. */
  revoke: inPerson
    .input(z.object({ delegationId: z.string().min(1).max(64) }))
    .output(delegationSchema)
    .mutation(async ({ ctx, input }) => {
      const revoked = await ctx.services.delegations.revoke(ctx.principal, input.delegationId);
      if (revoked === undefined) throw notFound();
      return revoked;
    }),
});
