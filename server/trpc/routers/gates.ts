import { z } from "zod";
import { jsonValueSchema } from "#kernel/capability/observation";
import { gateIdSchema } from "#kernel/ids";
import { gateDetailSchema, gateStatusSchema, gateSummarySchema } from "../../runtime/run-records";
import { decideGate, revokeApproval } from "../actions/decide-gate";
import { describeGate, listGates } from "../actions/list-gates";
import { t } from "../init";
import { signedIn } from "../procedures";
import { requestIdSchema } from "../submission-id";

export const gatesRouter = t.router({
  /**
   * The inbox: open gates, those the asker may sign first, each by deadline; or closed ones newest first. `open` counts
   * all, `waiting` those the asker may sign, `delegated` those of them in somebody's place; `more`: some are beyond the
   * limit; `tooMany`: more wait than anybody reads with care.
   */
  list: signedIn
    .input(
      z
        .object({ open: z.boolean().default(true), limit: z.int().min(1).max(1_000).default(100) })
        .default({ open: true, limit: 100 }),
    )
    .output(
      z.object({
        gates: z.array(gateSummarySchema),
        waiting: z.int().min(0),
        delegated: z.int().min(0),
        open: z.int().min(0),
        more: z.boolean(),
        tooMany: z.boolean(),
      }),
    )
    .query(({ ctx, input }) => listGates(ctx.services, ctx.principal, input)),

  get: signedIn
    .input(z.object({ gateId: gateIdSchema }))
    .output(gateDetailSchema)
    .query(({ ctx, input }) => describeGate(ctx.services, ctx.principal, input.gateId)),

  /**
   * Signs a gate. The nonce and the hash prove that the signer saw the request that will run; who may sign is
   * decided under the run's lock, on the database clock, when the decision lands.
   */
  decide: signedIn
    .input(
      z.object({
        gateId: gateIdSchema,
        nonce: z.string().min(1).max(200),
        argumentsHash: z.string().length(64),
        decision: z.enum(["approve", "reject", "send_back"]),
        reason: z.string().trim().max(2_000).optional(),
        answer: jsonValueSchema.optional(),
        editedArguments: jsonValueSchema.optional(),
        requestId: requestIdSchema.optional(),
      }),
    )
    .output(z.object({ gateId: gateIdSchema, status: gateStatusSchema, seq: z.int() }))
    .mutation(({ ctx, input }) => decideGate(ctx.services, ctx.principal, input)),

  /** Takes one's own approval back, until what it let run is dispatched. The same request is then asked anew. */
  revoke: signedIn
    .input(z.object({ gateId: gateIdSchema, reason: z.string().trim().max(2_000).optional() }))
    .output(z.object({ gateId: gateIdSchema, status: gateStatusSchema, seq: z.int() }))
    .mutation(({ ctx, input }) => revokeApproval(ctx.services, ctx.principal, input)),
});
