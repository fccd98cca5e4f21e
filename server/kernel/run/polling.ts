import type { CapabilitySnapshot, PollingPolicy } from "../capability/capability";
import type { Observation } from "../capability/observation";
import { changesSomething } from "../capability/side-effect";
import { canonicalJson, getAtPointer, type JsonValue } from "../json";
import type { TaskState } from "./state";

const INTERVAL_SECONDS_DEFAULT = 5;

/** How a capability may be polled; undefined where it may not, which is so for everything that changes something. */
export const pollingOf = (capability: CapabilitySnapshot | undefined): PollingPolicy | undefined =>
  changesSomething(capability) ? undefined : capability?.polling;

/**
 * True for an answer that says that it is not done yet, by the completion check of the polling policy. Ask it before a
 * large output is put away: afterwards nobody can look at it.
 */
export function isPending(capability: CapabilitySnapshot | undefined, observation: Observation): boolean {
  const done = pollingOf(capability)?.done;
  if (done === undefined || observation.status !== "ok" || observation.outputRef !== undefined) return false;
  const value = getAtPointer(observation.output ?? null, done.pointer);
  return value === undefined || !done.values.some((each) => isSame(each as JsonValue, value));
}

const isSame = (a: JsonValue, b: JsonValue): boolean => a === b || canonicalJson(a) === canonicalJson(b);

/** The answers so far that were not final. A failed call is no poll. */
export const pollsOf = (task: TaskState): number =>
  task.attempts.filter((attempt) => attempt.observation?.status === "ok").length;

/** When the next poll may be made, epoch milliseconds; undefined where the policy allows no further one. */
export function nextPollAt(
  policy: PollingPolicy,
  poll: { made: number; since: number; now: number },
): number | undefined {
  const at = poll.now + (policy.intervalSeconds ?? INTERVAL_SECONDS_DEFAULT) * 1_000;
  const over = poll.made >= policy.maxPolls || at >= poll.since + policy.deadlineSeconds * 1_000;
  return over ? undefined : at;
}

/** True for a call that the policy still allows for, however often it gave the same answer. */
export const isWithin = (
  policy: PollingPolicy | undefined,
  poll: { times: number; since: number; now: number },
): boolean =>
  policy !== undefined && poll.times <= policy.maxPolls && poll.now <= poll.since + policy.deadlineSeconds * 1_000;
