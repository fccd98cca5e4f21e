import type { Observation } from "../capability/observation";
import { changesSomething } from "../capability/side-effect";
import { usedBy } from "../run/attempt";
import type { RunEvent } from "../run/event";
import type { RunState } from "../run/state";

/** One moment of a budget: what is spent, and what calls in progress may still use. Epoch milliseconds. */
export interface BurnPoint {
  readonly at: number;
  readonly spent: number;
  readonly reserved: number;
}

/** Budgets whose use is a matter of calls; the deadline is a matter of time and needs no series. */
export type BurnBudget =
  | "toolCalls"
  | "sideEffects"
  | "retries"
  | "tokens"
  | "costUsd"
  | "planRevisions"
  | "iterations";

/**
 * How each budget was used up, as series for a chart: one walk over the events, continued where it stopped, so that a
 * run that is followed live costs only what is new.
 */
export class BurnDown {
  readonly #series = new Map<string, BurnPoint[]>();
  readonly #begun = new Set<string>();
  readonly #open = new Map<string, { readonly tokens: number; readonly costUsd: number }>();
  #taken = 0;

  /** Takes in the events after those it knows. `tip` knows every task and capability the events name. */
  take(events: readonly RunEvent[], tip: RunState): this {
    for (; this.#taken < events.length; this.#taken++) {
      const event = events[this.#taken];
      if (event !== undefined) this.#event(event, tip);
    }
    return this;
  }

  /** Points of a budget in order of time; empty where nothing of it was used. Per capability: by its name. */
  seriesOf(budget: BurnBudget | `calls:${string}`): readonly BurnPoint[] {
    return this.#series.get(budget) ?? [];
  }

  #event(event: RunEvent, tip: RunState): void {
    const { at } = event;
    switch (event.type) {
      case "task_dispatched":
      case "task_started":
        this.#begin(event.taskId, event.attempt, at, tip);
        return;
      case "task_observed":
      case "task_succeeded":
      case "outcome_unknown":
        this.#begin(event.taskId, event.attempt, event.startedAt, tip);
        this.#end(event.taskId, event.attempt, at, event.observation, tip);
        return;
      case "task_failed":
        if (event.attempt === 0 || event.observation === undefined) return;
        this.#begin(event.taskId, event.attempt, event.startedAt ?? at, tip);
        this.#end(event.taskId, event.attempt, at, event.observation, tip);
        return;
      case "task_retry_scheduled":
        if (event.poll !== true) this.#spend("retries", at, 1);
        return;
      case "plan_revised":
        this.#spend("planRevisions", at, 1);
        this.#spend("iterations", at, 1);
        return;
      case "plan_proposed":
        // One that waits for an approval counts when it was decided.
        if (event.plan === undefined) this.#spend("iterations", at, 1);
        return;
      case "reflection_recorded":
      case "replan_refused":
        this.#spend("iterations", at, 1);
        return;
      case "budget_charged":
        this.#spend(event.budget.replace("toolCallsPerCapability.", "calls:"), at, event.amount);
        return;
    }
  }

  #begin(taskId: string, attempt: number, at: number, tip: RunState): void {
    const task = tip.tasks.get(taskId);
    const key = `${taskId} ${attempt}`;
    const isCall =
      task !== undefined && task.instanceIds === undefined && !task.task.capability.startsWith("human.ask");
    if (!isCall || this.#begun.has(key)) return;
    this.#begun.add(key);
    const capability = tip.capabilities.get(task.task.capability);
    this.#spend("toolCalls", at, 1);
    this.#spend(`calls:${task.task.capability.split("@", 1)[0]}`, at, 1);
    if (changesSomething(capability)) this.#spend("sideEffects", at, 1);
    const most = { tokens: capability?.tokensMax ?? 0, costUsd: capability?.costUsd ?? 0 };
    this.#open.set(key, most);
    this.#reserve(at, most, 1);
  }

  #end(taskId: string, attempt: number, at: number, observation: Observation, tip: RunState): void {
    const key = `${taskId} ${attempt}`;
    const most = this.#open.get(key);
    if (most === undefined) return;
    this.#open.delete(key);
    this.#reserve(at, most, -1);
    const task = tip.tasks.get(taskId);
    const used = usedBy(task && tip.capabilities.get(task.task.capability), observation);
    this.#spend("tokens", at, used.tokens);
    this.#spend("costUsd", at, used.costUsd);
  }

  #reserve(at: number, { tokens, costUsd }: { tokens: number; costUsd: number }, sign: 1 | -1): void {
    if (tokens > 0) this.#push("tokens", at, 0, sign * tokens);
    if (costUsd > 0) this.#push("costUsd", at, 0, sign * costUsd);
  }

  #spend(budget: string, at: number, amount: number): void {
    if (amount !== 0) this.#push(budget, at, amount, 0);
  }

  /** Points at one moment are one: a reservation that is settled in the same instant never stood. */
  #push(budget: string, at: number, spent: number, reserved: number): void {
    const series = this.#series.get(budget) ?? [];
    this.#series.set(budget, series);
    const last = series.at(-1);
    const moment = Math.max(at, last?.at ?? at);
    const point = { at: moment, spent: (last?.spent ?? 0) + spent, reserved: (last?.reserved ?? 0) + reserved };
    if (last?.at === moment) series[series.length - 1] = point;
    else series.push(point);
  }
}
