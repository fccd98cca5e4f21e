import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

/** Where a process meets a fault: at the n-th time that it sends a statement of this kind, counted from 1. */
export interface StatementPoint {
  readonly statement: string;
  readonly occurrence: number;
}

/**
 * `die`: the process is gone, before the statement is sent or once its answer is there. `error`: the database refuses.
 * `conflict`: it asks to try again. `drop`: the connection is gone before the statement is sent. `unknown`: it is gone
 * after the statement took effect and before the answer arrived. `delay`: it is sent `delayMs` late.
 */
export const FAULT_KINDS = ["die_before", "die_after", "error", "conflict", "drop", "unknown", "delay"] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault extends StatementPoint {
  readonly kind: FaultKind;
  readonly delayMs: number;
}

/** A statement's kind: its text with spaces joined, cut to what tells it from the others. */
const statementOf = (config: unknown): string => {
  const text = typeof config === "string" ? config : ((config as { text?: string } | undefined)?.text ?? "?");
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 100);
};

type Settle = (error: Error | null, result?: unknown) => void;
const withCode = (message: string, code: string): Error => Object.assign(new Error(message), { code });
const CONNECTION_GONE = "Connection terminated unexpectedly";

/** Counts the statements of this process, and lets one of them go wrong. */
export class FaultPoints {
  readonly seen = new Map<string, number>();
  /** Set once the fault has been met. */
  met = false;
  #fault: Fault | undefined;
  #dead = false;

  /** @param die ends the process; nothing is sent to the database from the moment it is called. */
  constructor(private readonly die: () => void) {}

  /** Counts from nothing again, towards this fault or none. */
  arm(fault: Fault | undefined): void {
    this.#fault = fault;
    this.met = false;
    this.seen.clear();
  }

  /** The driver's client with every statement passing by here. */
  get Client(): typeof pg.Client {
    const points = this;
    return class extends pg.Client {
      // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature has eight forms
      override query(...words: any[]): any {
        const [config] = words;
        // A cursor or stream has a submit of its own: nothing of ours uses one.
        if (typeof config?.submit === "function") return super.query(config);
        const callback = words.find((word) => typeof word === "function") ?? config?.callback;
        const rest = words.filter((word) => typeof word !== "function");
        const send = (): Promise<unknown> => Reflect.apply(super.query, this, rest);
        const answer = points.#pass(statementOf(config), send, this);
        if (answer === undefined) return Reflect.apply(super.query, this, words);
        if (callback === undefined) return answer;
        const settle: Settle = callback;
        answer.then(
          (result) => settle(null, result),
          (error: Error) => settle(error),
        );
        return undefined;
      }
    } as typeof pg.Client;
  }

  /** Undefined: nothing happens here, send it as it is. */
  #pass(statement: string, send: () => Promise<unknown>, client: pg.Client): Promise<unknown> | undefined {
    if (this.#dead) return new Promise(() => {});
    const occurrence = (this.seen.get(statement) ?? 0) + 1;
    this.seen.set(statement, occurrence);
    const fault = this.#fault;
    if (this.met || fault?.statement !== statement || fault.occurrence !== occurrence) return undefined;
    this.met = true;
    return this.#strike(fault, send, client);
  }

  async #strike({ kind, delayMs }: Fault, send: () => Promise<unknown>, client: pg.Client): Promise<unknown> {
    const cut = (): never => {
      // The socket under it goes, as when a cable is pulled; what waits on it fails by itself.
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      throw new Error(CONNECTION_GONE);
    };
    switch (kind) {
      case "die_before":
        return this.#end();
      case "die_after":
        await send().catch(() => {});
        return this.#end();
      case "error":
        throw withCode("could not write to file: an injected fault", "XX000");
      case "conflict":
        throw withCode("could not serialize access: an injected fault", "40001");
      case "drop":
        return cut();
      case "unknown":
        await send().catch(() => {});
        return cut();
      case "delay":
        await delay(delayMs);
        return send();
    }
  }

  #end(): Promise<never> {
    this.#dead = true;
    this.die();
    return new Promise(() => {});
  }
}
