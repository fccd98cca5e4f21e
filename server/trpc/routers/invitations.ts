import { z } from "zod";
import { AppError, notFound } from "../../errors";
import { type InvitationRefusal, invitationPreviewSchema, invitationSchema } from "../../runtime/invitations";
import { roleSchema } from "../../runtime/principal";
import { t } from "../init";
import { admin, adminInPerson, anybody } from "../procedures";

/** 256 random bits: who holds it was given the link. It travels in bodies only, never in an address. */
const tokenSchema = z.object({ token: z.string().min(20).max(100) });
const passwordSchema = z.string().min(12).max(256);

const refusal = (code: InvitationRefusal): AppError => {
  if (code === "known") return new AppError("already_member", "This address can sign in already: sign in, then join.");
  if (code === "other_person") return new AppError("forbidden", "This invitation is for somebody else.");
  return new AppError("invitation_invalid", "This invitation was used, was taken back, or is too old.");
};

export const invitationsRouter = t.router({
  list: admin
    .output(z.object({ invitations: z.array(invitationSchema) }))
    .query(async ({ ctx }) => ({ invitations: [...(await ctx.services.invitations.list(ctx.scope.workspaceId))] })),

  create: adminInPerson
    .input(z.object({ email: z.email().max(254), roles: z.array(roleSchema).min(1).max(4) }))
    .output(z.object({ invitation: invitationSchema, token: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const roles = [...new Set(input.roles)];
      const made = await ctx.services.invitations.create(ctx.principal, { ...input, roles });
      if (!made.ok) throw new AppError("already_member", "This person is in the workspace already.");
      return made.value;
    }),

  revoke: adminInPerson
    .input(z.object({ invitationId: z.string().min(1).max(64) }))
    .output(z.object({ invitationId: z.string() }))
    .mutation(async ({ ctx, input }) => {
      if (!(await ctx.services.invitations.revoke(ctx.principal, input.invitationId))) throw notFound();
      return input;
    }),

  /** A mutation in form only, so that the token stays out of addresses and logs: it changes nothing. */
  preview: anybody
    .input(tokenSchema)
    .output(invitationPreviewSchema)
    .mutation(async ({ ctx, input }) => {
      const preview = await ctx.services.invitations.preview(input.token);
      if (preview === undefined) throw refusal("invalid");
      return preview;
    }),

  accept: anybody
    .input(tokenSchema.extend({ name: z.string().trim().min(1).max(100), password: passwordSchema }))
    .output(z.object({ email: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const accepted = await ctx.services.invitations.accept(input.token, input);
      if (!accepted.ok) throw refusal(accepted.error);
      return accepted.value;
    }),

  /** For somebody who can sign in already, in a workspace or (no longer) in any. */
  join: anybody
    .input(tokenSchema)
    .output(z.object({ joined: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      const person = await ctx.services.signedInPerson(ctx.headers);
      if (person === undefined) throw new AppError("unauthenticated", "Sign in first.");
      const joined = await ctx.services.invitations.join(input.token, person);
      if (!joined.ok) throw refusal(joined.error);
      return { joined: true as const };
    }),
});
