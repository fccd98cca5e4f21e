import type { CapabilitySnapshot } from "#kernel/capability/capability";
import type { Plan } from "#kernel/plan/plan";
import { fold } from "#kernel/run/reduce";
import type { RunState } from "#kernel/run/state";
import { Controller } from "../../server/runtime/controller";
import type { DriverPorts, DriverTuning } from "../../server/runtime/driver/driver-ports";
import type { Replanner } from "../../server/runtime/ports";
import { FakeTime, quiet } from "./fake-time";
import { MemoryRun } from "./memory-run";
import { opening } from "./run-fixture";
import { ScriptedExecutor } from "./scripted-executor";

/** A run in memory with a real controller, a clock that a test moves, and calls that a test answers. */
export class DrivenRun {
  readonly time = new FakeTime();
  readonly executor = new ScriptedExecutor();
  readonly log: MemoryRun;
  readonly stop = new AbortController();
  readonly ends: string[] = [];
  replanner: Replanner | undefined;
  registryOf: DriverPorts["registryOf"];

  constructor(
    plan: Plan,
    readonly tuning: Partial<DriverTuning> = {},
    capabilities: readonly CapabilitySnapshot[] = [],
  ) {
    const events = opening(plan, this.time.now());
    this.log = new MemoryRun(
      events.map((event) =>
        event.type === "plan_accepted" ? { ...event, capabilities: [...event.capabilities, ...capabilities] } : event,
      ),
    );
  }

  /** Starts a driver as a new process would, and settles once it can do no more without time or answers. */
  async drive(): Promise<this> {
    const { log, time, executor, replanner, registryOf } = this;
    const ports = {
      ...(replanner && { replanner }),
      ...(registryOf && { registryOf }),
      log,
      leases: log,
      wakeups: log,
      artifacts: log,
      executor,
      clock: time,
      timers: time,
    };
    const tuning = { nonce: (gateId: string) => `nonce-of-${gateId}`, ...this.tuning };
    void new Controller(ports, tuning).drive("run-1", this.stop.signal).then(
      (end) => this.ends.push(end),
      (problem: unknown) => this.ends.push(`failed: ${String(problem)}`),
    );
    await quiet();
    return this;
  }

  async answer(
    taskId: string,
    ...observation: Parameters<ScriptedExecutor["answer"]> extends [string, ...infer Rest] ? Rest : never
  ): Promise<void> {
    this.executor.answer(taskId, ...observation);
    await quiet();
  }

  /** The state that anybody else sees: the fold of what is durable. */
  get state(): RunState {
    return fold(this.log.events);
  }

  statusOf(taskId: string): string | undefined {
    return this.state.tasks.get(taskId)?.status;
  }
}
