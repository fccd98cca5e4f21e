import { type CallResult, eventsOfResult } from "#kernel/run/observe-call";
import { dispatchTask } from "#kernel/run/reduce-task";
import type { RunState } from "#kernel/run/state";
import type { Clock } from "../ports";
import type { RunLog } from "./run-log";

/** Results of calls from the moment they come in until they are durable, so that a conflict costs none of them. */
export class Results {
  readonly #log: RunLog;
  readonly #clock: Clock;
  /** In no event yet. */
  #fresh: CallResult[] = [];
  /** In events that are not durable yet, in the order of their last `seq`. */
  readonly #unconfirmed: { readonly result: CallResult; readonly seq: number }[] = [];

  constructor(log: RunLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  get empty(): boolean {
    return this.#fresh.length === 0;
  }

  add(result: CallResult): void {
    this.#fresh.push(result);
  }

  /** Makes events of what has come in, judged against the state of now. */
  record(): void {
    this.#dropDurable();
    if (this.#fresh.length === 0) return;
    const now = this.#clock.now();
    const results = this.#fresh;
    this.#fresh = [];
    for (const result of results) {
      for (const event of eventsOfResult(this.#log.state, result, now)) this.#log.record(event);
      this.#unconfirmed.push({ result, seq: this.#log.state.lastSeq });
    }
  }

  /**
   * After the log was folded anew: what was not durable will be recorded again. Returns the tasks that it answers, so
   * that nobody takes them for running or ready meanwhile.
   */
  keep(): ReadonlySet<string> {
    const { state } = this.#log;
    const lost = this.#unconfirmed.splice(0).map((each) => each.result);
    this.#fresh = [...lost, ...this.#fresh].filter((result) => !isRecorded(state, result));
    for (const { taskId, attempt, startedAt } of this.#fresh) dispatchTask(state, { taskId, attempt, at: startedAt });
    return new Set(this.#fresh.map((result) => result.taskId));
  }

  #dropDurable(): void {
    const { durableSeq } = this.#log;
    const durable = this.#unconfirmed.findIndex((each) => each.seq > durableSeq);
    if (durable !== 0) this.#unconfirmed.splice(0, durable === -1 ? this.#unconfirmed.length : durable);
  }
}

/** The log already holds this result: its append had succeeded although its answer was lost. */
function isRecorded(state: RunState, { taskId, attempt, startedAt }: CallResult): boolean {
  const known = state.tasks.get(taskId)?.attempts.find((each) => each.attempt === attempt);
  return known?.endedAt !== undefined && known.startedAt === startedAt;
}
