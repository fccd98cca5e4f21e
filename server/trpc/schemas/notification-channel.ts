import { z } from "zod";
import { emailSettingsSchema, subscribableSchema } from "../../runtime/notifications";

/** A secret that is left out stays as it was; an empty one is taken away. */
export const channelInputSchema = z.object({
  name: z.string().trim().min(1).max(100),
  enabled: z.boolean(),
  events: z.array(subscribableSchema).max(20),
  target: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("webhook"),
      url: z.string().trim().max(2_000).optional(),
      signingKey: z.string().max(200).optional(),
    }),
    emailSettingsSchema.extend({ password: z.string().max(500).optional() }),
  ]),
});
export type ChannelInput = z.infer<typeof channelInputSchema>;
