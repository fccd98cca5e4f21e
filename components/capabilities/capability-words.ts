import type { Capability } from "#kernel/capability/capability";

/** Providers as people call them. */
export const PROVIDER_WORD: Readonly<Record<Capability["provider"], string>> = {
  built_in: "built in",
  http: "HTTP",
  mcp: "MCP",
  sandbox: "sandbox",
  retrieval: "retrieval",
  model: "model",
  sub_plan: "sub-plan",
};

export const IDEMPOTENCY_SENTENCE: Readonly<Record<Capability["idempotency"], string>> = {
  natural: "Repeating it changes nothing more.",
  key: "The service honours a key, so a repeat has no second effect.",
  status_lookup: "A lost reply is looked up before anything is repeated.",
  none: "A lost reply leaves the outcome unknown: a person decides, it is never blindly repeated.",
};

/** `capability_gone` → `capability gone`. */
export const plainWord = (code: string): string => code.replaceAll("_", " ");

/** Where a capability's page is. */
export const hrefOfCapability = (name: string): string => `/capabilities/${encodeURIComponent(name)}`;

/** `3.2 %`, and a dash where nothing was counted. */
export const formatShare = (part: number, whole: number): string =>
  whole === 0 ? "–" : part === 0 ? "0 %" : `${Math.max(0.1, (100 * part) / whole).toFixed(1)} %`;
