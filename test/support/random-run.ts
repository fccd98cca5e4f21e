import fc from "fast-check";
import { BUILT_IN_REGISTRY } from "#kernel/capability/built-in/registry";
import type { CapabilitySnapshot } from "#kernel/capability/capability";
import { PLAN_FORMAT, type Plan, planSchema } from "#kernel/plan/plan";
import { type RunEvent, runEventSchema } from "#kernel/run/event";

/** How one task of a random run behaves. Times in milliseconds. */
interface TaskShape {
  readonly parents: readonly number[];
  readonly durationMs: number;
  /** Attempts that come back retryable before the one that succeeds. */
  readonly failures: number;
  /** How long a person takes to sign; undefined: nobody has to. */
  readonly gateMs: number | undefined;
  /** Whether its start is recorded before its end. */
  readonly dispatched: boolean;
  readonly terminal: boolean;
}

export interface RunShape {
  readonly tasks: readonly TaskShape[];
  readonly workers: number;
  /** A pause from the first to the second moment, of the run's clock. */
  readonly pause: readonly [number, number] | undefined;
  /** Stop recording after this share of the events: a run that still goes on. */
  readonly share: number;
}

const START = 1_800_000_000_000;

const taskShape = (index: number): fc.Arbitrary<TaskShape> =>
  fc.record({
    parents: index === 0 ? fc.constant([]) : fc.uniqueArray(fc.nat({ max: index - 1 }), { maxLength: 3 }),
    durationMs: fc.integer({ min: 0, max: 20_000 }),
    failures: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }) },
    ),
    gateMs: fc.option(fc.integer({ min: 0, max: 60_000 }), { freq: 4 }),
    dispatched: fc.boolean(),
    terminal: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  });

/** Shapes of runs of up to `max` tasks: gates, retries, terminal failures, a pause, an end that is missing. */
export const runShapes = (max = 10): fc.Arbitrary<RunShape> =>
  fc.integer({ min: 1, max }).chain((size) =>
    fc.record({
      tasks: fc.tuple(...Array.from({ length: size }, (_, index) => taskShape(index))),
      workers: fc.integer({ min: 1, max: 4 }),
      pause: fc.option(
        fc
          .tuple(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 0, max: 40_000 }))
          .map(([a, b]) => [a, a + b] as const),
        { freq: 4 },
      ),
      share: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
    }),
  );

/** Logs of finished and unfinished runs that the reducer accepts. */
export const randomRuns = (max?: number): fc.Arbitrary<readonly RunEvent[]> => runShapes(max).map(recordRun);

export const taskName = (index: number): string => `t${index}`;

function planOf(shape: RunShape): Plan {
  return planSchema.parse({
    format: PLAN_FORMAT,
    name: "random",
    maxParallel: shape.workers,
    tasks: shape.tasks.map((task, index) => ({
      id: taskName(index),
      capability: "test.echo",
      dependsOn: task.parents.map(taskName),
      estimate: { seconds: 5 },
      ...(task.failures > 0 ? { retry: { maxAttempts: 3 } } : {}),
      ...(task.gateMs === undefined ? {} : { approval: {} }),
    })),
  });
}

interface Progress {
  status: "waiting" | "gate" | "running" | "done" | "lost";
  attempt: number;
  /** Moment of the next thing that happens to it. */
  at: number;
  signed: boolean;
  startedAt: number;
}

/** Plays a shape through a small list scheduler and records what a runtime would have. */
export function recordRun(shape: RunShape): readonly RunEvent[] {
  const events: RunEvent[] = [];
  let now = START;
  const add = (event: object) => {
    events.push(runEventSchema.parse({ ...event, seq: events.length + 1, at: now }));
  };
  const person = { id: "p", name: "Person" };
  const capability = BUILT_IN_REGISTRY.find("test.echo") as CapabilitySnapshot;
  add({
    type: "run_created",
    runId: "r",
    name: "random",
    startedBy: person,
    policy: { budgetBeforeCompletion: false, fourEyes: true },
  });
  add({ type: "plan_accepted", revision: 1, plan: planOf(shape), capabilities: [capability] });
  const progress: Progress[] = shape.tasks.map(() => ({
    status: "waiting",
    attempt: 1,
    at: 0,
    signed: false,
    startedAt: 0,
  }));
  if (shape.share === 0) return events;
  let pause = shape.pause?.map((moment) => START + moment);
  let paused = false;
  const running = () => progress.filter((each) => each.status === "running").length;

  for (;;) {
    for (const [index, task] of shape.tasks.entries()) {
      const own = progress[index] as Progress;
      const parents = task.parents.map((parent) => progress[parent] as Progress);
      if (own.status !== "waiting" || own.at > now) continue;
      if (parents.some((parent) => parent.status === "lost")) {
        own.status = "lost";
        add({
          type: "task_cancelled",
          taskId: taskName(index),
          cause: { code: "parent_failed", message: "A parent failed." },
        });
        continue;
      }
      if (parents.some((parent) => parent.status !== "done")) continue;
      if (task.gateMs !== undefined && !own.signed) {
        own.status = "gate";
        own.at = now + task.gateMs;
        add({
          type: "approval_requested",
          gateId: `g${index}`,
          taskId: taskName(index),
          revision: 1,
          arguments: {},
          argumentsHash: "0".repeat(64),
          origins: [],
          nonce: "n",
          decideBy: now + 1e9,
          executeWithinSeconds: 3_600,
          quorum: 1,
          role: "approver",
          excluded: [],
          reason: "r",
        });
        continue;
      }
      if (paused || running() >= shape.workers) continue;
      own.status = "running";
      own.startedAt = now;
      own.at = now + task.durationMs;
      if (task.dispatched) add({ type: "task_dispatched", taskId: taskName(index), attempt: own.attempt });
    }
    const moments = progress.flatMap((each) =>
      each.status === "running" || each.status === "gate" || (each.status === "waiting" && each.at > now)
        ? [each.at]
        : [],
    );
    if (pause !== undefined) moments.push(paused ? (pause[1] as number) : (pause[0] as number));
    if (progress.every((each) => each.status === "done" || each.status === "lost")) break;
    now = Math.max(now, Math.min(...moments));
    if (pause !== undefined && now >= (paused ? (pause[1] as number) : (pause[0] as number))) {
      add({ type: paused ? "run_resumed" : "run_paused", by: person });
      if (paused) pause = undefined;
      paused = !paused;
    }
    for (const [index, task] of shape.tasks.entries()) {
      const own = progress[index] as Progress;
      if (own.at > now) continue;
      const call = { taskId: taskName(index), attempt: own.attempt, startedAt: own.startedAt };
      if (own.status === "gate") {
        own.status = "waiting";
        own.signed = true;
        add({
          type: "approval_decided",
          gateId: `g${index}`,
          decision: "approve",
          by: person,
          argumentsHash: "0".repeat(64),
        });
      } else if (own.status === "running" && own.attempt <= task.failures) {
        add({
          type: "task_observed",
          ...call,
          observation: {
            status: "retryable",
            errorCategory: "unavailable",
            sideEffect: "none",
            latencyMs: task.durationMs,
          },
        });
        own.attempt += 1;
        own.status = "waiting";
        own.at = now + 1_000;
        add({
          type: "task_retry_scheduled",
          taskId: taskName(index),
          attempt: own.attempt,
          notBefore: own.at,
          cause: { code: "unavailable", message: "503" },
        });
      } else if (own.status === "running" && task.terminal) {
        own.status = "lost";
        add({ type: "task_failed", ...call, cause: { code: "internal", message: "It broke." } });
      } else if (own.status === "running") {
        own.status = "done";
        add({
          type: "task_succeeded",
          ...call,
          observation: { status: "ok", output: index, sideEffect: "none", latencyMs: task.durationMs },
        });
      }
    }
  }
  if (paused) add({ type: "run_resumed", by: person });
  const lost = progress.some((each) => each.status === "lost");
  add({
    type: "run_finished",
    outcome: lost ? "stop_terminal_failure" : "completed",
    reason: "Done.",
    causeSeq: events.length,
  });
  return events.slice(0, Math.max(2, Math.ceil(events.length * shape.share)));
}
