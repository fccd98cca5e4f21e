import type { JsonValue } from "../json";
import { resolveTaskArguments, unresolvedFailure } from "./action";
import { nextAttempt } from "./attempt";
import { type Command, loadOutputs, record } from "./command";
import type { Asking, DecideOptions } from "./decide-options";
import { dispatchCommands } from "./dispatch-command";
import { gateStands, openedGate } from "./gate";
import { expireGate } from "./gate-request";
import { gateNews } from "./gate-times";
import { planIsSigned, requestPlanGate } from "./plan-gate";
import { objectionOf } from "./precondition";
import { compareTasks } from "./queue";
import { awaitsReplan, isHeldByProposal } from "./replan";
import { poolCapacity, Room } from "./room";
import { settleTask } from "./settle-task";
import type { GateState, RunState, TaskState } from "./state";
import { isTerminal } from "./status";
import { endOpenTasks } from "./stop";

/** One asking of `decide`: collects commands and the earliest time at which something happens by itself. */
export class Round {
  readonly #state: RunState;
  readonly #now: number;
  readonly #options: DecideOptions;
  readonly #commands: Command[] = [];
  /** Tasks that may be dispatched although they are not in the queue, since an output was not loaded. */
  readonly #extra: TaskState[] = [];
  #wake = Number.POSITIVE_INFINITY;
  /** Something may start later without an event of ours: the run is not stalled. */
  #held = false;

  constructor(state: RunState, { now, options }: Asking) {
    this.#state = state;
    this.#now = now;
    this.#options = options;
  }

  get acted(): boolean {
    return this.#commands.length > 0;
  }

  /** Something was written down from which more may follow, such as a skip that lets a longer path start. */
  get recorded(): boolean {
    return this.#commands.some((command) => command.type === "record");
  }

  wakeAt(at: number): void {
    if (at < this.#wake) this.#wake = at;
  }

  /** Closes gates whose time is over or whose request no longer stands. */
  closeGates(): void {
    for (const id of this.#state.liveGates) {
      const gate = this.#state.gates.get(id);
      const which = gate && this.#closing(gate);
      if (gate && which) this.#commands.push(expireGate(gate.request.gateId, which, this.#now));
      else if (gate) this.#tell(gate);
    }
  }

  /** Reminders and escalations: they change nothing about what may run. */
  #tell(gate: GateState): void {
    const { due, next } = gateNews(gate, this.#now);
    this.#commands.push(...due);
    if (next !== undefined) this.wakeAt(next);
  }

  #closing(gate: GateState): "decide_by" | "execute_by" | "superseded" | undefined {
    const { request } = gate;
    const task = request.taskId === undefined ? undefined : this.#state.tasks.get(request.taskId);
    const stands = request.taskId === undefined || (task?.gateId === request.gateId && !isTerminal(task.status));
    if (!stands) return "superseded";
    if (!gateStands(this.#state, request)) return "superseded";
    const until = gate.status === "open" ? request.decideBy : (gate.executeBy ?? Number.POSITIVE_INFINITY);
    if (this.#now >= until) return gate.status === "open" ? "decide_by" : "execute_by";
    this.wakeAt(until);
    return undefined;
  }

  /** Lets every task that owes an event pay it. */
  settle(): void {
    const asking = { now: this.#now, options: this.#options, mayAsk: this.#mayStart };
    this.#commands.push(...requestPlanGate(this.#state, asking));
    for (const id of this.#state.settling) {
      const task = this.#state.tasks.get(id);
      if (task === undefined || awaitsReplan(this.#state, task)) continue;
      // Its answer comes by itself: nothing else to do does not mean that nothing can go on.
      if (this.#options.isLookingUp?.(id) === true) this.#held = true;
      const settled = settleTask(this.#state, task, asking);
      if (settled === "start") this.#extra.push(task);
      else this.#commands.push(...settled);
    }
  }

  get #mayStart(): boolean {
    return this.#state.status === "running" && planIsSigned(this.#state);
  }

  /** Starts what there is room for, the longest remaining path first. */
  dispatch(): void {
    if (!this.#mayStart) {
      this.#held = true;
      return;
    }
    const { queue } = this.#state;
    const candidates = this.#extra.length === 0 ? queue : [...this.#extra, ...queue].sort(compareTasks);
    const room = new Room(this.#state, this.#options);
    for (const task of candidates) {
      if (room.full) {
        this.#held = true;
        break;
      }
      if (!this.#start(task, room)) break;
    }
    this.#commands.push(...loadOutputs(room.missing));
  }

  /** Starts the task, or notes why not; false: a budget is exhausted, nothing more starts. */
  #start(task: TaskState, room: Room): boolean {
    if (isHeldByProposal(this.#state, task)) {
      this.#held = true;
      return true;
    }
    if (task.notBefore !== undefined && this.#now < task.notBefore) {
      this.wakeAt(task.notBefore);
      return true;
    }
    const failure = this.#cannotEver(task);
    if (failure !== undefined) {
      this.#commands.push(failure);
      return true;
    }
    const refusal = room.budget(task);
    if (refusal?.final === true) {
      this.#stopForBudget(refusal.budget, refusal.message);
      return false;
    }
    if (room.hold(task) === undefined) {
      this.#call(task, room);
      return true;
    }
    this.#held = true;
    if (room.refusal === undefined) return true;
    this.#stopForBudget(room.refusal.budget, room.refusal.message);
    return false;
  }

  /** A capability that is not pinned, or a pool that is too small, would hold the task for ever. */
  #cannotEver(task: TaskState): Command | undefined {
    const fail = (code: string, message: string): Command =>
      record({ type: "task_failed", at: this.#now, taskId: task.id, attempt: 0, cause: { code, message } });
    const { capability, uses } = task.task;
    if (!this.#state.capabilities.has(capability)) {
      return fail("capability_gone", `This run has no capability “${capability}”.`);
    }
    for (const [pool, units] of Object.entries(uses ?? {})) {
      const capacity = poolCapacity(this.#state, pool);
      if (units > capacity)
        return fail("pool_too_small", `It needs ${units} of pool “${pool}”, which has ${capacity}.`);
    }
    return undefined;
  }

  #call(task: TaskState, room: Room): void {
    const gate = openedGate(this.#state, task);
    if (gate?.executeBy !== undefined && this.#now >= gate.executeBy) {
      // An approval that was not used is closed with the other gates; one that was used ends with this retry.
      if (gate.status === "used") this.#commands.push(expireGate(gate.request.gateId, "execute_by", this.#now));
      return;
    }
    const objection = objectionOf(this.#state, task, { now: this.#now, options: this.#options });
    if (objection !== undefined) {
      this.#commands.push(...objection);
      return;
    }
    const attempt = nextAttempt(task);
    if (gate !== undefined) {
      this.#dispatch(task, room, { attempt, arguments: null, gate });
      return;
    }
    const resolution = resolveTaskArguments(this.#state, task, this.#options.load);
    if (resolution.type === "missing") {
      this.#commands.push(...loadOutputs(resolution.outputRefs));
    } else if (resolution.type === "unresolved") {
      this.#commands.push(unresolvedFailure(task, this.#now, resolution.message));
    } else {
      this.#dispatch(task, room, { attempt, arguments: resolution.value, gate });
    }
  }

  #dispatch(task: TaskState, room: Room, call: { attempt: number; arguments: JsonValue; gate: GateState | undefined }) {
    const commands = dispatchCommands(this.#state, task, { ...call, load: this.#options.load });
    this.#commands.push(...commands);
    if (commands.some((command) => command.type === "dispatch")) room.take(task);
  }

  /** What is in flight ends by itself; nothing else starts. Left for the next round where this one did something. */
  #stopForBudget(budget: string, message: string): void {
    this.#held = true;
    if (this.acted) return;
    const cause = { code: `budget.${budget}`, message };
    this.#commands.push(
      ...endOpenTasks(this.#state, this.#now, { type: "task_stopped", cause }, { inFlightToo: false }),
    );
  }

  /** Nothing happens, nothing runs, nothing is waited for: no open task can go on. */
  get isStuck(): boolean {
    const { inFlight, liveGates, status } = this.#state;
    const waits = this.acted || this.#held || Number.isFinite(this.#wake) || inFlight.size > 0 || liveGates.size > 0;
    return !waits && status !== "paused";
  }

  result(): Command[] {
    if (Number.isFinite(this.#wake)) this.#commands.push({ type: "wake", at: this.#wake });
    return this.#commands;
  }
}
