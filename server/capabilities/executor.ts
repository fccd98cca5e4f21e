import { setTimeout as delay } from "node:timers/promises";
import { fillTemplate, passes } from "#kernel/capability/call-template";
import {
  type Capability,
  type CapabilityRegistry,
  type CapabilitySnapshot,
  registryOf,
} from "#kernel/capability/capability";
import { requiredScopes, resolveScopes } from "#kernel/capability/scope";
import { changesSomething } from "#kernel/capability/side-effect";
import { isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import type { CapabilityRecords } from "../runtime/capability-records";
import type { CallContext, CapabilityExecutor } from "../runtime/ports";
import { type CallResult, type CapabilityProvider, type Implementation, NOTHING_USED, terminal } from "./definition";
import { interrupted } from "./interruption";
import { checkSchema } from "./schema-check";

/** What workspaces registered, and who carries it out. */
export interface RegisteredCapabilities {
  readonly records: CapabilityRecords;
  readonly providers: ReadonlyMap<Capability["provider"], CapabilityProvider>;
}

/** A call about to be made, and the scopes that its very arguments ask for. */
export interface AuthorityQuestion {
  readonly capability: CapabilitySnapshot;
  readonly scopes: readonly string[];
}

/** Why the actor of a call may not make it now, or undefined. Asked at each call, never remembered. */
export type Authorize = (question: AuthorityQuestion, context: CallContext) => Promise<string | undefined>;

export interface ExecutorOptions {
  readonly registered?: RegisteredCapabilities;
  /** Absent: whoever may start a run may make its calls. */
  readonly authorize?: Authorize;
  readonly monotonicMs?: () => number;
}

/**
 * The boundary between intent and action. In this order, and nothing is sent before all of it holds:
 *
 * 1. the capability is registered under this name and version, and is the very one that the run pinned;
 * 2. the arguments, as they will be sent, fit its input schema;
 * 3. the actor is a member with the scopes that it requires for these arguments, at this moment;
 * 4. what the capability wants to be so first is so, by a reading call;
 * 5. the run still wants the call.
 *
 * Whatever comes back, or fails to, becomes one observation. A refusal is terminal, and no other capability, version
 * or address is tried in its place.
 */
export function capabilityExecutor(
  implementations: readonly Implementation[],
  options: ExecutorOptions = {},
): CapabilityExecutor {
  const monotonicMs = options.monotonicMs ?? (() => performance.now());
  const registry: CapabilityRegistry = registryOf(implementations.map((each) => each.capability));
  const byName = new Map(implementations.map((each) => [referenceOf(each.capability), each]));

  /** Built-ins are found without a question; the rest is asked for each time, since a version may have been retired. */
  const find = async (reference: string, context: CallContext): Promise<Implementation | CallResult> => {
    const builtIn = registry.find(reference);
    const implementation = builtIn && byName.get(referenceOf(builtIn));
    const found = implementation ?? (await findRegistered(options.registered, reference, context.workspaceId));
    if (isRefusal(found) || context.fingerprint === undefined) return found;
    if (found.capability.fingerprint === context.fingerprint) return found;
    const message = `${reference} is not what it was when this run was validated, so it is not called.`;
    return terminal({ errorCategory: "policy_denied", errorCode: "capability_changed", message });
  };

  const mayCall: MayCall = async (capability, callArguments, context) => {
    const scopes = resolveScopes(requiredScopes(capability, registry), callArguments);
    if (!scopes.ok)
      return terminal({ errorCategory: "policy_denied", errorCode: "scope_unknown", message: scopes.error.message });
    const message = await options.authorize?.({ capability, scopes: scopes.value }, context);
    return message === undefined
      ? undefined
      : terminal({ errorCategory: "policy_denied", errorCode: "not_authorized", message });
  };

  /** A call that changes nothing and stands before another: it has no preconditions of its own. */
  const read = async (reference: string, callArguments: JsonValue, context: CallContext): Promise<CallResult> => {
    const found = await find(reference, context);
    if (isRefusal(found)) return found;
    if (changesSomething(found.capability)) {
      return terminal({
        errorCategory: "policy_denied",
        message: `${reference} changes something, so it checks nothing.`,
      });
    }
    return callChecked(found, callArguments, context, { mayCall, read: undefined });
  };

  return {
    registry,
    async call(reference, callArguments, context) {
      const begunAt = monotonicMs();
      const found = await find(reference, context);
      const checks = { mayCall, read };
      const result = isRefusal(found) ? unmade(found) : await callChecked(found, callArguments, context, checks);
      return { ...result, latencyMs: microseconds(Math.max(0, monotonicMs() - begunAt)) };
    },
  };
}

/** A call that was not made used nothing beyond what its checks say, whatever its capability declares of a call. */
const unmade = (result: CallResult): CallResult => ({ usage: NOTHING_USED, ...result });

const isRefusal = (found: Implementation | CallResult): found is CallResult => "status" in found;

const gone = (message: string): CallResult => terminal({ errorCategory: "capability_gone", message });

async function findRegistered(
  registered: RegisteredCapabilities | undefined,
  reference: string,
  workspaceId: string,
): Promise<Implementation | CallResult> {
  const missing = gone(`No capability is registered as ${reference}.`);
  if (registered === undefined) return missing;
  const [name = "", version] = reference.split("@", 2);
  if (version === undefined) {
    const newest = (await registered.records.registryOf(workspaceId)).find(name);
    return newest === undefined ? missing : carriedOut(registered, newest);
  }
  const known = await registered.records.version(workspaceId, name, Number(version));
  if (known === undefined) return missing;
  if (known.retired !== undefined) return gone(`${reference} was retired by ${known.retired.by.name}.`);
  return carriedOut(registered, known.capability);
}

const carriedOut = (
  { providers }: RegisteredCapabilities,
  capability: CapabilitySnapshot,
): Implementation | CallResult =>
  providers.get(capability.provider)?.(capability) ??
  gone(`Nothing here carries out capabilities of the provider ${capability.provider}.`);

/** Digits below a microsecond say nothing and would stand in every event. */
const microseconds = (ms: number): number => Math.round(ms * 1_000) / 1_000;

const referenceOf = (capability: CapabilitySnapshot): string => `${capability.name}@${capability.version}`;

type MayCall = (
  capability: CapabilitySnapshot,
  callArguments: JsonValue,
  context: CallContext,
) => Promise<CallResult | undefined>;

interface Checks {
  readonly mayCall: MayCall;
  readonly read:
    | ((reference: string, callArguments: JsonValue, context: CallContext) => Promise<CallResult>)
    | undefined;
}

/** How soon to look again whether the run is certainly ours. */
const HELD_LOOK_MS = 20;

async function callChecked(
  implementation: Implementation,
  callArguments: JsonValue,
  context: CallContext,
  { mayCall, read }: Checks,
): Promise<CallResult> {
  const { capability } = implementation;
  const unfit = misfit(capability, callArguments);
  if (unfit !== undefined) return unmade(unfit);
  try {
    const denial = await mayCall(capability, callArguments, context);
    if (denial !== undefined) return unmade(denial);
  } catch (problem) {
    if (context.signal.aborted) return unmade(interrupted(capability, context.signal, "not_committed"));
    // Nothing was sent, so a fault of ours here leaves nothing in doubt.
    return unmade({ ...crashed(capability, problem), sideEffect: "none" });
  }
  const objection = read && (await unmet(capability, callArguments, context, read));
  if (objection !== undefined) return unmade(objection);
  // The checks took their time, and a process may stand still in the middle of them for longer than its lease.
  while (context.isHeld?.() === false && !context.signal.aborted) await delay(HELD_LOOK_MS);
  if (context.signal.aborted) return unmade(interrupted(capability, context.signal, "not_committed"));
  let result: CallResult;
  try {
    result = await implementation.call(callArguments as JsonObject, {
      ...context,
      mayCallWith: async (others) => (await mayCall(capability, others, context))?.message,
    });
  } catch (problem) {
    if (context.signal.aborted) return interrupted(capability, context.signal, "unknown");
    return crashed(capability, problem);
  }
  return result.status === "ok" ? checkOutput(capability, result) : result;
}

/** The first precondition that does not hold, as the answer of a call that was not made. */
async function unmet(
  capability: CapabilitySnapshot,
  callArguments: JsonValue,
  context: CallContext,
  read: (reference: string, callArguments: JsonValue, context: CallContext) => Promise<CallResult>,
): Promise<CallResult | undefined> {
  for (const { capability: reference, arguments: template, expect, message } of capability.preconditions ?? []) {
    const { fingerprint: _own, ...inner } = context;
    const answer = await read(reference, fillTemplate(template, callArguments, context.idempotencyKey), inner);
    if (answer.status !== "ok") {
      // What could not be asked is not known to hold; whether to ask again is as for any call.
      return { ...answer, sideEffect: "none", errorCode: "precondition_unknown" };
    }
    if (passes(expect, answer.output ?? null)) continue;
    const words = message ?? `${reference} does not say what it has to before ${referenceOf(capability)} is called.`;
    return terminal({ errorCategory: "conflict", errorCode: "precondition_failed", message: words });
  }
  return undefined;
}

function misfit(capability: CapabilitySnapshot, callArguments: JsonValue): CallResult | undefined {
  const issue = checkSchema(capability.inputSchema, callArguments)[0];
  if (issue === undefined && isJsonObject(callArguments)) return undefined;
  const where = issue?.pointer ? `${issue.pointer}: ` : "";
  return terminal({
    errorCategory: "invalid_arguments",
    message: `${where}${issue?.message ?? "The arguments must be an object."}`,
  });
}

function checkOutput(capability: CapabilitySnapshot, result: CallResult): CallResult {
  const issue = checkSchema(capability.outputSchema, result.output ?? null)[0];
  if (issue === undefined) return result;
  return terminal({
    errorCategory: "output_invalid",
    message: `The output does not fit the capability's schema at ${issue.pointer || "its root"}: ${issue.message}`,
    sideEffect: result.sideEffect,
  });
}

/** A fault of our own code. Whether a write took effect before it is not known, so it is not said to be none. */
function crashed(capability: CapabilitySnapshot, problem: unknown): CallResult {
  return terminal({
    errorCategory: "internal",
    message: problem instanceof Error ? problem.message : String(problem),
    sideEffect: changesSomething(capability) ? "unknown" : "none",
  });
}
