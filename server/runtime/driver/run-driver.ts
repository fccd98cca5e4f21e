import type { CapabilitySnapshot } from "#kernel/capability/capability";
import type { Admission } from "#kernel/run/call-demand";
import type { Command } from "#kernel/run/command";
import { decide } from "#kernel/run/decide";
import type { DecideOptions } from "#kernel/run/decide-options";
import type { NewRunEvent } from "#kernel/run/event";
import { recoverCalls } from "#kernel/run/recover";
import type { RunState, TaskState } from "#kernel/run/state";
import type { CallPermits } from "../permits/call-permits";
import type { Lease } from "../ports";
import type { CallSlots } from "./call-slots";
import { CompletionCalls } from "./completion-calls";
import type { DriverPorts, DriverTuning } from "./driver-ports";
import { LookUps } from "./look-ups";
import { Planning } from "./planning";
import { Pulse } from "./pulse";
import { Results } from "./results";
import { RunCalls } from "./run-calls";
import { RunLog } from "./run-log";
import { isInline, RunOutputs } from "./run-outputs";
import { RunPermits } from "./run-permits";
import { SideCalls } from "./side-calls";

/** How a drive ended: the run did, it only waits, another owner has it, or this process was asked to let go. */
export type DriveEnd = "finished" | "waiting" | "lost" | "let_go";

interface RunDriverGiven {
  readonly ports: DriverPorts;
  readonly tuning: DriverTuning;
  readonly slots: CallSlots;
  readonly permits: CallPermits | undefined;
  readonly lease: Lease;
  readonly stop: AbortSignal;
}

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
  readonly #given: RunDriverGiven;
  readonly #pulse = new Pulse();
  readonly #log: RunLog;
  readonly #outputs: RunOutputs;
  readonly #results: Results;
  readonly #calls: RunCalls;
  readonly #permits: RunPermits | undefined;
  readonly #checks: CompletionCalls;
  readonly #lookUps: LookUps;
  readonly #planning: Planning;
  readonly #options: DecideOptions;
  /** Completion checks and large outputs under way, by a name of their own. */
  readonly #busy = new Set<string>();
  #news = false;
  /** A call was held back for its provider: room will come without an event. */
  #shortOfRoom = false;
  #failure: unknown;
  #wakeAt: number | undefined;
  #callOffWake: (() => void) | undefined;

  constructor(given: RunDriverGiven) {
    const { ports, tuning, lease } = given;
    this.#given = given;
    this.#log = new RunLog(ports.log, lease);
    this.#outputs = new RunOutputs(ports.artifacts, lease.runId);
    this.#results = new Results(this.#log, ports.clock);
    const { permits } = given;
    this.#permits = permits && new RunPermits({ permits, lease, state: () => this.#log.state });
    this.#calls = new RunCalls({
      ...given,
      permits: this.#permits,
      log: this.#log,
      outputs: this.#outputs,
      onResult: (result) => this.#results.add(result),
      background: (work) => this.#background(work),
    });
    const aside = { log: this.#log, clock: ports.clock, outputs: this.#outputs };
    const beat = (): void => this.#pulse.beat();
    const calls = new SideCalls({ ...given, ...aside, permits: this.#permits, beat });
    this.#checks = new CompletionCalls({ ...aside, calls });
    this.#lookUps = new LookUps({ ...aside, calls });
    this.#planning = new Planning({ ...given, log: this.#log, background: (work) => this.#background(work) });
    const { inFlightLimit, checkSchema, nonce } = tuning;
    this.#options = {
      inFlightLimit,
      checkSchema,
      nonce,
      load: this.#outputs.loaded,
      isLookingUp: this.#lookUps.isLookingUp,
      ...(this.#permits === undefined ? { roomFor: this.#roomFor } : { admit: this.#permits.admit }),
    };
  }

  /** Where no book of permits is kept, the limits of a capability hold within this process. */
  readonly #roomFor = (capability: CapabilitySnapshot): number => {
    const room = this.#given.slots.room(capability);
    if (room <= 0) this.#shortOfRoom = true;
    return room;
  };

  async drive(): Promise<DriveEnd> {
    const { ports, slots, lease, stop } = this.#given;
    const beat = (): void => this.#pulse.beat();
    const ignoreNews = ports.wakeups.onNews(lease.runId, () => {
      this.#news = true;
      this.#pulse.beat();
    });
    const ignoreRoom = slots.onRoom(beat);
    const ignorePermits = this.#given.permits?.onChange(beat);
    lease.lost?.addEventListener("abort", beat, { once: true });
    stop.addEventListener("abort", beat, { once: true });
    try {
      await this.#log.refold();
      return await this.#loop();
    } finally {
      ignoreNews();
      ignoreRoom();
      ignorePermits?.();
      lease.lost?.removeEventListener("abort", beat);
      stop.removeEventListener("abort", beat);
      this.#callOffWake?.();
      this.#calls.close();
      this.#checks.abort("The driver has let go.");
      this.#lookUps.abort("The driver has let go.");
      this.#permits?.close();
      this.#planning.close();
    }
  }

  get #state(): RunState {
    return this.#log.state;
  }

  get #lost(): boolean {
    return this.#given.lease.lost?.aborted === true || this.#log.status === "fenced";
  }

  async #loop(): Promise<DriveEnd> {
    for (;;) {
      if (this.#lost) return "lost";
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#given.stop.aborted) return this.#letGo();
      await this.#readOn();
      this.#calls.startDurable();
      this.#results.record();
      this.#planning.attend();
      this.#decide();
      this.#log.flush(() => this.#pulse.beat());
      const end = await this.#rest();
      if (end !== undefined) return end;
      await this.#pulse.next();
    }
  }

  /** Takes in what others appended: a person's decision, a pause, a cancellation. */
  async #readOn(): Promise<void> {
    if (this.#news && this.#log.settled && this.#log.status === "current") {
      this.#news = false;
      await this.#insist(() => this.#log.catchUp());
    }
    if (this.#log.status === "conflict" || this.#log.status === "unknown") {
      this.#news = false;
      await this.#insist(() => this.#log.refold());
      this.#calls.tell(this.#state, this.#results.keep());
    }
  }

  /** A database that is away for a moment must not cost the results that have come in: tries again for a while. */
  async #insist(read: () => Promise<void>): Promise<void> {
    for (let waitMs = 50; ; waitMs *= 2) {
      try {
        await read();
        return;
      } catch (problem) {
        if (waitMs > READ_WAIT_MS_MAX || this.#lost) throw problem;
      }
      await new Promise<void>((resolve) => this.#given.ports.timers.after(waitMs, resolve));
    }
  }

  #decide(): void {
    const now = this.#given.ports.clock.now();
    const state = this.#state;
    const { isLive } = this.#calls;
    const roundsMax = 1_000 + state.tasks.size * 4;
    this.#shortOfRoom = false;
    this.#permits?.beginPass();
    for (let round = 0; ; round++) {
      if (round > roundsMax) throw new Error(`Deciding on run ${state.runId} does not come to rest.`);
      this.#wakeAt = undefined;
      if (this.#obeyAll(decide(state, now, this.#options), now)) continue;
      if (state.inFlight.size <= this.#calls.size) break;
      const recovery = { isLive, now, load: this.#outputs.loaded, admit: this.#admitAgain };
      if (!this.#obeyAll(recoverCalls(state, recovery), now)) break;
    }
    this.#permits?.endPass();
    if (this.#permits?.held === true) this.#shortOfRoom = true;
    const roomAt = this.#permits?.wakeAt;
    if (roomAt !== undefined) this.#wakeAt = Math.min(this.#wakeAt ?? roomAt, roomAt);
    if (state.status === "finished") {
      this.#checks.abort("The run has ended.");
      this.#lookUps.abort("The run has ended.");
    }
    this.#setWake(now);
  }

  readonly #admitAgain = (task: TaskState): Admission =>
    this.#permits?.admitAgain(task, this.#options) ?? { type: "admitted" };

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
        return this.#calls.dispatch(command, now);
      case "abort":
        this.#calls.cutShort(command.taskId, command.cause.message);
        return false;
      case "load_output": {
        const loading = this.#outputs.load(command.outputRef);
        if (loading !== undefined) this.#background(loading);
        return false;
      }
      case "look_up":
        this.#once(`look-up:${command.taskId}`, () => this.#lookUps.ask(command));
        return false;
      case "check_completion":
        this.#once(`check:${this.#state.revision}:${command.index}`, () => this.#checks.check(command));
        return false;
      case "wake":
        if (this.#wakeAt === undefined || command.at < this.#wakeAt) this.#wakeAt = command.at;
        return false;
    }
  }

  /** A fan-out's list of outputs can be too large for the log although no single one is: then it is stored first. */
  #record(event: NewRunEvent): boolean {
    if (event.type !== "task_succeeded" || isInline(event.observation.output)) {
      this.#log.record(event);
      return true;
    }
    const { taskId, attempt, startedAt, observation } = event;
    this.#once(`output:${taskId}`, async () => {
      const fitted = await this.#outputs.fit(observation, { taskId, attempt });
      this.#results.add({ taskId, attempt, startedAt, observation: fitted });
    });
    return false;
  }

  /** Does `work` unless it is being done; the run is not at rest meanwhile. */
  #once(name: string, work: () => Promise<void>): void {
    if (this.#busy.has(name)) return;
    this.#busy.add(name);
    this.#background(work().finally(() => this.#busy.delete(name)));
  }

  /** Beats when it is done; a failure of it fails the drive, whose caller tries again. */
  #background(work: Promise<void>): void {
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
    if (delayMs > this.#given.tuning.timerMsMax) return;
    this.#callOffWake = this.#given.ports.timers.after(delayMs, () => this.#pulse.beat());
  }

  /** Lets go of a run that has ended or only waits; undefined while there is something to do. */
  async #rest(): Promise<DriveEnd | undefined> {
    const idle = this.#log.settled && this.#log.status === "current" && this.#results.empty;
    if (
      !idle ||
      this.#news ||
      this.#calls.size > 0 ||
      this.#busy.size > 0 ||
      this.#planning.busy ||
      this.#calls.cutSize > 0
    )
      return undefined;
    const finished = this.#state.status === "finished";
    if (!finished && this.#waitsBriefly) return undefined;
    if (await this.#release(finished ? undefined : this.#wakeAt)) return finished ? "finished" : "waiting";
    return undefined;
  }

  /** True while letting go costs more than waiting: a timer is near, or a slot or an output is about to come. */
  get #waitsBriefly(): boolean {
    if (this.#outputs.isLoading || this.#shortOfRoom) return true;
    const { ports, tuning } = this.#given;
    return this.#wakeAt !== undefined && this.#wakeAt - ports.clock.now() <= tuning.holdMs;
  }

  /** False: something was appended meanwhile, which is read next. */
  async #release(wakeAt: number | undefined): Promise<boolean> {
    const { ports, lease } = this.#given;
    if (await ports.leases.release(lease, this.#log.durableSeq, wakeAt)) return true;
    this.#news = true;
    this.#pulse.beat();
    return false;
  }

  /**
   * Asked to let go: starts nothing more, drops the calls that may simply run again, gives the others a moment to come
   * back, writes down what did, and leaves the run due at once for another driver.
   */
  async #letGo(): Promise<DriveEnd> {
    const { ports, tuning } = this.#given;
    this.#calls.leave("repeatable");
    let late = false;
    const callOff = ports.timers.after(tuning.letGoMs, () => {
      late = true;
      this.#calls.leave("all");
      this.#pulse.beat();
    });
    try {
      for (;;) {
        if (this.#lost) return "lost";
        await this.#readOn();
        this.#results.record();
        this.#log.flush(() => this.#pulse.beat());
        const written = this.#log.settled && this.#results.empty && this.#log.status === "current";
        if (written && (late || !this.#calls.awaitsChange)) {
          const wakeAt = this.#state.status === "finished" ? undefined : ports.clock.now();
          if (await this.#release(wakeAt)) return wakeAt === undefined ? "finished" : "let_go";
        }
        await this.#pulse.next();
      }
    } finally {
      callOff();
    }
  }
}
