import type { ClientBase } from "pg";
import { cloneState, fold } from "#kernel/run/reduce";
import type { RunState } from "#kernel/run/state";
import type { RunReader } from "./run-reader";

const KEPT_MAX = 50;

/** Folded states of runs looked at lately; a later look folds only what has been appended since. */
export class RunStates {
  readonly #reader: RunReader;
  readonly #kept = new Map<string, RunState>();

  constructor(reader: RunReader) {
    this.#reader = reader;
  }

  /** The state at `seq` or later, read on the caller's connection. A copy of its own. */
  async stateAt(client: ClientBase, runId: string, seq: number): Promise<RunState> {
    const kept = this.#kept.get(runId);
    if (kept !== undefined && kept.lastSeq === seq) return cloneState(kept);
    const from = kept !== undefined && kept.lastSeq < seq ? kept : undefined;
    const events = await this.#reader.readWith(client, runId, from?.lastSeq ?? 0);
    const state = fold(events, from);
    if (state.lastSeq !== seq) throw new Error(`Run ${runId} ends at ${state.lastSeq}, its row says ${seq}`);
    this.#keep(runId, state);
    return cloneState(state);
  }

  /** The newest state, or undefined where there is no such run. Shared: only to be read. */
  async latest(runId: string): Promise<RunState | undefined> {
    const kept = this.#kept.get(runId);
    const events = await this.#reader.read(runId, kept?.lastSeq ?? 0);
    if (kept === undefined && events.length === 0) return undefined;
    const state = events.length === 0 && kept !== undefined ? kept : fold(events, kept);
    this.#keep(runId, state);
    return state;
  }

  #keep(runId: string, state: RunState): void {
    this.#kept.delete(runId);
    this.#kept.set(runId, state);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > KEPT_MAX && !oldest.done) this.#kept.delete(oldest.value);
  }
}
