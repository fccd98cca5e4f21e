import { z } from "zod";
import { capabilitySnapshotSchema } from "#kernel/capability/capability";
import { t } from "../init";
import { signedIn } from "../procedures";

export const capabilitiesRouter = t.router({
  list: signedIn.output(z.object({ capabilities: z.array(capabilitySnapshotSchema) })).query(async ({ ctx }) => {
    const { capabilities } = await ctx.services.capabilities.registryOf(ctx.scope.workspaceId);
    return { capabilities: [...capabilities] };
  }),
});
