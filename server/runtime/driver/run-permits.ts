import { demandOf } from "#kernel/run/admission";
import type { BudgetRefusal } from "#kernel/run/budget";
import type { Admission, CallDemand } from "#kernel/run/call-demand";
import type { DecideOptions } from "#kernel/run/decide-options";
import type { RunState, TaskState } from "#kernel/run/state";
import type { CallPermits, PermitRun, UsedPermit } from "../permits/call-permits";
import type { Lease } from "../ports";

/**
 * The permits of one run's calls. In each pass of its driver the run asks for what it could start; what it did not ask
 * for again in a pass it does not want any more, and is given back.
 */
export class RunPermits {
  readonly #permits: CallPermits;
  readonly #lease: Lease;
  readonly #state: () => RunState;
  /** Calls that are no step's own, which no pass asks for: they wait on their own account. */
  readonly #apart = new Set<string>();
  #asked = new Set<string>();
  #wakeAt: number | undefined;
  #held = false;

  constructor(given: { permits: CallPermits; lease: Lease; state: () => RunState }) {
    this.#permits = given.permits;
    this.#lease = given.lease;
    this.#state = given.state;
  }

  /** A call was held in this pass for a limit that opens by somebody else's doing, or soon. */
  get held(): boolean {
    return this.#held;
  }

  /** When a rate limit has room for a call that was held in this pass, if that is all that any waits for. */
  get wakeAt(): number | undefined {
    return this.#wakeAt;
  }

  beginPass(): void {
    this.#asked = new Set();
    this.#wakeAt = undefined;
    this.#held = false;
  }

  endPass(): void {
    for (const id of this.#apart) this.#asked.add(id);
    this.#permits.keepOnly(this.#run, this.#asked);
  }

  readonly admit = (task: TaskState, demand: CallDemand): Admission => {
    this.#asked.add(task.id);
    const admission = this.#permits.admit(this.#run, task.id, demand);
    if (admission.type !== "held") return admission;
    const until = admission.hold.type === "rate_limit" ? admission.hold.until : undefined;
    if (until === undefined) this.#held = true;
    else this.#wakeAt = Math.min(this.#wakeAt ?? until, until);
    return admission;
  };

  /** Whether a call that is made again after a crash may start now. */
  admitAgain(task: TaskState, options: DecideOptions): Admission {
    const demand = demandOf(this.#state(), task, options.load);
    return demand === undefined ? { type: "admitted" } : this.admit(task, demand);
  }

  /** Waits until a call that is no step's own may start or may never; `dropped` where the signal came first. */
  async wait(
    id: string,
    demand: CallDemand,
    signal: AbortSignal,
  ): Promise<
    | { readonly type: "admitted"; readonly permit: UsedPermit | undefined }
    | { readonly type: "refused"; readonly refusal: BudgetRefusal }
    | { readonly type: "dropped" }
  > {
    this.#apart.add(id);
    try {
      while (!signal.aborted) {
        const admission = this.#permits.admit(this.#run, id, demand);
        // Taken at once: a pass of the driver that came between would give it back.
        if (admission.type === "admitted") return { type: "admitted", permit: this.use(id) };
        if (admission.type === "refused") return admission;
        await this.#change(signal);
      }
      return { type: "dropped" };
    } finally {
      this.#apart.delete(id);
    }
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        ignore();
        signal.removeEventListener("abort", end);
        resolve();
      };
      const ignore = this.#permits.onChange(end);
      signal.addEventListener("abort", end, { once: true });
    });
  }

  /** The call has been decided on; undefined where it needed no permit. */
  use(taskId: string): UsedPermit | undefined {
    return this.#permits.use(this.#run, taskId);
  }

  /** The driver has let go: only calls that still run keep their permits. */
  close(): void {
    this.#permits.keepOnly(this.#run, new Set());
  }

  get #run(): PermitRun {
    const { runId, workspaceId } = this.#lease;
    const personId = this.#state().startedBy?.id;
    return { runId, workspaceId, ...(personId !== undefined && { personId }) };
  }
}
