import type { Observation } from "../capability/observation";
import { canonicalJson, type JsonValue } from "../json";
import { resolveTaskArguments } from "./action";
import type { RunEventOf } from "./event";
import { gateOf, isQuestion, purposeOf } from "./gate";
import type { OutputLoader } from "./outputs";
import { isWithin, pollingOf, pollsOf } from "./polling";
import { actionSignature } from "./signature";
import type { AttemptState, Repeat, RunState, TaskState } from "./state";

export type RepeatVerdict = RunEventOf<"repetition_detected">["verdict"];

/** What the next call of a task repeats, if anything; or the outputs that have to be loaded before this can be said. */
export function repeatOf(
  state: RunState,
  task: TaskState,
  { arguments: callArguments, load }: { arguments: JsonValue; load: OutputLoader | undefined },
): { readonly repeats?: Repeat; readonly missing?: readonly string[] } {
  const poll = repeatOfPoll(state, task, callArguments);
  if (poll !== undefined) return { repeats: poll };
  const plannedSeq = plannedSeqOf(state, task);
  // What stood in the first plan was planned before anything had come back.
  if (plannedSeq <= (state.revisions[0]?.seq ?? 0)) return {};
  const index = indexUpTo(state, plannedSeq);
  const missing = resolveRest(state, index, task, load);
  if (missing.length > 0) return { missing };
  const signature = signatureOf(state, task, callArguments);
  const earlier = (index.bySignature.get(signature) ?? []).filter((each) => endedBefore(each, plannedSeq));
  const last = earlier.at(-1);
  const attempt = last?.attempts.at(-1);
  if (last === undefined || attempt === undefined) return {};
  const since = earlier[0]?.attempts[0]?.startedAt ?? attempt.startedAt ?? 0;
  const of = { taskId: last.id, attempt: attempt.attempt };
  return { repeats: { signature, times: earlier.length + 1, since, of } };
}

/** The next poll of a task repeats its last one. */
function repeatOfPoll(state: RunState, task: TaskState, callArguments: JsonValue): Repeat | undefined {
  if (pollingOf(state.capabilities.get(task.task.capability)) === undefined) return undefined;
  const last = task.attempts.findLast((attempt) => attempt.observation?.status === "ok");
  if (last === undefined) return undefined;
  return {
    signature: signatureOf(state, task, callArguments),
    times: pollsOf(task) + 1,
    since: task.attempts[0]?.startedAt ?? 0,
    of: { taskId: task.id, attempt: last.attempt },
  };
}

/**
 * What to make of a repeat, now that it has come back. Another outcome is new evidence. So is the same one where
 * something else has become known or was changed since the call that it repeats. Within a polling policy the same
 * outcome is what was to be expected. Anything else is a stall.
 *
 * @param state as it was before this result.
 */
export function judgeRepeat(
  state: RunState,
  task: TaskState,
  { repeats, observation, now }: { repeats: Repeat; observation: Observation; now: number },
): RepeatVerdict {
  const earlier = attemptOf(state, repeats.of);
  if (earlier?.observation === undefined || !isSameOutcome(earlier.observation, observation)) return "new_evidence";
  const policy = pollingOf(state.capabilities.get(task.task.capability));
  if (isWithin(policy, { times: repeats.times, since: repeats.since, now })) return "polling";
  const changed = observation.sideEffect === "committed" && observation.stateChanged !== false;
  return changed || state.evidence > (earlier.evidence ?? 0) ? "new_evidence" : "stall";
}

/** Two results that tell the same: equal outputs, or failures of one kind, however they are worded. */
export function isSameOutcome(a: Observation, b: Observation): boolean {
  if (a.status === "ok" && b.status === "ok") {
    if (a.outputRef === undefined && b.outputRef === undefined) {
      return canonicalJson(a.output ?? null) === canonicalJson(b.output ?? null);
    }
    return a.outputHash !== undefined && a.outputHash === b.outputHash;
  }
  return a.status !== "ok" && b.status !== "ok" && a.errorCategory === b.errorCategory && a.errorCode === b.errorCode;
}

export const attemptOf = (
  state: RunState,
  call: { readonly taskId: string; readonly attempt: number },
): AttemptState | undefined => state.tasks.get(call.taskId)?.attempts.findLast((each) => each.attempt === call.attempt);

function signatureOf(state: RunState, task: TaskState, callArguments: JsonValue): string {
  const capability = state.capabilities.get(task.task.capability);
  const name = capability === undefined ? task.task.capability : `${capability.name}@${capability.version}`;
  return actionSignature(name, callArguments);
}

/** The event that gave a task its definition: whoever wrote it knew what had come back by then. */
function plannedSeqOf(state: RunState, task: TaskState): number {
  const own = task.instance === undefined ? task : (state.tasks.get(task.instance.groupId) ?? task);
  const revision = state.revisions.findLast((each) => each.revision === own.definedInRevision);
  return Math.max(own.streamedSeq ?? 0, revision?.seq ?? 0);
}

interface Index {
  readonly upToSeq: number;
  readonly bySignature: Map<string, TaskState[]>;
  /** Calls whose arguments stand in outputs that were not loaded, by capability. */
  readonly unresolved: Map<string, TaskState[]>;
}

/** Kept beside the state: it follows from it, and only a run that was revised needs it. */
const indexes = new WeakMap<RunState, Index>();

/** The calls that had come back by `seq`, by signature; made once for each revision. */
function indexUpTo(state: RunState, seq: number): Index {
  const known = indexes.get(state);
  if (known !== undefined && known.upToSeq >= seq) return known;
  const index: Index = { upToSeq: seq, bySignature: new Map(), unresolved: new Map() };
  const ended = [...state.tasks.values()].filter((task) => isCall(task) && endedBefore(task, seq));
  for (const task of ended.sort((a, b) => (a.endedSeq ?? 0) - (b.endedSeq ?? 0))) {
    addTo(index.unresolved, task.task.capability, task);
  }
  indexes.set(state, index);
  return index;
}

const isCall = (task: TaskState): boolean =>
  task.attempts.length > 0 && task.instanceIds === undefined && !isQuestion(task);

const endedBefore = (task: TaskState, seq: number): boolean => task.endedSeq !== undefined && task.endedSeq < seq;

/** Signs the earlier calls of the task's capability that are not signed yet. Returns the outputs that this needs. */
function resolveRest(state: RunState, index: Index, task: TaskState, load: OutputLoader | undefined): string[] {
  const rest = index.unresolved.get(task.task.capability);
  if (rest === undefined) return [];
  const missing: string[] = [];
  for (const call of rest) {
    const found = argumentsOfCall(state, call, load);
    if (found.missing !== undefined) missing.push(...found.missing);
  }
  if (missing.length > 0) return missing;
  index.unresolved.delete(task.task.capability);
  for (const call of rest) {
    const { value } = argumentsOfCall(state, call, load);
    if (value !== undefined) addTo(index.bySignature, signatureOf(state, call, value), call);
  }
  return [];
}

/** What a call was made with: what was signed, or what its references gave, since the outputs of its parents stay. */
function argumentsOfCall(
  state: RunState,
  task: TaskState,
  load: OutputLoader | undefined,
): { readonly value?: JsonValue; readonly missing?: readonly string[] } {
  const gate = gateOf(state, task);
  if (gate?.status === "used" && purposeOf(gate.request) === "action") return { value: gate.request.arguments };
  const resolution = resolveTaskArguments(state, task, load);
  if (resolution.type === "missing") return { missing: resolution.outputRefs };
  return resolution.type === "resolved" ? { value: resolution.value } : {};
}

function addTo(lists: Map<string, TaskState[]>, key: string, task: TaskState): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [task]);
  else list.push(task);
}
