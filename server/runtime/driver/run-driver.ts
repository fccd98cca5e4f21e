import { changesSomething } from "#kernel/run/attempt";
import type { Command } from "#kernel/run/command";
import { decide } from "#kernel/run/decide";
import type { DecideOptions } from "#kernel/run/decide-options";
import type { NewRunEvent } from "#kernel/run/event";
import { completionOfCall } from "#kernel/run/finish";
import { type CallResult, eventsOfResult } from "#kernel/run/observe-call";
import { recoverCalls } from "#kernel/run/recover";
import { dispatchTask } from "#kernel/run/reduce-task";
import type { RunState } from "#kernel/run/state";
import { isTerminal } from "#kernel/run/status";
import type { Lease } from "../ports";
import type { CallSlots } from "./call-slots";
import type { DriverPorts, DriverTuning } from "./driver-ports";
import type { DispatchCommand, LiveCall } from "./live-call";
import { makeCall } from "./make-call";
import { Pulse } from "./pulse";
import { RunLog } from "./run-log";
import { isInline, RunOutputs } from "./run-outputs";

/** How a drive ended: the run did, it only waits, another owner has it, or this process was asked to let go. */
export type DriveEnd = "finished" | "waiting" | "lost" | "let_go";

/** Reading the log is tried again after 50 ms, then twice that, and so on up to this. */
const READ_WAIT_MS_MAX = 3_200;

/**
 * Drives one run: fold, then decide, act, append, until the run ends or only waits.
 *
 * A call without side effects starts as soon as it is decided, before earlier results are durable: after a crash it
 * simply runs again. A call that changes something starts once its `task_dispatched` is durable, and with it every
 * result it depends on. Results are recorded as they come, one append in flight, the rest in the next.
 *
 * A conflict means that a person decided something: the log is folded anew, finished results are kept and judged
 * against the new state, running calls go on. A lost lease means that somebody else drives: calls are aborted and
 * nothing more is written.
 */
export class RunDriver {
  readonly #ports: DriverPorts;
  readonly #tuning: DriverTuning;
  readonly #slots: CallSlots;
  readonly #lease: Lease;
  readonly #stop: AbortSignal;
  readonly #pulse = new Pulse();
  readonly #log: RunLog;
  readonly #outputs: RunOutputs;
  readonly #options: DecideOptions;
  /** By task: the call that the state waits for. */
  readonly #live = new Map<string, LiveCall>();
  /** Calls that were cut short and have not come back. */
  readonly #cut = new Set<LiveCall>();
  /** Calls that wait for their start to be durable. */
  readonly #waiting = new Set<LiveCall>();
  /** Results that have come in and are in no event yet. */
  #results: CallResult[] = [];
  /** Results whose events are recorded and not durable yet, with the `seq` of the last of them. */
  #unconfirmed: { readonly result: CallResult; readonly seq: number }[] = [];
  /** Completion checks and large outputs under way, by a name of their own. */
  readonly #busy = new Set<string>();
  #news = false;
  /** A call was held back for its provider: room will come without an event. */
  #shortOfRoom = false;
  #failure: unknown;
  #wakeAt: number | undefined;
  #callOffWake: (() => void) | undefined;
  #callOffFlush: (() => void) | undefined;

  constructor(given: {
    ports: DriverPorts;
    tuning: DriverTuning;
    slots: CallSlots;
    lease: Lease;
    stop: AbortSignal;
  }) {
    this.#ports = given.ports;
    this.#tuning = given.tuning;
    this.#slots = given.slots;
    this.#lease = given.lease;
    this.#stop = given.stop;
    this.#log = new RunLog(given.ports.log, given.lease);
    this.#outputs = new RunOutputs(given.ports.artifacts, given.lease.runId);
    const { inFlightLimit, checkSchema, nonce } = given.tuning;
    this.#options = {
      inFlightLimit,
      checkSchema,
      nonce,
      load: this.#outputs.loaded,
      roomFor: (capability) => {
        const room = given.slots.room(capability);
        if (room <= 0) this.#shortOfRoom = true;
        return room;
      },
    };
  }

  async drive(): Promise<DriveEnd> {
    const beat = (): void => this.#pulse.beat();
    const news = (): void => {
      this.#news = true;
      this.#pulse.beat();
    };
    const ignoreNews = this.#ports.wakeups.onNews(this.#lease.runId, news);
    const ignoreRoom = this.#slots.onRoom(beat);
    this.#lease.lost?.addEventListener("abort", beat, { once: true });
    this.#stop.addEventListener("abort", beat, { once: true });
    try {
      await this.#log.refold();
      return await this.#loop();
    } finally {
      ignoreNews();
      ignoreRoom();
      this.#lease.lost?.removeEventListener("abort", beat);
      this.#stop.removeEventListener("abort", beat);
      this.#callOffWake?.();
      this.#callOffFlush?.();
      for (const call of [...this.#live.values(), ...this.#cut]) call.abort.abort(new Error("The driver has let go."));
    }
  }

  get #state(): RunState {
    return this.#log.state;
  }

  async #loop(): Promise<DriveEnd> {
    for (;;) {
      if (this.#lease.lost?.aborted === true || this.#log.status === "fenced") return "lost";
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#stop.aborted) return this.#letGo();
      await this.#readOn();
      this.#startDurable();
      this.#takeResults();
      this.#decide();
      this.#log.flush(() => this.#pulse.beat());
      const end = await this.#rest();
      if (end !== undefined) return end;
      await this.#pulse.next();
    }
  }

  /** Takes in what others appended: a person's decision, a pause, a cancellation. */
  async #readOn(): Promise<void> {
    if (this.#log.status === "conflict" || this.#log.status === "unknown") {
      this.#news = false;
      await this.#insist(() => this.#refold());
    } else if (this.#news && this.#log.settled) {
      this.#news = false;
      await this.#insist(() => this.#log.catchUp());
    }
  }

  /** A database that is away for a moment must not cost the results that have come in: tries again for a while. */
  async #insist(read: () => Promise<void>): Promise<void> {
    for (let waitMs = 50; ; waitMs *= 2) {
      try {
        await read();
        return;
      } catch (problem) {
        if (waitMs > READ_WAIT_MS_MAX || this.#lease.lost?.aborted === true) throw problem;
      }
      await new Promise<void>((resolve) => this.#ports.timers.after(waitMs, resolve));
    }
  }

  /** Folds anew, then tells the new state what it cannot know: which calls run, and what has come back. */
  async #refold(): Promise<void> {
    await this.#log.refold();
    const state = this.#state;
    this.#results = [...this.#unconfirmed.map((each) => each.result), ...this.#results].filter(
      (result) => !isRecorded(state, result),
    );
    this.#unconfirmed = [];
    const answered = new Set(this.#results.map((result) => result.taskId));
    for (const [taskId, call] of this.#live) {
      const task = state.tasks.get(taskId);
      if (call.status === "waiting") {
        if (isInFlight(state, call.command)) call.dispatchedSeq = 0;
        else this.#forget(call);
      } else if (task === undefined || isTerminal(task.status)) {
        this.#cutShort(taskId, "Its task has ended.");
      } else if (!answered.has(call.command.taskId)) {
        dispatchTask(state, { ...call.command, at: call.at });
      }
    }
    for (const { taskId, attempt, startedAt } of this.#results) {
      dispatchTask(state, { taskId, attempt, at: startedAt });
    }
  }

  #decide(): void {
    const now = this.#ports.clock.now();
    const state = this.#state;
    this.#shortOfRoom = false;
    const roundsMax = 1_000 + state.tasks.size * 4;
    for (let round = 0; ; round++) {
      if (round > roundsMax) throw new Error(`Deciding on run ${this.#lease.runId} does not come to rest.`);
      this.#wakeAt = undefined;
      if (this.#obeyAll(decide(state, now, this.#options), now)) continue;
      if (state.inFlight.size <= this.#live.size) break;
      const isLive = (taskId: string): boolean => this.#live.has(taskId);
      if (!this.#obeyAll(recoverCalls(state, { isLive, now, load: this.#outputs.loaded }), now)) break;
    }
    this.#setWake(now);
  }

  #obeyAll(commands: readonly Command[], now: number): boolean {
    let acted = false;
    for (const command of commands) acted = this.#obey(command, now) || acted;
    return acted;
  }

  /** Does what a command says; true when the state has changed by it. */
  #obey(command: Command, now: number): boolean {
    switch (command.type) {
      case "record":
        return this.#record(command.event);
      case "dispatch":
        return this.#dispatch(command, now);
      case "abort":
        this.#cutShort(command.taskId, command.cause.message);
        return false;
      case "load_output":
        this.#background(this.#outputs.load(command.outputRef));
        return false;
      case "check_completion":
        this.#checkCompletion(command);
        return false;
      case "wake":
        if (this.#wakeAt === undefined || command.at < this.#wakeAt) this.#wakeAt = command.at;
        return false;
    }
  }

  /** A fan-out's list of outputs can be too large for the log although no single one is. */
  #record(event: NewRunEvent): boolean {
    if (event.type !== "task_succeeded" || isInline(event.observation.output)) {
      this.#log.record(event);
      return true;
    }
    const { taskId, attempt, startedAt } = event;
    const name = `output:${taskId}`;
    if (this.#busy.has(name)) return false;
    this.#busy.add(name);
    const stored = this.#outputs.fit(event.observation, { taskId, attempt }).then((observation) => {
      this.#busy.delete(name);
      this.#results.push({ taskId, attempt, startedAt, observation });
    });
    this.#background(stored);
    return false;
  }

  #dispatch(command: DispatchCommand, now: number): boolean {
    const { taskId, attempt, gateId, barrier } = command;
    const inFlight = isInFlight(this.#state, command);
    if (this.#live.has(taskId) || !(inFlight || this.#state.ready.has(taskId))) return false;
    const call: LiveCall = { command, abort: new AbortController(), at: now, status: "waiting" };
    this.#live.set(taskId, call);
    if (inFlight) {
      call.dispatchedSeq = 0;
    } else if (barrier) {
      call.dispatchedSeq = this.#log.record({ type: "task_dispatched", at: now, taskId, attempt, gateId });
      this.#waiting.add(call);
      return true;
    } else {
      dispatchTask(this.#state, { taskId, attempt, gateId, at: now });
    }
    this.#begin(call);
    return true;
  }

  /** Starts the calls whose dispatch has become durable. */
  #startDurable(): void {
    const { durableSeq } = this.#log;
    for (const call of this.#waiting) if ((call.dispatchedSeq ?? 0) <= durableSeq) this.#begin(call);
    const confirmed = this.#unconfirmed.findIndex((each) => each.seq > durableSeq);
    if (confirmed !== 0) this.#unconfirmed.splice(0, confirmed === -1 ? this.#unconfirmed.length : confirmed);
  }

  #begin(call: LiveCall): void {
    const { taskId, attempt, capability, timeoutMs, idempotencyKey } = call.command;
    const { runId, workspaceId } = this.#lease;
    const snapshot = this.#state.capabilities.get(capability);
    const release = snapshot === undefined ? () => {} : this.#slots.take(snapshot);
    this.#waiting.delete(call);
    call.status = "running";
    call.at = this.#ports.clock.now();
    this.#flushLater();
    const request = {
      capability,
      arguments: call.command.arguments,
      timeoutMs,
      context: { runId, taskId, attempt, idempotencyKey, workspaceId },
      changes: changesSomething(snapshot),
    };
    const finished = makeCall(this.#ports.executor, this.#ports.timers, { request, abort: call.abort })
      .then((observation) =>
        isInline(observation.output) ? observation : this.#outputs.fit(observation, { taskId, attempt }),
      )
      .then((observation) => {
        release();
        this.#ended(call, { taskId: call.command.taskId, attempt, startedAt: call.at, observation });
      });
    this.#background(finished);
  }

  #ended(call: LiveCall, result: CallResult): void {
    this.#cut.delete(call);
    if (this.#live.get(result.taskId) === call) this.#live.delete(result.taskId);
    if (call.status !== "left" || result.observation.status === "ok") this.#results.push(result);
  }

  #takeResults(): void {
    if (this.#results.length === 0) return;
    const now = this.#ports.clock.now();
    const results = this.#results;
    this.#results = [];
    for (const result of results) {
      for (const event of eventsOfResult(this.#state, result, now)) this.#log.record(event);
      this.#unconfirmed.push({ result, seq: this.#state.lastSeq });
    }
  }

  #cutShort(taskId: string, why: string): void {
    const call = this.#live.get(taskId);
    if (call === undefined) return;
    this.#forget(call);
    if (call.status === "running") this.#cut.add(call);
    call.status = "cut";
    call.abort.abort(new Error(why));
  }

  #forget(call: LiveCall): void {
    this.#live.delete(call.command.taskId);
    this.#waiting.delete(call);
  }

  #checkCompletion(command: Extract<Command, { type: "check_completion" }>): void {
    const name = `check:${this.#state.revision}:${command.index}`;
    if (this.#busy.has(name)) return;
    this.#busy.add(name);
    const { runId, workspaceId } = this.#lease;
    const taskId = `@completion-${command.index}`;
    const context = { runId, workspaceId, taskId, attempt: 1, idempotencyKey: `${runId}:${taskId}:1` };
    const request = { ...command, context, changes: false };
    const checked = makeCall(this.#ports.executor, this.#ports.timers, { request, abort: new AbortController() });
    this.#background(
      checked.then((observation) => {
        this.#busy.delete(name);
        const now = this.#ports.clock.now();
        for (const event of completionOfCall(this.#state, command.index, observation, now)) this.#log.record(event);
      }),
    );
  }

  /** Beats when it is done; a failure of it fails the drive, whose caller tries again. */
  #background(work: Promise<void> | undefined): void {
    if (work === undefined) return;
    work.then(
      () => this.#pulse.beat(),
      (problem: unknown) => {
        this.#failure = problem ?? new Error("Something failed without a reason.");
        this.#pulse.beat();
      },
    );
  }

  #setWake(now: number): void {
    this.#callOffWake?.();
    this.#callOffWake = undefined;
    if (this.#wakeAt === undefined) return;
    const delayMs = Math.max(1, this.#wakeAt - now);
    if (delayMs <= this.#tuning.timerMsMax) {
      this.#callOffWake = this.#ports.timers.after(delayMs, () => this.#pulse.beat());
    }
  }

  /** A call that has run for a while is shown as running: its start is recorded, since it is worth an event now. */
  #flushLater(): void {
    this.#callOffFlush ??= this.#ports.timers.after(this.#tuning.dispatchFlushMs, () => {
      this.#callOffFlush = undefined;
      const due = this.#ports.clock.now() - this.#tuning.dispatchFlushMs;
      let younger = this.#log.status !== "current";
      for (const call of this.#live.values()) {
        if (call.status !== "running" || call.dispatchedSeq !== undefined) continue;
        if (call.at <= due) this.#recordStart(call);
        else younger = true;
      }
      if (younger) this.#flushLater();
      this.#pulse.beat();
    });
  }

  #recordStart(call: LiveCall): void {
    if (this.#log.status !== "current" || !isInFlight(this.#state, call.command)) return;
    const { taskId, attempt, gateId } = call.command;
    call.dispatchedSeq = this.#log.record({ type: "task_dispatched", at: call.at, taskId, attempt, gateId });
  }

  /** Lets go of a run that has ended or only waits; undefined while there is something to do. */
  async #rest(): Promise<DriveEnd | undefined> {
    const idle = this.#log.settled && this.#log.status === "current" && this.#results.length === 0;
    if (!idle || this.#news || this.#live.size > 0 || this.#busy.size > 0) return undefined;
    const finished = this.#state.status === "finished";
    if (finished ? this.#cut.size > 0 : this.#waitsBriefly()) return undefined;
    const wakeAt = finished ? undefined : this.#wakeAt;
    if (await this.#ports.leases.release(this.#lease, this.#log.durableSeq, wakeAt)) {
      return finished ? "finished" : "waiting";
    }
    this.#news = true;
    this.#pulse.beat();
    return undefined;
  }

  /** True while letting go costs more than waiting: a timer is near, or a slot or an output is about to come. */
  #waitsBriefly(): boolean {
    if (this.#cut.size > 0 || this.#outputs.isLoading || this.#shortOfRoom) return true;
    return this.#wakeAt !== undefined && this.#wakeAt - this.#ports.clock.now() <= this.#tuning.holdMs;
  }

  /**
   * Asked to let go: starts nothing more, drops the calls that may simply run again, gives the others a moment to come
   * back, writes down what did, and leaves the run due at once for another driver.
   */
  async #letGo(): Promise<DriveEnd> {
    for (const call of this.#live.values()) {
      if (call.status === "waiting") this.#forget(call);
      else if (!call.command.barrier) this.#leave(call);
    }
    let late = false;
    const callOff = this.#ports.timers.after(this.#tuning.letGoMs, () => {
      late = true;
      for (const call of this.#live.values()) this.#leave(call);
      this.#pulse.beat();
    });
    try {
      for (;;) {
        if (this.#lease.lost?.aborted === true || this.#log.status === "fenced") return "lost";
        await this.#readOn();
        this.#takeResults();
        this.#log.flush(() => this.#pulse.beat());
        const done = this.#log.settled && this.#results.length === 0 && this.#log.status === "current";
        if (done && (late || !this.#awaitsChange())) {
          const wakeAt = this.#state.status === "finished" ? undefined : this.#ports.clock.now();
          if (await this.#ports.leases.release(this.#lease, this.#log.durableSeq, wakeAt)) return "let_go";
          this.#news = true;
          continue;
        }
        await this.#pulse.next();
      }
    } finally {
      callOff();
    }
  }

  #leave(call: LiveCall): void {
    call.status = "left";
    call.abort.abort(new Error("The worker is stopping."));
  }

  /** A call that changes something is still running: its result is worth waiting for. */
  #awaitsChange(): boolean {
    for (const call of this.#live.values()) if (call.status === "running" && call.command.barrier) return true;
    return false;
  }
}

/** The state has this very attempt in flight. */
function isInFlight(state: RunState, { taskId, attempt }: DispatchCommand): boolean {
  const task = state.tasks.get(taskId);
  const last = task?.attempts.at(-1);
  return state.inFlight.has(taskId) && last?.attempt === attempt && last.endedAt === undefined;
}

/** The log already holds this result: its append had succeeded although its answer was lost. */
function isRecorded(state: RunState, { taskId, attempt, startedAt }: CallResult): boolean {
  const known = state.tasks.get(taskId)?.attempts.find((each) => each.attempt === attempt);
  return known?.endedAt !== undefined && known.startedAt === startedAt;
}
