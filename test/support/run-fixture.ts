import { defineBuiltIn, objectSchema } from "#kernel/capability/built-in/define";
import { BUILT_IN_CAPABILITIES } from "#kernel/capability/built-in/registry";
import { type CapabilitySnapshot, snapshotCapability } from "#kernel/capability/capability";
import { personIdSchema, runIdSchema } from "#kernel/ids";
import { type Plan, planSchema } from "#kernel/plan/plan";
import type { NewRunEvent, PersonRef, RunEvent } from "#kernel/run/event";
import { applyEvent, createRunState } from "#kernel/run/reduce";
import type { RunState } from "#kernel/run/state";

export const person = (id: string): PersonRef => ({ id: personIdSchema.parse(id), name: id });

/** A capability that changes something outside and cannot be repeated safely. */
export const EFFECT: CapabilitySnapshot = snapshotCapability(
  defineBuiltIn({
    name: "test.effect",
    title: "Change something",
    description: "Changes something outside; a lost reply leaves it unknown.",
    inputSchema: { type: "object" },
    outputSchema: objectSchema({}),
    sideEffect: "write",
    idempotency: "none",
    timeoutSeconds: 10,
    estimate: { p50Seconds: 1, p95Seconds: 1 },
  }),
);

export const CAPABILITIES: readonly CapabilitySnapshot[] = [...BUILT_IN_CAPABILITIES, EFFECT];

type TaskDraft = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A plan from the fewest words: tasks call `test.echo` unless they say otherwise. */
export const planOf = (tasks: readonly TaskDraft[], rest: Readonly<Record<string, unknown>> = {}): Plan =>
  planSchema.parse({
    format: "planwright/v1",
    name: "test",
    ...rest,
    tasks: tasks.map((task) => ({ capability: "test.echo", arguments: { value: 1 }, ...task })),
  });

/** The two events every run begins with. */
export const opening = (plan: Plan, at = 0, fourEyes = true): NewRunEvent[] => [
  {
    type: "run_created",
    at,
    runId: runIdSchema.parse("run-1"),
    name: plan.name,
    startedBy: person("requester"),
    planAuthor: person("author"),
    policy: { budgetBeforeCompletion: false, fourEyes },
  },
  { type: "plan_accepted", at, revision: 1, plan, capabilities: [...CAPABILITIES] },
];

/** Gives new events their place in the log. */
export const numbered = (events: readonly NewRunEvent[], afterSeq = 0): RunEvent[] =>
  events.map((event, index) => ({ ...event, seq: afterSeq + index + 1 }));

/** A run whose plan was just accepted. */
export function startedRun(plan: Plan, at = 0): RunState {
  const state = createRunState();
  for (const event of numbered(opening(plan, at))) applyEvent(state, event);
  return state;
}

/** Appends events to a folded run. */
export function append(state: RunState, ...events: readonly NewRunEvent[]): RunState {
  for (const event of numbered(events, state.lastSeq)) applyEvent(state, event);
  return state;
}
