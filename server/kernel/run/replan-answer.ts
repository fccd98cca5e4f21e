import type { NewRunEvent, RevisionAuthor } from "./event";
import { PLANNER_TRIES_MAX } from "./replan";
import { checkRevision, type RevisionOptions, revisionEvent } from "./revision";
import { replanRefused } from "./revision-event";
import type { RevisionRefusalCode } from "./revision-refusal";
import type { RunState } from "./state";

/** What a planner said to a question: steps, or that it has none. Untrusted data: it is parsed and judged here. */
export type ReplanAnswer =
  | {
      readonly status: "proposed";
      readonly planner: string;
      readonly document: unknown;
      readonly cancelRunning?: readonly string[];
      readonly message?: string;
    }
  /** It did not come to an answer; nothing is known of the plan. */
  | { readonly status: "failed"; readonly planner: string; readonly message: string };

/** What the run ends as when a planner's answer is refused for this reason and nothing else brings it on. */
const VERDICTS: ReadonlyMap<RevisionRefusalCode, "stop_no_valid_plan" | "stop_stalled"> = new Map([
  ["empty", "stop_no_valid_plan"],
  ["no_valid_step", "stop_no_valid_plan"],
  ["identical", "stop_stalled"],
  ["no_news", "stop_stalled"],
]);

/**
 * The event that a planner's answer makes: a revision in force, one that waits for an approval, or a refusal. A refusal
 * for something that can be put right leaves the question open for another try, as long as there are tries.
 *
 * @returns undefined where the question was answered otherwise meanwhile.
 */
export function answerReplan(
  state: RunState,
  answer: ReplanAnswer,
  { now, ...options }: RevisionOptions & { readonly now: number },
): NewRunEvent | undefined {
  const request = state.replanRequest;
  if (request === undefined || state.status === "finished" || state.cancelledBy !== undefined) return undefined;
  const { reason, triggerSeq } = request;
  const author: RevisionAuthor = { kind: "planner", name: answer.planner };
  const head = { reason, triggerSeq, author };
  if (answer.status === "failed")
    return replanRefused({ ...head, code: "planner_failed", message: answer.message }, now);
  const { cancelRunning = [], message } = answer;
  const document = answer.document ?? { tasks: [] };
  const checked = checkRevision(
    state,
    { ...head, document, cancelRunning, ...(message === undefined ? {} : { message }) },
    options,
  );
  if (checked.ok) return revisionEvent(state, checked.value, now);
  const { code, problems } = checked.error;
  const tries = 1 + (state.replanRefusals?.triggerSeq === triggerSeq ? state.replanRefusals.count : 0);
  const verdict = VERDICTS.get(code) ?? (tries >= PLANNER_TRIES_MAX ? "stop_no_valid_plan" : undefined);
  return replanRefused(
    {
      ...head,
      code,
      message: checked.error.message,
      ...(problems.length === 0 ? {} : { problems: problems.slice(0, PROBLEMS_KEPT_MAX) }),
      ...(verdict === undefined || code === "revisions_exhausted" ? {} : { verdict }),
    },
    now,
  );
}

/** A refusal is read by people and by the planner: the first problems say enough. */
const PROBLEMS_KEPT_MAX = 50;

/** The budget that does not allow another question to a planner; undefined: all do. */
export function planningRefused(state: RunState): { readonly code: string; readonly message: string } | undefined {
  const { iterations, tokens, costUsd } = state.plan?.budgets ?? {};
  const use = state.budgetUse;
  const counts = [
    ["iterations", use.iterations, iterations],
    ["tokens", use.tokens, tokens],
    ["costUsd", use.costUsd, costUsd],
  ] as const;
  for (const [budget, used, limit] of counts) {
    if (limit === undefined || used < limit) continue;
    return { code: `budget.${budget}`, message: `The budget ${budget} allows ${limit}, and ${used} are used.` };
  }
  return undefined;
}

/** A question that no budget allows to be asked. */
export function refusePlanning(state: RunState, now: number): NewRunEvent | undefined {
  const refusal = planningRefused(state);
  if (refusal === undefined || state.replanRequest === undefined) return undefined;
  const { reason, triggerSeq } = state.replanRequest;
  return replanRefused({ reason, triggerSeq, author: { kind: "rule", name: "runtime" }, ...refusal }, now);
}
