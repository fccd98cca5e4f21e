import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { ROOT } from "../../../server/setup/checkout.mjs";
import { type Bundle, bundleForNode } from "../bundle";
import type { Fault } from "./fault";

/** What a process is told to be. */
export interface ProcessOrder {
  readonly role: "worker" | "web";
  readonly url: string;
  readonly ledgerUrl: string;
  readonly leaseMs?: number;
  readonly sweepMs?: number;
  readonly fault?: Fault;
  /** Every call tells the ledger that it begins. */
  readonly reportsBegin?: boolean;
  readonly host?: string;
  /** How far its wall clock is ahead of everybody's; negative: behind. */
  readonly clockSkewMs?: number;
}

/** What it says of itself. */
export type ProcessReport =
  | { readonly type: "loaded" | "fault" }
  | { readonly type: "ready"; readonly port?: number }
  | { readonly type: "seen"; readonly seen: readonly (readonly [string, number])[]; readonly met: boolean };

/** What it is asked while it lives; it answers with what it has `seen`. */
export type ProcessQuestion = { readonly type: "seen" } | { readonly type: "arm"; readonly fault?: Fault };

export interface Seen {
  readonly seen: ReadonlyMap<string, number>;
  readonly met: boolean;
}

/** One process of the crew. */
export interface Member {
  readonly pid: number;
  readonly role: ProcessOrder["role"];
  /** Of a web process. */
  readonly port: number;
  readonly alive: boolean;
  /** Settles when it has ended, however. */
  readonly ended: Promise<void>;
  /** True once it has met its fault. */
  readonly faulted: boolean;
  signal(name: NodeJS.Signals): void;
  /** Kills it with -9 and waits until it is gone. */
  kill(): Promise<void>;
  /** The statements it has sent so far, by kind, and whether its fault was met. */
  seen(): Promise<Seen>;
  /** Counts from nothing again, towards this fault or none; answers with what was seen until then. */
  arm(fault?: Fault): Promise<Seen>;
}

/** Starts processes of the product from one bundle. The next one is always loaded already, so a loss is soon made up. */
export class Crew {
  readonly #bundle: Bundle;
  readonly #children = new Set<ChildProcess>();
  #next: Promise<ChildProcess>;

  private constructor(bundle: Bundle) {
    this.#bundle = bundle;
    this.#next = this.#load();
  }

  static async open(): Promise<Crew> {
    return new Crew(await bundleForNode(path.join(ROOT, "test", "support", "chaos", "process.ts")));
  }

  async start(order: ProcessOrder): Promise<Member> {
    const loaded = this.#next;
    this.#next = this.#load();
    // Waited for at the next start; until then a failure of it must not count as unhandled.
    this.#next.catch(() => {});
    const child = await loaded;
    let faulted = false;
    child.on("message", (report: ProcessReport) => {
      if (report.type === "fault") faulted = true;
    });
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    const ready = answer(child, "ready");
    child.send(order);
    // One that dies of its fault before it is ready has done what it was there for.
    const report = await Promise.race([ready, ended.then(() => undefined)]);
    return {
      pid: child.pid ?? 0,
      role: order.role,
      port: report?.type === "ready" ? (report.port ?? 0) : 0,
      get alive() {
        return child.exitCode === null && child.signalCode === null;
      },
      ended,
      get faulted() {
        return faulted;
      },
      signal: (name) => void child.kill(name),
      async kill() {
        child.kill("SIGKILL");
        await ended;
      },
      seen: () => question(child, { type: "seen" }),
      arm: (fault) => question(child, { type: "arm", ...(fault && { fault }) }),
    };
  }

  async close(): Promise<void> {
    await this.#next.catch(() => {});
    for (const child of this.#children) child.kill("SIGKILL");
    this.#bundle.remove();
  }

  async #load(): Promise<ChildProcess> {
    const child = fork(this.#bundle.script, [], { cwd: ROOT, stdio: ["ignore", 2, 2, "ipc"] });
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    await answer(child, "loaded");
    return child;
  }
}

async function question(child: ChildProcess, asked: ProcessQuestion): Promise<Seen> {
  const seen = answer(child, "seen");
  // Of one that has just ended we hear by its end.
  if (child.connected) child.send(asked, () => {});
  const said = await seen;
  return said.type === "seen" ? { seen: new Map(said.seen), met: said.met } : { seen: new Map(), met: false };
}

/** The next report of that type; rejects when the process ends first. */
function answer(child: ChildProcess, type: ProcessReport["type"]): Promise<ProcessReport> {
  const report = new Promise<ProcessReport>((resolve, reject) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      reject(new Error(`A process had ended when it was to be ${type}`));
      return;
    }
    const onMessage = (message: ProcessReport): void => {
      if (message.type !== type) return;
      child.off("message", onMessage);
      child.off("exit", onExit);
      resolve(message);
    };
    const onExit = (code: number | null): void => reject(new Error(`A process ended (${code}) before it was ${type}`));
    child.on("message", onMessage);
    child.once("exit", onExit);
  });
  report.catch(() => {});
  return report;
}
