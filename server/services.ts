import { BUILT_IN_CAPABILITIES, BUILT_IN_REGISTRY } from "#kernel/capability/built-in/registry";
import type { CapabilityRegistry, CapabilitySnapshot } from "#kernel/capability/capability";
import type { SchemaChecker } from "#kernel/capability/schema-checker";
import type { Plan } from "#kernel/plan/plan";
import { graphOfPlan } from "#kernel/plan/plan-graph";
import { checkSchema } from "./capabilities/schema-check";
import { type Database, database } from "./db";
import { env } from "./env";
import type { ApiKeyStore } from "./runtime/api-key-store";
import type { EventFeed } from "./runtime/event-feed";
import type { PlanStore } from "./runtime/plan-store";
import type { Principal } from "./runtime/principal";
import type { RunDesk } from "./runtime/run-desk";
import { createApiKeyStore } from "./store/api-key-store";
import { createPlanStore } from "./store/plan-store";
import type { PlanAssessment } from "./store/plan-summaries";

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

export interface ServiceSources {
  readonly database: Database;
  readonly identify: Services["identify"];
  readonly trustedOrigins: readonly string[];
  readonly reportFault: Services["reportFault"];
  readonly closing: AbortSignal;
}

/** Builds the adapters on one database. */
export function buildServices(sources: ServiceSources): Services {
  const { prisma } = sources.database;
  return {
    identify: sources.identify,
    plans: createPlanStore(prisma, assessPlan),
    runs: noRuns,
    feed: { subscribe: () => () => {} },
    apiKeys: createApiKeyStore(prisma),
    registry: BUILT_IN_REGISTRY,
    capabilities: BUILT_IN_CAPABILITIES,
    checkSchema,
    trustedOrigins: sources.trustedOrigins,
    reportFault: sources.reportFault,
    closing: sources.closing,
  };
}

const assessPlan = (plan: Plan): PlanAssessment => ({
  edges: graphOfPlan(plan).edgeCount,
  problems: { errors: 0, warnings: 0 },
});

const noRuns: RunDesk = {
  list: async () => [],
  get: async () => undefined,
  events: async () => undefined,
  start: async () => {
    throw new Error("Runs are not built yet.");
  },
  submit: async () => undefined,
  gates: async () => [],
  gate: async () => undefined,
};

/** Kept on the global object, since hot reload evaluates this module again. */
const kept = globalThis as typeof globalThis & { planwrightServices?: Services };

/** The services of the web process, built on first use. */
export function getServices(): Services {
  kept.planwrightServices ??= buildServices({
    database: database(),
    identify: async () => undefined,
    trustedOrigins: [new URL(env().PLANWRIGHT_URL).origin],
    reportFault: (fault, context) => console.error(context, fault),
    closing: closingSignal(),
  });
  return kept.planwrightServices;
}

/** Aborted by the first signal to end, so that no open stream keeps the process alive. */
function closingSignal(): AbortSignal {
  const closing = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => closing.abort());
  return closing.signal;
}
