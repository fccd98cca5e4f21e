import { z } from "zod";
import { planIdSchema, runIdSchema } from "../../ids";

/** What an architect asks before shipping, in the order of a review. */
export const REVIEW_QUESTIONS = {
  actions_validated: "Can every action be validated against a registered capability?",
  authorization_enforced: "Is authorization enforced at the action?",
  failures_told_apart: "Are transient and terminal failures told apart?",
  repeats_detected: "Are repeats detected without misjudging polling?",
  completion_independent: "Are completion criteria independent of confidence?",
  budgets_enforced: "Are all budgets enforced outside the model?",
  stops_explained: "Does every stop path give a reason?",
  baseline_measured: "Has planning been measured against a simpler baseline?",
} as const;
export type ReviewQuestion = keyof typeof REVIEW_QUESTIONS;

const questionSchema = z.enum(Object.keys(REVIEW_QUESTIONS) as [ReviewQuestion, ...ReviewQuestion[]]);

/**
 * `yes`: the facts say so, without exception. `partly`: there are exceptions, each named. `no`: the rule does not hold.
 * `not_measured`: nothing has happened yet that could show it.
 */
export const reviewVerdictSchema = z.enum(["yes", "partly", "no", "not_measured"]);
export type ReviewVerdict = z.infer<typeof reviewVerdictSchema>;

/** Where the evidence lies; what it names can be opened. Ids of plans and runs are absent for a file. */
export const evidenceSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("plan"), planId: planIdSchema.optional() }),
  z.object({ kind: z.literal("task"), planId: planIdSchema.optional(), taskId: z.string() }),
  z.object({ kind: z.literal("capability"), reference: z.string() }),
  z.object({ kind: z.literal("run"), runId: runIdSchema, seq: z.int().optional(), taskId: z.string().optional() }),
]);
export type Evidence = z.infer<typeof evidenceSchema>;

const findingSchema = z.object({
  /** What it is, by name. */
  subject: z.string(),
  /** What is wrong with it, or what it shows. */
  message: z.string(),
  evidence: evidenceSchema,
});
export type ReviewFinding = z.infer<typeof findingSchema>;

export const reviewAnswerSchema = z.object({
  id: questionSchema,
  question: z.string(),
  verdict: reviewVerdictSchema,
  /** One sentence, with the numbers that decide. */
  summary: z.string(),
  figures: z.array(z.object({ label: z.string(), value: z.string() })),
  /** The exceptions, each with a link; the first {@link FINDINGS_MAX}. */
  findings: z.array(findingSchema),
  findingsTotal: z.int(),
  /** What to do about it; absent where there is nothing to do. */
  advice: z.string().optional(),
});
export type ReviewAnswer = z.infer<typeof reviewAnswerSchema>;

export const reviewSchema = z.object({
  answers: z.array(reviewAnswerSchema),
  plans: z.int(),
  plansTotal: z.int(),
  tasks: z.int(),
  /** Runs looked at, of all; absent for a file. */
  runs: z.object({ looked: z.int(), total: z.int() }).optional(),
});
export type Review = z.infer<typeof reviewSchema>;

export const FINDINGS_MAX = 100;

/** What a question's own code says; the rest follows. */
export type ReviewPart = Omit<ReviewAnswer, "id" | "question" | "findings" | "findingsTotal" | "figures"> & {
  readonly findings?: readonly ReviewFinding[];
  /** Pairs of a label and a figure. */
  readonly figures?: readonly (readonly [label: string, value: string | number])[];
};

/** The answer with its question, and no more findings than a person can read. */
export const answerOf = (id: ReviewQuestion, part: ReviewPart): ReviewAnswer => {
  const { findings = [], figures = [], advice, ...rest } = part;
  return {
    id,
    question: REVIEW_QUESTIONS[id],
    ...rest,
    figures: figures.map(([label, value]) => ({ label, value: String(value) })),
    findings: findings.slice(0, FINDINGS_MAX),
    findingsTotal: findings.length,
    ...(advice === undefined || part.verdict === "yes" ? {} : { advice }),
  };
};

/** Where no plan calls anything, nothing can be said of calls. */
export const NO_ACTIONS: ReviewPart = {
  verdict: "not_measured",
  summary: "No plan has a task.",
  advice: "Draw or import a plan; what it calls is then judged here.",
};

/** `yes` where all of some hold, `no` where none does, else `partly`. */
export const verdictOf = (holding: number, all: number): ReviewVerdict =>
  holding === all ? "yes" : holding === 0 ? "no" : "partly";

/** "1 task", "2 tasks". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
