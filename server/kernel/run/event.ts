import { z } from "zod";
import { capabilitySnapshotSchema } from "../capability/capability";
import { jsonValueSchema, observationSchema } from "../capability/observation";
import { gateIdSchema, personIdSchema, runIdSchema, runTaskIdSchema, taskIdSchema } from "../ids";
import { planDiffSchema } from "../plan/diff-schema";
import { completionCheckSchema, planSchema, taskSchema } from "../plan/plan";
import { taskStatusSchema } from "./status";

/**
 * Everything that can happen in a run. A run's truth is the contiguous sequence of these, `seq` from 1, never
 * updated; every screen is a fold over it. Order is by `seq`, never by clock.
 *
 * Readiness is not an event: it follows from the parents' ends, so storing it could only contradict them.
 * A task's start is stored before its end for calls that change something (`task_dispatched` must be durable
 * before the call). For a call without side effects it may be left out: its end carries `startedAt`, and after a
 * crash it simply runs again. `task_succeeded` on a task that was ready is therefore a legal history.
 */

export const personRefSchema = z.object({ id: personIdSchema, name: z.string() });
export type PersonRef = z.infer<typeof personRefSchema>;

/** Why something happened, in words, with the task or event that caused it where there is one. */
export const causeSchema = z.object({
  code: z.string(),
  message: z.string(),
  taskId: runTaskIdSchema.optional(),
  seq: z.int().optional(),
});
export type Cause = z.infer<typeof causeSchema>;

export const runOutcomeSchema = z.enum([
  "completed",
  "stop_budget",
  "stop_terminal_failure",
  "stop_stalled",
  "stop_no_valid_plan",
  "evidence_gap",
  "rejected",
  "cancelled",
]);
export type RunOutcome = z.infer<typeof runOutcomeSchema>;

export const replanReasonSchema = z.enum([
  "dependency_failed_alternative_exists",
  "new_information",
  "expected_result_missing",
  "step_unnecessary",
  "path_blocked",
]);
export type ReplanReason = z.infer<typeof replanReasonSchema>;

/** Who proposed a revision. A rule is one that the plan declares: an alternative, a fallback. */
export const revisionAuthorSchema = z.object({
  kind: z.enum(["person", "rule", "planner"]),
  name: z.string(),
  personId: personIdSchema.optional(),
});
export type RevisionAuthor = z.infer<typeof revisionAuthorSchema>;

/** A part of a revision that goes beyond what was approved. No task: it is the plan itself. */
export const wideningSchema = z.object({
  taskId: taskIdSchema.optional(),
  /** What grows, each in words: a side effect, a resource, a scope, a cost, fewer signatures. */
  reasons: z.array(z.string()).min(1),
});
export type Widening = z.infer<typeof wideningSchema>;

/** One place where a revision is wrong; the pointer is into the revision that was proposed. */
export const refusalProblemSchema = z.object({
  code: z.string(),
  pointer: z.string(),
  message: z.string(),
  taskId: z.string().optional(),
});
export type RefusalProblem = z.infer<typeof refusalProblemSchema>;

export const runPolicySchema = z.object({
  /** Stop on an exhausted budget even where the completion checks already pass. */
  budgetBeforeCompletion: z.boolean(),
  /** The requester and the plan version's author cannot sign their own gates. */
  fourEyes: z.boolean(),
});
export type RunPolicy = z.infer<typeof runPolicySchema>;

/** Where an argument's value came from; `from` is `plan`, a `task#/pointer` reference, or `default`. */
export const argumentOriginSchema = z.object({ pointer: z.string(), from: z.array(z.string()) });
export type ArgumentOrigin = z.infer<typeof argumentOriginSchema>;

/**
 * What a gate stands for. `action`: the call it stands before; `plan`: sign-off before the first task;
 * `question`: `human.ask`, the answer becomes the output; `release`: a blocked task may run although a prerequisite
 * failed; `reconcile`: a person says whether a call with an unknown outcome took effect; `completion`: a person
 * checks the result; `revision`: the changed part of a revision that goes beyond what was approved.
 */
export const gatePurposeSchema = z.enum([
  "action",
  "plan",
  "question",
  "release",
  "reconcile",
  "completion",
  "revision",
]);
export type GatePurpose = z.infer<typeof gatePurposeSchema>;

const attempt = { taskId: runTaskIdSchema, attempt: z.int().min(1) };
/** When the call began, epoch milliseconds on the database clock. */
const startedAt = z.number();

/** Event bodies by type. The envelope (`seq`, `at`) is added when an event is appended. */
export const runEventBodySchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("run_created"),
    runId: runIdSchema,
    name: z.string(),
    startedBy: personRefSchema,
    /** The key it was started with, where it was: what it may do narrows what the run may do. */
    apiKeyId: z.string().optional(),
    /** The author of the pinned plan version: cannot sign under four eyes. */
    planAuthor: personRefSchema.optional(),
    planVersionId: z.string().optional(),
    planVersionNumber: z.int().optional(),
    policy: runPolicySchema,
    /** Format a trace was imported from; absent for our own runs. */
    importedFrom: z.string().optional(),
    /** When retention took what the run worked with, epoch milliseconds; its events keep their shape. */
    redactedAt: z.number().optional(),
    /** The run whose results this one carries, and the tasks it runs again with everything behind them. */
    rerunOf: z.object({ runId: runIdSchema, fromTaskIds: z.array(runTaskIdSchema) }).optional(),
  }),
  /** With a `plan`: a revision that waits for the approval of its changed part; nothing of it is in force yet. */
  z.object({
    type: z.literal("plan_proposed"),
    revision: z.int().min(1),
    proposedBy: z.string(),
    reason: replanReasonSchema.optional(),
    triggerSeq: z.int().optional(),
    author: revisionAuthorSchema.optional(),
    message: z.string().optional(),
    plan: planSchema.optional(),
    capabilities: z.array(capabilitySnapshotSchema).optional(),
    diff: planDiffSchema.optional(),
    widened: z.array(wideningSchema).optional(),
    cancelRunning: z.array(taskIdSchema).optional(),
  }),
  /** Carries the whole plan and the registry snapshot, so that the log alone gives every state. */
  z.object({
    type: z.literal("plan_accepted"),
    revision: z.int().min(1),
    plan: planSchema,
    capabilities: z.array(capabilitySnapshotSchema),
  }),
  z.object({ type: z.literal("plan_rejected"), messages: z.array(z.string()) }),
  z.object({ type: z.literal("task_added"), task: taskSchema }),
  z.object({
    type: z.literal("approval_requested"),
    gateId: gateIdSchema,
    /** Absent in older logs: `plan` without a task, `question` with one, else `action`. */
    purpose: gatePurposeSchema.optional(),
    /** Absent: the gate stands before the plan, or is a completion check. */
    taskId: runTaskIdSchema.optional(),
    revision: z.int().min(1),
    capability: z.string().optional(),
    fingerprint: z.string().optional(),
    /** The resolved arguments that will run, byte for byte. */
    arguments: jsonValueSchema,
    argumentsHash: z.string().length(64),
    origins: z.array(argumentOriginSchema),
    nonce: z.string(),
    decideBy: z.number(),
    /** When those who can still sign are reminded; absent: never. */
    remindAt: z.number().optional(),
    /** From this moment the people or the role of `escalateTo` may sign as well. */
    escalateAt: z.number().optional(),
    escalateTo: z.object({ role: z.string().optional(), people: z.array(z.string()).optional() }).optional(),
    executeWithinSeconds: z.number(),
    quorum: z.int().min(1),
    role: z.string(),
    people: z.array(z.string()).optional(),
    /** People who may not sign, with the reason. */
    excluded: z.array(z.object({ id: personIdSchema, why: z.string() })),
    reason: z.string(),
    /** `human.ask`: the question and the schema of the answer; the answer becomes the task's output. */
    question: z.object({ text: z.string(), answerSchema: jsonValueSchema.optional() }).optional(),
  }),
  z.object({
    type: z.literal("approval_decided"),
    gateId: gateIdSchema,
    decision: z.enum(["approve", "reject", "send_back"]),
    by: personRefSchema,
    /** Whose authority it was, where `by` signed as a delegate. */
    onBehalfOf: personRefSchema.optional(),
    reason: z.string().optional(),
    argumentsHash: z.string().length(64),
    /** `human.ask`: the answer. */
    answer: jsonValueSchema.optional(),
    /** `send_back`: the arguments to ask again with. */
    editedArguments: jsonValueSchema.optional(),
  }),
  /** Somebody took an approval back before the call was dispatched: the round is void, the same request is asked anew. */
  z.object({
    type: z.literal("approval_revoked"),
    gateId: gateIdSchema,
    by: personRefSchema,
    reason: z.string().optional(),
  }),
  /** The time to remind those who can still sign has come. It changes no right. */
  z.object({ type: z.literal("approval_reminded"), gateId: gateIdSchema }),
  /** The time of `escalateAt` has come: it is written down for those who are told; the right follows from the time. */
  z.object({ type: z.literal("approval_escalated"), gateId: gateIdSchema }),
  z.object({
    type: z.literal("approval_expired"),
    gateId: gateIdSchema,
    which: z.enum(["decide_by", "execute_by", "superseded", "run_ended"]),
  }),
  /** The list of a `forEach` became known: one instance per item, `task[0]` and on. */
  z.object({ type: z.literal("task_expanded"), taskId: runTaskIdSchema, items: z.array(jsonValueSchema) }),
  z.object({ type: z.literal("task_dispatched"), ...attempt, gateId: gateIdSchema.optional() }),
  z.object({ type: z.literal("task_started"), ...attempt, worker: z.string().optional() }),
  /** An attempt that did not settle its task. `late`: it came back after the task had ended otherwise. */
  z.object({
    type: z.literal("task_observed"),
    ...attempt,
    startedAt,
    observation: observationSchema,
    late: z.boolean().optional(),
  }),
  z.object({
    type: z.literal("task_retry_scheduled"),
    taskId: runTaskIdSchema,
    attempt: z.int().min(2),
    notBefore: z.number(),
    cause: causeSchema,
    /** Not a retry: the call answered that it is not done yet, and its capability is polled. */
    poll: z.boolean().optional(),
  }),
  z.object({
    type: z.literal("task_succeeded"),
    ...attempt,
    startedAt,
    observation: observationSchema,
    /** The result is another run's, at this event there: no call was made here and nothing is charged. */
    carriedFrom: z.object({ runId: runIdSchema, seq: z.int().min(1) }).optional(),
  }),
  z.object({
    type: z.literal("task_failed"),
    taskId: runTaskIdSchema,
    attempt: z.int().min(0),
    startedAt: startedAt.optional(),
    observation: observationSchema.optional(),
    cause: causeSchema,
  }),
  /**
   * A person has a task that did not succeed tried again, as a new attempt. With it, the tasks that ended only because
   * it did are judged anew. What they were before stays in the log and in the state's `earlierEnds`.
   */
  z.object({
    type: z.literal("task_retried"),
    taskId: runTaskIdSchema,
    by: personRefSchema,
    reason: z.string().optional(),
    reopened: z.array(z.object({ taskId: runTaskIdSchema, was: taskStatusSchema })).min(1),
  }),
  z.object({ type: z.literal("task_cancelled"), taskId: runTaskIdSchema, cause: causeSchema }),
  z.object({ type: z.literal("task_skipped"), taskId: runTaskIdSchema, cause: causeSchema }),
  z.object({ type: z.literal("task_blocked"), taskId: runTaskIdSchema, cause: causeSchema }),
  /** A budget ran out before this task could start. */
  z.object({ type: z.literal("task_stopped"), taskId: runTaskIdSchema, cause: causeSchema }),
  z.object({ type: z.literal("outcome_unknown"), ...attempt, startedAt, observation: observationSchema }),
  z.object({
    type: z.literal("outcome_reconciled"),
    taskId: runTaskIdSchema,
    resolution: z.enum(["succeeded", "failed", "retry"]),
    by: personRefSchema,
    reason: z.string().optional(),
    output: jsonValueSchema.optional(),
  }),
  /** A call of the capability's look-up said, or could not say, whether a call of unknown outcome took effect. */
  z.object({
    type: z.literal("outcome_looked_up"),
    ...attempt,
    verdict: z.enum(["committed", "not_committed", "undecided"]),
    message: z.string(),
    /** Who asked for it; absent where the runtime looked by itself. */
    by: personRefSchema.optional(),
  }),
  /** A person wants the look-up made now. */
  z.object({ type: z.literal("look_up_requested"), ...attempt, by: personRefSchema, reason: z.string() }),
  z.object({
    type: z.literal("budget_charged"),
    budget: z.string(),
    amount: z.number(),
    taskId: runTaskIdSchema.optional(),
    /** The call of the completion check at this place of the plan. */
    check: z.int().min(0).optional(),
  }),
  z.object({
    type: z.literal("repetition_detected"),
    taskId: runTaskIdSchema,
    signature: z.string(),
    /** Calls with this signature that are compared, this one included. */
    times: z.int(),
    verdict: z.enum(["new_evidence", "polling", "stall"]),
    /** The call that repeats, and the earlier one it is compared with; absent in older logs. */
    attempt: z.int().min(1).optional(),
    of: z.object({ taskId: runTaskIdSchema, attempt: z.int().min(1) }).optional(),
  }),
  z.object({ type: z.literal("reflection_recorded"), text: z.string(), taskId: runTaskIdSchema.optional() }),
  z.object({
    type: z.literal("replan_requested"),
    reason: replanReasonSchema,
    triggerSeq: z.int(),
    by: z.string(),
    message: z.string(),
  }),
  z.object({
    type: z.literal("plan_revised"),
    revision: z.int().min(2),
    reason: replanReasonSchema,
    triggerSeq: z.int(),
    by: z.string(),
    plan: planSchema,
    capabilities: z.array(capabilitySnapshotSchema),
    diff: planDiffSchema,
    author: revisionAuthorSchema.optional(),
    message: z.string().optional(),
    /** Running tasks that the revision stops; every other running task goes on. */
    cancelRunning: z.array(taskIdSchema).optional(),
    /** The gate at which the changed part was approved. */
    gateId: gateIdSchema.optional(),
  }),
  z.object({
    type: z.literal("replan_refused"),
    reason: replanReasonSchema,
    triggerSeq: z.int(),
    by: z.string(),
    message: z.string(),
    /** Stable, for programs: see docs/replanning.md. */
    code: z.string().optional(),
    author: revisionAuthorSchema.optional(),
    /** Every place at which the revision is wrong. */
    problems: z.array(refusalProblemSchema).optional(),
    /** What the run ends as, should nothing else bring it on: the planner had nothing more to offer. */
    verdict: z.enum(["stop_no_valid_plan", "stop_stalled"]).optional(),
  }),
  z.object({
    type: z.literal("completion_checked"),
    check: completionCheckSchema,
    passed: z.boolean(),
    message: z.string(),
    /** Not passed since nobody could tell, not since it was found wrong. */
    undecided: z.boolean().optional(),
  }),
  z.object({ type: z.literal("run_paused"), by: personRefSchema, reason: z.string().optional() }),
  z.object({ type: z.literal("run_resumed"), by: personRefSchema }),
  z.object({ type: z.literal("run_cancelled"), by: personRefSchema, reason: z.string().optional() }),
  z.object({
    type: z.literal("run_finished"),
    outcome: runOutcomeSchema,
    /** In words, for a person. */
    reason: z.string(),
    /** The event that caused the end. */
    causeSeq: z.int(),
  }),
]);
export type RunEventBody = z.infer<typeof runEventBodySchema>;
export type RunEventType = RunEventBody["type"];

export const eventEnvelopeSchema = z.object({
  /** Contiguous from 1 within the run. */
  seq: z.int().min(1),
  /** Epoch milliseconds on the database clock. */
  at: z.number(),
});

/** An event as stored and streamed. */
export type RunEvent = RunEventBody & { readonly seq: number; readonly at: number };
export const runEventSchema = z.intersection(runEventBodySchema, eventEnvelopeSchema) as unknown as z.ZodType<RunEvent>;

/** An event about to be appended: the store gives it its `seq`. */
export type NewRunEvent = RunEventBody & { readonly at: number };

export type RunEventOf<Type extends RunEventType> = Extract<RunEventBody, { type: Type }> & {
  readonly seq: number;
  readonly at: number;
};
