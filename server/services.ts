import type { CapabilityRegistry, CapabilitySnapshot } from "#kernel/capability/capability";
import type { SchemaChecker } from "#kernel/capability/schema-checker";
import type { ApiKeyStore } from "./runtime/api-key-store";
import type { EventFeed } from "./runtime/event-feed";
import type { PlanStore } from "./runtime/plan-store";
import type { Principal } from "./runtime/principal";
import type { RunDesk } from "./runtime/run-desk";

/** Everything the web process works with. Built in one place, handed to whoever needs it. */
export interface Services {
  /** Who sent a request with these headers; undefined: nobody we know. */
  identify(headers: Headers): Promise<Principal | undefined>;
  readonly plans: PlanStore;
  readonly runs: RunDesk;
  readonly feed: EventFeed;
  readonly apiKeys: ApiKeyStore;
  readonly registry: CapabilityRegistry;
  readonly capabilities: readonly CapabilitySnapshot[];
  readonly checkSchema: SchemaChecker;
  /** Further origins whose pages are ours, where a proxy serves us under another name. */
  readonly trustedOrigins: readonly string[];
  /** Logs a fault of ours, once, with what was asked. */
  reportFault(fault: unknown, context: Readonly<Record<string, unknown>>): void;
  /** Aborted when the process has been asked to end, so that open streams let it go. */
  readonly closing: AbortSignal;
}

let built: Promise<Services> | undefined;

/** The services of this process, built on first use. */
export function getServices(): Promise<Services> {
  built ??= Promise.reject(new Error("The stores are not built yet."));
  return built;
}
