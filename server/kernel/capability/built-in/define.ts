import type { Capability } from "../capability";

type Defaulted = "version" | "provider" | "reads" | "writes" | "idempotency" | "requires" | "approval" | "retryOn";

/** A built-in capability with the values most of them share: the first version, no resources, no scopes, no gate. */
export const defineBuiltIn = (
  given: Omit<Capability, Defaulted> & Partial<Pick<Capability, Defaulted>>,
): Capability => ({
  version: 1,
  provider: "built_in",
  reads: [],
  writes: [],
  idempotency: "natural",
  requires: [],
  approval: "never",
  retryOn: ["timeout", "rate_limited", "unavailable"],
  ...given,
});

/** A closed JSON Schema object; every property is required unless `optional` names it. */
export const objectSchema = (
  properties: Readonly<Record<string, object>>,
  optional: readonly string[] = [],
): Capability["inputSchema"] =>
  ({
    type: "object",
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  }) as unknown as Capability["inputSchema"];
