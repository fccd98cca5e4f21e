import { type CapabilityRegistry, type CapabilitySnapshot, registryOf } from "../capability/capability";
import type { SchemaChecker } from "../capability/schema-checker";
import type { TaskId } from "../ids";
import { isJsonObject } from "../json";
import type { Diagnostic } from "../plan/diagnostic";
import { isEmptyDiff } from "../plan/diff";
import { parsePlan } from "../plan/parse";
import { pinnedCapabilities } from "../plan/pinned-capabilities";
import type { Plan } from "../plan/plan";
import { err, ok, type Result } from "../result";
import type { NewRunEvent, ReplanReason, RevisionAuthor, Widening } from "./event";
import { planRevised, type RevisionDraft, revisionBody, revisionDiff, revisionsExhausted } from "./revision-event";
import { isOldNews } from "./revision-news";
import { problemsWithProgress, problemsWithTrust } from "./revision-problems";
import type { RevisionRefusal, RevisionRefusalCode } from "./revision-refusal";
import type { RunState } from "./state";
import { unfinishedPlan } from "./unfinished";
import { validateRevision } from "./validate-revision";
import { wideningsOf } from "./widening";

/** What somebody wants the rest of a run to be. */
export interface RevisionRequest {
  readonly reason: ReplanReason;
  /** The event that sets it off. */
  readonly triggerSeq: number;
  readonly author: RevisionAuthor;
  /** The unfinished part as a plan, from outside: it is parsed here. */
  readonly document: unknown;
  /** Running tasks that are to be stopped; every other running task has to be in the plan, as it is. */
  readonly cancelRunning?: readonly string[];
  readonly message?: string;
}

export interface RevisionOptions {
  /** Capabilities registered now; those that the run has pinned come first. */
  readonly registry: CapabilityRegistry;
  readonly checkSchema?: SchemaChecker;
}

/** A revision that may be made, and what it would need. */
export interface CheckedRevision {
  readonly draft: RevisionDraft;
  readonly diff: ReturnType<typeof revisionDiff>;
  /** What goes beyond what was approved; empty: it comes into force at once. */
  readonly widened: readonly Widening[];
  /** Warnings and notes. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Whether the rest of a run may become this, by the rules of docs/replanning.md. Every problem of one kind is reported
 * at once, each at its place in the document. Pure: the caller holds the run still meanwhile.
 */
export function checkRevision(
  state: RunState,
  request: RevisionRequest,
  { registry, checkSchema }: RevisionOptions,
): Result<CheckedRevision, RevisionRefusal> {
  const { author, reason, triggerSeq, message } = request;
  if (state.status === "finished") return refuse("run_ended", "The run has ended.");
  if (state.cancelledBy !== undefined) return refuse("run_ended", "The run was cancelled.");
  const before = unfinishedPlan(state);
  if (before === undefined || state.revision === 0) return refuse("not_started", "The run has no plan in force yet.");
  if (triggerSeq < 1 || triggerSeq > state.lastSeq) {
    return refuse("trigger_unknown", `There is no event ${triggerSeq} in this run; the last one is ${state.lastSeq}.`);
  }
  const exhausted = revisionsExhausted(state, author.kind);
  if (exhausted !== undefined) return refuse("revisions_exhausted", exhausted);
  const parsed = parsePlan(author.kind === "planner" ? completed(before, request.document) : request.document);
  if (!parsed.ok) return refuse("plan_invalid", "This is not a plan.", parsed.error);
  const plan = parsed.value;
  const cancelRunning = request.cancelRunning ?? [];
  if (plan.tasks.length === 0) return refuse("empty", "It leaves nothing to do. To end a run, cancel it.");
  const pinned = pinnedFirst(state, registry);
  const problems =
    problemsWithProgress(state, plan, cancelRunning) ?? (author.kind === "planner" && problemsWithTrust(before, plan));
  if (problems) return err({ ...problems, diagnostics: [] });
  const diff = revisionDiff(state, plan);
  if (isEmptyDiff(diff)) return refuse("identical", "It changes nothing in what is left to do.");
  if (isOldNews(state, before, plan)) {
    return refuse("no_news", "Its only news is a step that has failed already, or other words for the same steps.");
  }
  const { diagnostics, deadEnd } = validateRevision(state, plan, { registry: pinned, checkSchema });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return refuse("plan_invalid", "The revised plan has problems and cannot run.", errors);
  if (deadEnd) return refuse("no_valid_step", "No step of it can run: each waits for one that did not succeed.");
  const draft: RevisionDraft = {
    plan,
    reason,
    triggerSeq,
    author,
    capabilities: newCapabilities(state, plan, registry),
    cancelRunning: cancelRunning as readonly TaskId[],
    ...(message === undefined ? {} : { message }),
  };
  return ok({ draft, diff, widened: wideningsOf(state, plan, pinned), diagnostics });
}

/**
 * The event that a checked revision makes: it comes into force at once, or, where it goes beyond what was approved,
 * waits for the approval of its changed part.
 */
export function revisionEvent(state: RunState, { draft, widened }: CheckedRevision, now: number): NewRunEvent {
  if (widened.length === 0) return planRevised(state, draft, now);
  return {
    type: "plan_proposed",
    at: now,
    proposedBy: draft.author.name,
    ...revisionBody(state, draft),
    widened: [...widened],
  };
}

function refuse(
  code: RevisionRefusalCode,
  message: string,
  diagnostics: readonly Diagnostic[] = [],
): Result<never, RevisionRefusal> {
  const problems = diagnostics.map(({ code: problem, pointer, message: text, taskId }) => ({
    code: problem,
    pointer,
    message: text,
    ...(taskId === undefined ? {} : { taskId }),
  }));
  return err({ code, message, problems, diagnostics });
}

/** A planner answers with steps; what frames them is the plan's own, unless the planner names it and is then judged. */
function completed({ tasks: _tasks, ...frame }: Plan, document: unknown): unknown {
  return isJsonObject(document) ? { ...frame, ...document } : document;
}

/** What the run has pinned, and, for names it has not, what is registered now. */
export function pinnedFirst(state: RunState, registry: CapabilityRegistry): CapabilityRegistry {
  const pinned = registryOf([...new Set(state.capabilities.values())]);
  return {
    find: (reference) => pinned.find(reference) ?? registry.find(reference),
    names: () => [...new Set([...pinned.names(), ...registry.names()])].sort(),
  };
}

/** What the revision names and the run has not pinned. A name that is pinned goes on meaning what it meant. */
function newCapabilities(state: RunState, plan: Plan, registry: CapabilityRegistry): CapabilitySnapshot[] {
  const known = pinnedFirst(state, registry);
  const named = new Set(plan.tasks.map((task) => task.capability));
  return pinnedCapabilities(plan, known).filter(({ name, version, provider }) => {
    const reference = `${name}@${version}`;
    if (state.capabilities.has(reference)) return false;
    // A built-in that has a newer version by now stays what this run calls by its name.
    return provider !== "built_in" || named.has(reference) || !state.capabilities.has(name);
  });
}
