import { z } from "zod";
import { notFound } from "../../errors";
import { channelSchema, deliverySchema } from "../../runtime/notifications";
import { changeChannel } from "../actions/change-channel";
import { t } from "../init";
import { admin, adminInPerson } from "../procedures";
import { channelInputSchema } from "../schemas/notification-channel";

const channelId = z.string().min(1).max(64);

export const notificationsRouter = t.router({
  channels: admin.output(z.object({ channels: z.array(channelSchema) })).query(async ({ ctx }) => ({
    channels: [...(await ctx.services.notifications.channels(ctx.scope.workspaceId))],
  })),

  create: adminInPerson
    .input(channelInputSchema)
    .output(channelSchema)
    .mutation(({ ctx, input }) => changeChannel(ctx.services, ctx.principal, { input })),

  update: adminInPerson
    .input(channelInputSchema.extend({ channelId }))
    .output(channelSchema)
    .mutation(({ ctx, input: { channelId: id, ...input } }) =>
      changeChannel(ctx.services, ctx.principal, { channelId: id, input }),
    ),

  remove: adminInPerson
    .input(z.object({ channelId }))
    .output(z.object({ channelId }))
    .mutation(async ({ ctx, input }) => {
      if (!(await ctx.services.notifications.remove(ctx.principal, input.channelId))) throw notFound();
      return input;
    }),

  /** Sends a test the way every notification goes; the log of deliveries says what became of it. */
  test: adminInPerson
    .input(z.object({ channelId }))
    .output(z.object({ channelId }))
    .mutation(async ({ ctx, input }) => {
      if (!(await ctx.services.notifications.test(ctx.principal, input.channelId))) throw notFound();
      return input;
    }),

  deliveries: admin
    .input(z.object({ limit: z.int().min(1).max(200).default(50) }).default({ limit: 50 }))
    .output(z.object({ deliveries: z.array(deliverySchema) }))
    .query(async ({ ctx, input }) => ({
      deliveries: [...(await ctx.services.notifications.deliveries(ctx.scope.workspaceId, input.limit))],
    })),

  retry: adminInPerson
    .input(z.object({ deliveryId: z.string().min(1).max(64) }))
    .output(z.object({ deliveryId: z.string() }))
    .mutation(async ({ ctx, input }) => {
      if (!(await ctx.services.notifications.retry(ctx.principal, input.deliveryId))) throw notFound();
      return input;
    }),
});
