import { resolveTaskArguments } from "./action";
import { changesSomething, idempotencyKey, nextAttempt } from "./attempt";
import { countsCalls, tasksDueAt } from "./budget";
import type { Command } from "./command";
import type { DecideOptions } from "./decide-options";
import { finishRun } from "./finish";
import { openedGate, purposeOf } from "./gate";
import { planIsSigned, planRefused, requestPlanGate } from "./plan-gate";
import { poolCapacity, Room } from "./room";
import { expire, settleTask, unresolved } from "./settle-task";
import type { GateState, RunState, TaskState } from "./state";
import { isTerminal } from "./status";
import { cancelRun, endOpenTasks, endRun } from "./stop";

/** Time limit of a call where neither the plan nor the capability sets one. */
export const TIMEOUT_SECONDS_DEFAULT = 60;

/**
 * What should happen next. Pure and deterministic: the same state, time and options give the same commands.
 *
 * The shell applies each `record` and each `dispatch` to its state and asks again until nothing but `wake` comes
 * back; a cascade of skips therefore takes as many rounds as it is deep, and they can all go into one append. It
 * never dispatches a task that is not ready, nor one twice, and it dispatches the longest remaining path first.
 *
 * It costs what changed, not what there is: the reducer keeps the tasks that owe an event and the dispatch queue in
 * order, and the walk over the queue stops at the first task for which there is no slot.
 *
 * @param now epoch milliseconds on the database clock; deadlines and expiries are judged by it.
 * @returns nothing for a run that has finished or whose plan is not accepted yet.
 */
export function decide(state: RunState, now: number, options: DecideOptions = {}): Command[] {
  if (state.status === "finished" || state.runId === "") return [];
  if (state.cancelledBy !== undefined) return cancelRun(state, now);
  if (state.revision === 0) return beforePlan(state, now);
  if (state.plan !== undefined && state.tasks.size === 0) return emptyPlan(state, now);
  const due = tasksDueAt(state);
  if (due !== undefined && now >= due && state.openTasks > 0) return stopAtDeadline(state, now);
  if (state.openTasks === 0) return atTheEnd(state, now, options);
  const refusal = planRefused(state);
  if (refusal !== undefined) {
    return endRun(state, now, { type: "task_cancelled", cause: refusal }, "rejected", refusal.seq ?? state.lastSeq);
  }

  const round = new Round(state, now, options);
  round.gates();
  round.settle();
  round.dispatch();
  if (due !== undefined) round.wakeAt(due);
  return round.result();
}

function beforePlan(state: RunState, now: number): Command[] {
  const rejection = state.planRejection;
  if (rejection === undefined) return [];
  const reason = rejection.messages.join(" ") || "The plan is not valid.";
  const event = {
    type: "run_finished",
    at: now,
    outcome: "stop_no_valid_plan",
    reason,
    causeSeq: rejection.seq,
  } as const;
  return [{ type: "record", event }];
}

/** An empty plan is never success. */
function emptyPlan(state: RunState, now: number): Command[] {
  const causeSeq = state.revisions.at(-1)?.seq ?? state.lastSeq;
  const reason = "The plan has no tasks.";
  return [
    { type: "record", event: { type: "run_finished", at: now, outcome: "stop_no_valid_plan", reason, causeSeq } },
  ];
}

function stopAtDeadline(state: RunState, now: number): Command[] {
  const seconds = state.plan?.budgets?.deadlineSeconds ?? 0;
  const message = `The deadline of ${seconds} s has passed.`;
  const cause = { code: "budget.deadlineSeconds", message };
  return endOpenTasks(state, now, { type: "task_stopped", cause }, { inFlightToo: true });
}

/** Every task has ended. A replan that was asked for may still bring new ones. */
function atTheEnd(state: RunState, now: number, options: DecideOptions): Command[] {
  const round = new Round(state, now, options);
  round.gates();
  if (round.acted || state.replanRequestedSeq !== undefined) return round.result();
  const commands = finishRun(state, now, options);
  return commands.length > 0 ? commands : round.result();
}

/** One asking of `decide`: collects commands and the earliest time at which something happens by itself. */
class Round {
  readonly #state: RunState;
  readonly #now: number;
  readonly #options: DecideOptions;
  readonly #commands: Command[] = [];
  /** Tasks that may be dispatched although they are not in the queue, since an event could not say so. */
  readonly #extra: TaskState[] = [];
  #wake = Number.POSITIVE_INFINITY;
  #held = false;

  constructor(state: RunState, now: number, options: DecideOptions) {
    this.#state = state;
    this.#now = now;
    this.#options = options;
  }

  get acted(): boolean {
    return this.#commands.length > 0;
  }

  wakeAt(at: number): void {
    if (at < this.#wake) this.#wake = at;
  }

  #record(...commands: readonly Command[]): void {
    this.#commands.push(...commands);
  }

  /** Closes gates whose time is over or whose request no longer stands. */
  gates(): void {
    for (const id of this.#state.liveGates) {
      const gate = this.#state.gates.get(id);
      if (gate === undefined) continue;
      const which = this.#closing(gate);
      if (which !== undefined) this.#record(expire(gate.request.gateId, which, this.#now));
    }
  }

  #closing(gate: GateState): "decide_by" | "execute_by" | "superseded" | undefined {
    const { request } = gate;
    const purpose = purposeOf(request);
    const task = request.taskId === undefined ? undefined : this.#state.tasks.get(request.taskId);
    if (request.taskId !== undefined && (task?.gateId !== request.gateId || isTerminal(task.status)))
      return "superseded";
    if (request.revision !== this.#state.revision && purpose !== "reconcile") return "superseded";
    const until = gate.status === "open" ? request.decideBy : (gate.executeBy ?? Number.POSITIVE_INFINITY);
    if (this.#now < until) {
      this.wakeAt(until);
      return undefined;
    }
    return gate.status === "open" ? "decide_by" : "execute_by";
  }

  settle(): void {
    const { now, options } = { now: this.#now, options: this.#options };
    this.#record(...requestPlanGate(this.#state, now, options));
    const mayAsk = this.#mayStart;
    for (const id of this.#state.settling) {
      const task = this.#state.tasks.get(id);
      if (task === undefined) continue;
      const { commands, dispatchable } = settleTask(this.#state, task, { now, options, mayAsk });
      this.#record(...commands);
      if (dispatchable === true) this.#extra.push(task);
    }
  }

  get #mayStart(): boolean {
    return this.#state.status === "running" && planIsSigned(this.#state);
  }

  dispatch(): void {
    if (!this.#mayStart) {
      this.#held = true;
      return;
    }
    const { queue } = this.#state;
    const candidates = this.#extra.length === 0 ? queue : [...this.#extra, ...queue].sort((a, b) => b.rank - a.rank);
    const room = new Room(this.#state, this.#options);
    for (const task of candidates) {
      if (room.full) {
        this.#held = true;
        break;
      }
      if (!this.#start(task, room)) break;
    }
  }

  /** Starts the task, or notes why not; false: a budget is exhausted, nothing more starts. */
  #start(task: TaskState, room: Room): boolean {
    if (task.notBefore !== undefined && this.#now < task.notBefore) {
      this.wakeAt(task.notBefore);
      return true;
    }
    const failure = this.#cannotEver(task);
    if (failure !== undefined) {
      this.#record(failure);
      return true;
    }
    const refusal = room.budget(task);
    if (refusal?.final === true) {
      this.#stopForBudget(refusal.budget, refusal.message);
      return false;
    }
    const hold = room.hold(task);
    if (hold !== undefined) {
      this.#held = true;
      return true;
    }
    const command = this.#call(task);
    if (command?.type === "dispatch") room.take(task);
    if (command !== undefined) this.#record(command);
    return true;
  }

  /** A capability that is not pinned, or a pool that is too small, would hold the task for ever. */
  #cannotEver(task: TaskState): Command | undefined {
    const fail = (code: string, message: string): Command => ({
      type: "record",
      event: { type: "task_failed", at: this.#now, taskId: task.id, attempt: 0, cause: { code, message } },
    });
    const { capability, uses } = task.task;
    if (!this.#state.capabilities.has(capability)) {
      return fail("capability_gone", `This run has no capability “${capability}”.`);
    }
    if (uses === undefined) return undefined;
    for (const [pool, units] of Object.entries(uses)) {
      const capacity = poolCapacity(this.#state, pool);
      if (units > capacity)
        return fail("pool_too_small", `It needs ${units} of pool “${pool}”, which has ${capacity}.`);
    }
    return undefined;
  }

  #call(task: TaskState): Command | undefined {
    const gate = openedGate(this.#state, task);
    if (gate?.executeBy !== undefined && this.#now >= gate.executeBy) {
      return gate.status === "used" ? expire(gate.request.gateId, "execute_by", this.#now) : undefined;
    }
    const capability = this.#state.capabilities.get(task.task.capability);
    const resolution =
      gate === undefined
        ? resolveTaskArguments(this.#state, task, this.#options.load)
        : ({ type: "resolved", value: gate.request.arguments } as const);
    if (resolution.type === "unresolved") return unresolved(task, this.#now, resolution.message);
    if (resolution.type === "missing") {
      for (const outputRef of resolution.outputRefs) this.#record({ type: "load_output", outputRef });
      return undefined;
    }
    const attempt = nextAttempt(task);
    return {
      type: "dispatch",
      taskId: task.id,
      attempt,
      capability: gate?.request.capability ?? task.task.capability,
      arguments: resolution.value,
      timeoutMs: (task.task.timeoutSeconds ?? capability?.timeoutSeconds ?? TIMEOUT_SECONDS_DEFAULT) * 1000,
      idempotencyKey: idempotencyKey(this.#state, task),
      barrier: changesSomething(capability) || countsCalls(this.#state) || gate !== undefined,
      gateId: gate?.request.gateId,
    };
  }

  /** What is in flight ends by itself; nothing else starts. Left for the next round where this one did something. */
  #stopForBudget(budget: string, message: string): void {
    this.#held = true;
    if (this.#commands.length > 0) return;
    const cause = { code: `budget.${budget}`, message };
    this.#record(...endOpenTasks(this.#state, this.#now, { type: "task_stopped", cause }, { inFlightToo: false }));
  }

  result(): Command[] {
    if (Number.isFinite(this.#wake)) this.#commands.push({ type: "wake", at: this.#wake });
    const { inFlight, liveGates, openTasks, status, replanRequestedSeq } = this.#state;
    const waits = this.#commands.length > 0 || this.#held || inFlight.size > 0 || liveGates.size > 0;
    if (waits || openTasks === 0 || status === "paused" || replanRequestedSeq !== undefined) return this.#commands;
    const cause = { code: "stalled", message: "Nothing runs, nothing waits, and no task can go on." };
    return endRun(this.#state, this.#now, { type: "task_cancelled", cause }, "stop_stalled", this.#state.lastSeq);
  }
}
