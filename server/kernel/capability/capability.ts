import { z } from "zod";
import { canonicalJson, type JsonObject, type JsonValue } from "../json";
import { sha256 } from "../sha256";

/** What a call may change. `write` can be undone or repeated with care; `destructive` cannot be undone. */
export const sideEffectSchema = z.enum(["none", "read", "write", "destructive"]);
export type SideEffect = z.infer<typeof sideEffectSchema>;

/**
 * How a repeated call is made harmless.
 * `natural`: repeating changes nothing more; `key`: the callee honours a key; `status_lookup`: we can ask
 * whether it happened; `none`: a lost reply leaves the outcome unknown.
 */
export const idempotencySchema = z.enum(["natural", "key", "status_lookup", "none"]);
export type Idempotency = z.infer<typeof idempotencySchema>;

export const errorCategorySchema = z.enum([
  "timeout",
  "rate_limited",
  "unavailable",
  "invalid_arguments",
  "forbidden",
  "not_found",
  "conflict",
  "output_too_large",
  "output_invalid",
  "cancelled",
  "capability_gone",
  "policy_denied",
  "internal",
]);
export type ErrorCategory = z.infer<typeof errorCategorySchema>;

const jsonSchemaSchema = z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonObject>;

export const estimateSchema = z.object({
  /** Median duration, seconds. */
  p50Seconds: z.number().min(0),
  /** 95th percentile, seconds. */
  p95Seconds: z.number().min(0),
});

/**
 * Repeated calls that are no stall: a status is asked for until it says that it is done. Outside these bounds a repeat
 * without news counts as one.
 */
export const pollingPolicySchema = z.object({
  /** Calls in all, the first included. */
  maxPolls: z.int().min(1),
  /** From the first call on. */
  deadlineSeconds: z.number().positive(),
  /** Between an answer and the next call; absent: 5. */
  intervalSeconds: z.number().min(0.01).optional(),
  /**
   * Done once the output at `pointer` is one of `values`: until then the runtime calls again by itself. Absent: one
   * call is enough, and only a planner that asks again is allowed for.
   */
  done: z.object({ pointer: z.string(), values: z.array(z.unknown()) }).optional(),
});
export type PollingPolicy = z.infer<typeof pollingPolicySchema>;

/** A part of an output is one of `values`, or, without values, is anything but null and false. */
export const outputTestSchema = z.object({ pointer: z.string(), values: z.array(z.unknown()).optional() });
export type OutputTest = z.infer<typeof outputTestSchema>;

/**
 * A reading call that must come out right before each call of the capability: where it does not, the call is not made.
 * Its arguments are a template as a look-up's are.
 */
export const preconditionSchema = z.object({
  /** `name@version`. It must change nothing. */
  capability: z.string().min(1).max(140),
  arguments: jsonSchemaSchema,
  expect: outputTestSchema,
  /** Told where it does not hold. */
  message: z.string().max(500).optional(),
});
export type Precondition = z.infer<typeof preconditionSchema>;

/**
 * How to ask whether a call whose answer was lost took effect, for `status_lookup`. The look-up is a call of another
 * capability that changes nothing, so it may be made again and again.
 */
export const lookUpSchema = z.object({
  /** `name` or `name@version`; it is pinned with the run. */
  capability: z.string().min(1).max(140),
  /**
   * Its arguments: `{"$argument": "/pointer"}` stands for a part of the call's own arguments, `{"$idempotencyKey": true}`
   * for the key the call carried.
   */
  arguments: jsonSchemaSchema,
  /** The call took effect where the look-up's output at `pointer` is one of `values`, or, without values, is anything. */
  committed: outputTestSchema,
  /** It took no effect where the look-up says so in the same way, or answers `not_found`; else it is still not known. */
  notCommitted: outputTestSchema.optional(),
  /** Where in the look-up's output the call's own output stands; absent: the whole of it. */
  output: z.string().optional(),
});
export type LookUp = z.infer<typeof lookUpSchema>;

/** A gate that a capability demands before every call, whatever the plan says. */
export const approvalPolicySchema = z.enum(["never", "always"]);

export const capabilitySchema = z.object({
  name: z.string().min(1).max(128),
  version: z.int().min(1),
  title: z.string(),
  description: z.string(),
  provider: z.enum(["built_in", "http", "mcp", "sandbox", "retrieval", "model", "sub_plan"]),
  inputSchema: jsonSchemaSchema,
  outputSchema: jsonSchemaSchema,
  sideEffect: sideEffectSchema,
  /** Resources touched, as templates over the arguments: `file:${path}`. */
  reads: z.array(z.string()),
  writes: z.array(z.string()),
  idempotency: idempotencySchema,
  /** Scopes that whoever started the run needs, as templates over the arguments: `file:write:${path}`. */
  requires: z.array(z.string()),
  approval: approvalPolicySchema,
  timeoutSeconds: z.number().positive(),
  /** Error categories worth another attempt; anything else is terminal. */
  retryOn: z.array(errorCategorySchema),
  /** Calls running at once across all runs of the workspace; absent: no limit. */
  concurrency: z.int().min(1).optional(),
  rateLimit: z.object({ calls: z.int().min(1), perSeconds: z.number().positive() }).optional(),
  polling: pollingPolicySchema.optional(),
  lookUp: lookUpSchema.optional(),
  preconditions: z.array(preconditionSchema).max(8).optional(),
  estimate: estimateSchema,
  /** The most that one call costs; reserved before it, settled by what it reports after. */
  costUsd: z.number().min(0).optional(),
  /** The most tokens that one call uses, reserved and settled in the same way. */
  tokensMax: z.int().min(1).optional(),
  /** What the provider needs to make the call: server, path, headers. Part of the version; secrets by name only. */
  settings: jsonSchemaSchema.optional(),
});
export type Capability = z.infer<typeof capabilitySchema>;

/** A capability as a run pins it: the version and the fingerprint that was validated. */
export const capabilitySnapshotSchema = capabilitySchema.extend({ fingerprint: z.string().length(64) });
export type CapabilitySnapshot = z.infer<typeof capabilitySnapshotSchema>;

/** SHA-256 of the canonical form; any change of schema, description or effect changes it. */
export const capabilityFingerprint = (capability: Capability): string =>
  sha256(canonicalJson(JSON.parse(JSON.stringify(capability)) as JsonValue));

export const snapshotCapability = (capability: Capability): CapabilitySnapshot => ({
  ...capability,
  fingerprint: capabilityFingerprint(capability),
});

/** Read access to the registered capabilities; the kernel never fetches, it is handed a view. */
export interface CapabilityRegistry {
  /** `name` finds the newest version, `name@version` that one; undefined when there is none. */
  find(reference: string): CapabilitySnapshot | undefined;
  names(): readonly string[];
}

/** A registry over a fixed list; the newest version of a name answers for the bare name. */
export function registryOf(capabilities: readonly CapabilitySnapshot[]): CapabilityRegistry {
  const byReference = new Map<string, CapabilitySnapshot>();
  for (const capability of capabilities) {
    byReference.set(`${capability.name}@${capability.version}`, capability);
    const newest = byReference.get(capability.name);
    if (newest === undefined || newest.version < capability.version) byReference.set(capability.name, capability);
  }
  return {
    find: (reference) => byReference.get(reference),
    names: () => [...new Set(capabilities.map((capability) => capability.name))].sort(),
  };
}
