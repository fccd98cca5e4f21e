import { z } from "zod";
import { jsonValueSchema } from "../capability/observation";
import { taskIdSchema } from "../ids";
import { isJsonObject, type JsonObject, setOwn } from "../json";

/** When a task may start, given how its parents ended. A join decides only when every parent it needs is terminal. */
export const joinSchema = z.enum(["all_succeeded", "all_done", "any_succeeded", "none_failed"]);
export type Join = z.infer<typeof joinSchema>;

/** What a failed task does to the tasks behind it. */
export const onFailureSchema = z.enum(["cancel_dependents", "block_dependents", "continue"]);
export type OnFailure = z.infer<typeof onFailureSchema>;

const seconds = z.number().min(0).max(31_536_000);

export const retrySchema = z.strictObject({
  /** Calls in all, the first included. */
  maxAttempts: z.int().min(1).max(100),
  backoffSeconds: seconds.default(1),
  backoffFactor: z.number().min(1).max(10).default(2),
  maxBackoffSeconds: seconds.default(60),
});
export type Retry = z.infer<typeof retrySchema>;

/** People by id or e-mail address, or everyone with a role; one of the two at least. */
const escalationSchema = z
  .strictObject({
    afterSeconds: seconds,
    role: z.string().min(1).max(64).optional(),
    people: z.array(z.string().min(1).max(320)).min(1).max(50).optional(),
  })
  .refine(({ role, people }) => role !== undefined || people !== undefined, {
    error: "an escalation names a role or people",
  });

export const approvalSchema = z.strictObject({
  role: z.string().min(1).max(64).default("approver"),
  quorum: z.int().min(1).max(20).default(1),
  /** People by id or e-mail address; empty: everyone with the role. */
  people: z.array(z.string().min(1).max(320)).max(50).optional(),
  decideWithinSeconds: seconds.default(86_400),
  executeWithinSeconds: seconds.default(3_600),
  /** When those who can still sign are reminded, counted back from the end of the time to decide; 0: never. */
  remindBeforeSeconds: seconds.optional(),
  /** Who may sign as well once the request has stood open this long. Nobody loses the right to. */
  escalate: escalationSchema.optional(),
  /** Shown to the approver: why this is asked. */
  reason: z.string().max(2_000).optional(),
});
export type Approval = z.infer<typeof approvalSchema>;

/**
 * A condition over upstream outputs and statuses. Data, not an expression language, so that it can be drawn,
 * checked and replayed: compare a value (which may be a reference) with another, or combine conditions.
 */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | { readonly status: string; readonly is: string }
  | {
      readonly value: unknown;
      readonly equals?: unknown;
      readonly notEquals?: unknown;
      readonly greaterThan?: number;
      readonly lessThan?: number;
      readonly exists?: boolean;
    }
  | boolean;

export const conditionSchema: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.boolean(),
    z.strictObject({ all: z.array(conditionSchema).min(1).max(32) }),
    z.strictObject({ any: z.array(conditionSchema).min(1).max(32) }),
    z.strictObject({ not: conditionSchema }),
    /** `status` names an upstream task. */
    z.strictObject({ status: taskIdSchema, is: z.string() }),
    z.strictObject({
      value: z.unknown(),
      equals: z.unknown().optional(),
      notEquals: z.unknown().optional(),
      greaterThan: z.number().optional(),
      lessThan: z.number().optional(),
      exists: z.boolean().optional(),
    }),
  ]),
);

/** Passed through as it is: a record schema would copy every argument and lose a member named `__proto__`. */
const jsonObjectSchema = z.custom<JsonObject>(isJsonObject, "expected an object");

/** Amounts by a name that a person or a model chose, `__proto__` included: read them with `namedAmount`. */
const amountsSchema = (amount: z.ZodType<number>): z.ZodType<Readonly<Record<string, number>>> =>
  jsonObjectSchema.transform((object, context) => {
    const amounts: Record<string, number> = {};
    for (const name of Object.keys(object)) {
      const parsed = amount.safeParse(object[name]);
      if (parsed.success) setOwn(amounts, name, parsed.data);
      for (const issue of parsed.error?.issues ?? []) {
        context.addIssue({ code: "custom", message: issue.message, path: [name] });
      }
    }
    return amounts;
  });

/** The amount under a name, or undefined; an inherited `toString` is never found. */
export const namedAmount = (amounts: Readonly<Record<string, number>> | undefined, name: string): number | undefined =>
  amounts !== undefined && Object.hasOwn(amounts, name) ? amounts[name] : undefined;

/** What may take a failed task's place; without arguments of its own it is called with the task's. */
const alternativeSchema = z.strictObject({
  capability: z.string().min(1).max(140),
  arguments: jsonObjectSchema.optional(),
});
export type Alternative = z.infer<typeof alternativeSchema>;

const stepSchema = z.strictObject({
  id: taskIdSchema,
  title: z.string().max(1_000).optional(),
  capability: z.string().min(1).max(140),
  arguments: jsonObjectSchema.default({}),
  dependsOn: z.array(taskIdSchema).default([]),
  expectedOutcome: z.string().max(4_000).optional(),
  estimate: z.strictObject({ seconds }).optional(),
  reads: z.array(z.string().max(1_000)).default([]),
  writes: z.array(z.string().max(1_000)).default([]),
  uses: amountsSchema(z.number().positive()).optional(),
  forEach: jsonValueSchema.nullish(),
  maxItems: z.int().min(0).max(100_000).optional(),
  join: joinSchema.default("all_succeeded"),
  when: conditionSchema.optional(),
  /** Must hold when the call is about to be made; where it does not, the task fails before any call. */
  precondition: conditionSchema.optional(),
  onFailure: onFailureSchema.default("cancel_dependents"),
  retry: retrySchema.optional(),
  timeoutSeconds: z.number().positive().max(31_536_000).optional(),
  approval: approvalSchema.optional(),
  /** Tried in turn when the task has failed for good, before anything behind it hears of the failure. */
  alternatives: z.array(alternativeSchema).min(1).max(10).optional(),
  /** Where the canvas shows the card; no meaning for a run. */
  position: z.strictObject({ x: z.number(), y: z.number() }).optional(),
  notes: z.string().max(10_000).optional(),
});

export const taskSchema = stepSchema.extend({
  /** A sub-plan that takes over when no alternative is left; its last task stands in for this one. */
  fallback: z.array(stepSchema).min(1).max(50).optional(),
});
export type Task = z.infer<typeof taskSchema>;

export const completionCheckSchema = z.discriminatedUnion("check", [
  z.strictObject({ check: z.literal("json_schema"), task: taskIdSchema, schema: jsonObjectSchema }),
  z.strictObject({ check: z.literal("predicate"), when: conditionSchema }),
  z.strictObject({
    check: z.literal("capability"),
    capability: z.string().min(1),
    arguments: jsonObjectSchema.default({}),
  }),
  z.strictObject({ check: z.literal("human"), question: z.string().min(1), role: z.string().default("approver") }),
]);
export type CompletionCheck = z.infer<typeof completionCheckSchema>;

const count = z.int().min(0).max(1_000_000_000);

export const budgetsSchema = z.strictObject({
  deadlineSeconds: seconds.optional(),
  iterations: count.optional(),
  planRevisions: count.optional(),
  toolCalls: count.optional(),
  toolCallsPerCapability: amountsSchema(count).optional(),
  retries: count.optional(),
  sideEffects: count.optional(),
  tokens: count.optional(),
  costUsd: z.number().min(0).optional(),
  verificationReserveSeconds: seconds.optional(),
});
export type Budgets = z.infer<typeof budgetsSchema>;

/** How a run of this plan may be revised, beyond the rules its tasks declare. */
export const replanningSchema = z.strictObject({
  /** The planner that is asked when a task has failed for good or a check did not pass; absent: none is. */
  planner: z.string().min(1).max(128).optional(),
  /** Who signs the changed part of a revision that goes beyond what was approved. */
  approval: approvalSchema.optional(),
  /** What a refused approval of a revision means: the plan in force goes on, or the run ends. */
  onReject: z.enum(["keep_plan", "stop"]).default("keep_plan"),
});

export const PLAN_FORMAT = "planwright/v1";

/** A proposed plan: data, never code. Task order carries no meaning but is kept, since people chose it. */
export const planSchema = z.strictObject({
  format: z.literal(PLAN_FORMAT),
  name: z.string().min(1).max(200),
  objective: z.string().max(4_000).optional(),
  maxParallel: z.int().min(1).max(10_000).optional(),
  pools: amountsSchema(z.number().positive()).optional(),
  /** Sign-off before the first task starts. */
  approval: approvalSchema.optional(),
  replanning: replanningSchema.optional(),
  tasks: z.array(taskSchema),
  completion: z.array(completionCheckSchema).default([]),
  budgets: budgetsSchema.optional(),
  /** Where an imported plan came from and what its format could not say otherwise. */
  source: z.strictObject({ format: z.string(), name: z.string().optional() }).optional(),
});
export type Plan = z.infer<typeof planSchema>;

/** The keys of a plan in the order we write them, so that two exports of one plan are the same bytes. */
export const PLAN_KEYS = Object.keys(planSchema.shape) as readonly (keyof Plan)[];
export const TASK_KEYS = Object.keys(taskSchema.shape) as readonly (keyof Task)[];
