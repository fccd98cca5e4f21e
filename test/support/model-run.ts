import type { CapabilitySnapshot } from "#kernel/capability/capability";
import type { Observation } from "#kernel/capability/observation";
import type { Plan } from "#kernel/plan/plan";
import { chargesOf } from "#kernel/run/budget";
import type { Command, LookUpCommand } from "#kernel/run/command";
import { decide } from "#kernel/run/decide";
import type { DecideOptions } from "#kernel/run/decide-options";
import type { NewRunEvent, RunEvent } from "#kernel/run/event";
import { eventsOfLookUp } from "#kernel/run/look-up";
import { eventsOfResult } from "#kernel/run/observe-call";
import { applyEvent, createRunState } from "#kernel/run/reduce";
import { dispatchTask } from "#kernel/run/reduce-task";
import type { RunState } from "#kernel/run/state";
import { opening } from "./run-fixture";

export type Dispatch = Extract<Command, { type: "dispatch" }>;

export const SUCCESS: Observation = { status: "ok", output: "ok", sideEffect: "none", latencyMs: 1 };
export const FAILURE: Observation = {
  status: "terminal",
  errorCategory: "unavailable",
  message: "It broke.",
  sideEffect: "none",
  latencyMs: 1,
};

const REST: ReadonlySet<Command["type"]> = new Set(["load_output", "wake", "check_completion", "look_up"]);

/**
 * A run in memory and one step at a time: decides, records, holds the calls open until the test answers them. The
 * smallest shell there can be, for tests of the kernel alone.
 */
export class ModelRun {
  readonly state: RunState = createRunState();
  readonly log: RunEvent[] = [];
  /** Calls in flight, in the order of their dispatch. */
  readonly calls = new Map<string, Dispatch>();
  readonly dispatched: string[] = [];
  readonly aborted: string[] = [];
  lookUp: LookUpCommand | undefined;
  now = 0;
  wakeAt: number | undefined;
  onDispatch: (call: Dispatch) => void = () => {};

  constructor(
    plan: Plan,
    readonly options: DecideOptions = {},
    { fourEyes = true, capabilities }: { fourEyes?: boolean; capabilities?: readonly CapabilitySnapshot[] } = {},
  ) {
    const events = opening(plan, 0, fourEyes);
    this.append(
      ...events.map((event) =>
        event.type === "plan_accepted" && capabilities
          ? { ...event, capabilities: [...event.capabilities, ...capabilities] }
          : event,
      ),
    );
  }

  append(...events: readonly NewRunEvent[]): this {
    for (const event of events) {
      const placed: RunEvent = { ...event, seq: this.state.lastSeq + 1 };
      this.log.push(placed);
      applyEvent(this.state, placed);
    }
    return this;
  }

  /** Decides until nothing but waiting is left. */
  decide(): this {
    for (let round = 0; round < 100_000; round++) {
      const isLookingUp = (taskId: string): boolean => this.lookUp?.taskId === taskId;
      const commands = decide(this.state, this.now, { ...this.options, isLookingUp });
      this.wakeAt = undefined;
      for (const command of commands) this.#obey(command);
      if (commands.every((command) => REST.has(command.type))) return this;
    }
    throw new Error("decide never came to rest");
  }

  #obey(command: Command): void {
    switch (command.type) {
      case "record":
        this.append(command.event);
        return;
      case "dispatch":
        this.onDispatch(command);
        this.dispatched.push(command.taskId);
        this.calls.set(command.taskId, command);
        if (command.barrier) {
          const { taskId, attempt, gateId } = command;
          this.append({ type: "task_dispatched", at: this.now, taskId, attempt, gateId });
        } else {
          dispatchTask(this.state, { ...command, at: this.now });
        }
        return;
      case "abort":
        this.aborted.push(command.taskId);
        this.calls.delete(command.taskId);
        return;
      case "look_up":
        this.lookUp = command;
        for (const [budget, amount] of chargesOf(this.state, { task: { capability: command.capability } })) {
          this.append({ type: "budget_charged", at: this.now, budget, amount, taskId: command.taskId });
        }
        return;
      case "wake":
        this.wakeAt = command.at;
    }
  }

  /** Answers a call in flight and decides on. */
  answer(taskId: string, observation: Observation = SUCCESS): this {
    const call = this.calls.get(taskId);
    if (call === undefined) throw new Error(`${taskId} is not in flight`);
    this.calls.delete(taskId);
    const { attempt, repeats } = call;
    const result = { taskId: call.taskId, attempt, startedAt: this.now, observation, ...(repeats && { repeats }) };
    return this.append(...eventsOfResult(this.state, result, this.now)).decide();
  }

  /** Answers the look-up that was asked for and decides on. */
  answerLookUp(observation: Observation): this {
    const asked = this.lookUp;
    if (asked === undefined) throw new Error("no look-up is under way");
    this.lookUp = undefined;
    return this.append(...eventsOfLookUp(this.state, asked, observation, this.now)).decide();
  }

  /** Moves the clock to the next wake-up and decides. */
  wake(): this {
    if (this.wakeAt === undefined) throw new Error("nothing to wake for");
    this.now = Math.max(this.now, this.wakeAt);
    return this.decide();
  }

  statusOf(taskId: string): string | undefined {
    return this.state.tasks.get(taskId)?.status;
  }
}
