import { cloneState } from "#kernel/run/reduce";
import { answerReplan, type ReplanAnswer, refusePlanning } from "#kernel/run/replan-answer";
import { replanRefused } from "#kernel/run/revision-event";
import type { ReplanRequest, RunState } from "#kernel/run/state";
import { unfinishedPlan } from "#kernel/run/unfinished";
import type { Lease, ReplanReply } from "../ports";
import type { DriverPorts, DriverTuning } from "./driver-ports";
import type { RunLog } from "./run-log";

interface PlanningGiven {
  readonly ports: DriverPorts;
  readonly tuning: DriverTuning;
  readonly lease: Lease;
  readonly log: RunLog;
  /** Wakes the driver when `work` is done; its failure fails the drive. */
  readonly background: (work: Promise<void>) => void;
}

interface Answered {
  readonly seq: number;
  readonly answer: ReplanAnswer;
  readonly usage: ReplanReply["usage"];
  /** The registry that the answer is judged by. */
  readonly registry: DriverPorts["executor"]["registry"];
}

/**
 * Takes a run's questions to its planner and records the answers.
 *
 * A question is asked once it is durable. Its answer is kept until the log has it, so that a conflict costs no second
 * call. A question that was in the log before this driver came may have been asked by one that died: it is asked again,
 * and the turn that was lost is charged, so that no crash buys more turns than the budget has.
 */
export class Planning {
  readonly #given: PlanningGiven;
  /** Questions up to here were asked by somebody else, or never. */
  #inheritedSeq: number | undefined;
  #charged: { readonly seq: number; readonly at: number } | undefined;
  #asking: { readonly seq: number; readonly abort: AbortController } | undefined;
  #answered: Answered | undefined;

  constructor(given: PlanningGiven) {
    this.#given = given;
  }

  /** A planner is being asked: the run is not at rest. */
  get busy(): boolean {
    return this.#asking !== undefined;
  }

  /** Asks what has to be asked, and records what was answered. */
  attend(): void {
    const { log } = this.#given;
    this.#inheritedSeq ??= log.durableSeq;
    const request = open(log.state);
    if (this.#asking !== undefined && this.#asking.seq !== request?.seq) this.close();
    if (request === undefined || log.status !== "current") return;
    if (this.#answered?.seq === request.seq) this.#record(this.#answered);
    else if (this.#asking === undefined && request.seq <= log.durableSeq) this.#ask(request);
  }

  /** Nobody waits for the answer any more. */
  close(): void {
    this.#asking?.abort.abort(new Error("The question was answered otherwise."));
    this.#asking = undefined;
  }

  #ask(request: ReplanRequest): void {
    const { ports, log } = this.#given;
    const now = ports.clock.now();
    if (request.seq <= (this.#inheritedSeq ?? 0) && this.#charged?.seq !== request.seq) {
      const at = log.record({ type: "budget_charged", at: now, budget: "iterations", amount: 1 });
      this.#charged = { seq: request.seq, at };
    }
    if (this.#charged?.seq === request.seq && this.#charged.at > log.durableSeq) return;
    const planner = log.state.plan?.replanning?.planner;
    const refusal = refusePlanning(log.state, now) ?? this.#nobodyToAsk(request, planner, now);
    if (refusal !== undefined || planner === undefined) {
      if (refusal !== undefined) log.record(refusal);
      return;
    }
    const abort = new AbortController();
    this.#asking = { seq: request.seq, abort };
    this.#given.background(this.#answer(request, planner, abort));
  }

  #nobodyToAsk({ reason, triggerSeq }: ReplanRequest, planner: string | undefined, now: number) {
    if (planner !== undefined && this.#given.ports.replanner?.knows(planner) === true) return undefined;
    const message =
      planner === undefined ? "The plan names no planner." : `There is no planner “${planner}” on this server.`;
    const author = { kind: "rule", name: "runtime" } as const;
    return replanRefused({ reason, triggerSeq, author, code: "no_planner", message }, now);
  }

  async #answer(request: ReplanRequest, planner: string, abort: AbortController): Promise<void> {
    const { ports, tuning, lease, log } = this.#given;
    const { runId, workspaceId } = lease;
    const callOff = ports.timers.after(tuning.plannerTimeoutMs, () => abort.abort(new Error("It took too long.")));
    const state = cloneState(log.state);
    let { registry } = ports.executor;
    const ask = async (): Promise<ReplanReply | undefined> => {
      registry = (await ports.registryOf?.(workspaceId)) ?? registry;
      abort.signal.throwIfAborted();
      return ports.replanner?.propose({
        runId,
        workspaceId,
        planner,
        request,
        state,
        plan: unfinishedPlan(state),
        observations: observationsOf(state),
        registry,
        signal: abort.signal,
      });
    };
    let reply: ReplanReply | undefined;
    let problem = "The planner did not answer.";
    try {
      reply = await Promise.race([ask(), aborted(abort.signal)]);
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    } finally {
      callOff();
    }
    if (this.#asking?.seq !== request.seq) return;
    this.#asking = undefined;
    const answer: ReplanAnswer =
      reply === undefined
        ? { status: "failed", planner, message: problem }
        : { status: "proposed", planner, document: reply.plan, ...part(reply) };
    this.#answered = { seq: request.seq, answer, usage: reply?.usage, registry };
  }

  /** What the planner used is charged in the same append as what came of it. */
  #record({ answer, usage, registry }: Answered): void {
    const { ports, tuning, log } = this.#given;
    const now = ports.clock.now();
    const { checkSchema } = tuning;
    const event = answerReplan(log.state, answer, { registry, now, ...(checkSchema && { checkSchema }) });
    if (event === undefined) return;
    for (const budget of ["tokens", "costUsd"] as const) {
      const amount = usage?.[budget] ?? 0;
      if (amount > 0) log.record({ type: "budget_charged", at: now, budget, amount });
    }
    log.record(event);
  }
}

const part = ({ cancelRunning, message }: ReplanReply) => ({
  ...(cancelRunning === undefined ? {} : { cancelRunning }),
  ...(message === undefined ? {} : { message }),
});

const open = (state: RunState): ReplanRequest | undefined =>
  state.status === "finished" || state.cancelledBy !== undefined ? undefined : state.replanRequest;

/** What has come back so far, in the order of the tasks. */
const observationsOf = (state: RunState) =>
  [...state.tasks.values()].flatMap(({ id, status, attempts }) =>
    attempts.flatMap(({ attempt, observation }) =>
      observation === undefined ? [] : [{ taskId: id, status, attempt, observation }],
    ),
  );

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
  });
