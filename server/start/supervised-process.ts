import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { ROOT } from "../setup/checkout.mjs";

const EXIT_WITH_PARENT = pathToFileURL(path.join(ROOT, "server", "start", "exit-with-parent.mjs")).href;

const BACKOFF_MS = { first: 500, max: 30_000 } as const;
/** A process that ran this long was well: the next crash is a new one. */
const WELL_AFTER_MS = 60_000;

export interface ProcessPlan {
  readonly name: "web" | "worker";
  /** What Node runs. */
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface ProcessNews {
  /** A line that the process printed. */
  onLine(name: string, line: string): void;
  /** It ended without being asked to, and comes back after `delayMs`. */
  onCrash(name: string, how: string, delayMs: number): void;
  /** A process with this id began. */
  onStart(name: string, pid: number): void;
}

/** A process that comes back when it crashes, each time after a longer pause, until it is stopped. */
export class SupervisedProcess {
  private child: ChildProcess | undefined;
  private restart: NodeJS.Timeout | undefined;
  private crashes = 0;
  private stopped = false;

  constructor(
    private readonly plan: ProcessPlan,
    private readonly news: ProcessNews,
  ) {}

  start(): void {
    const { name, words, env } = this.plan;
    const startedAt = Date.now();
    const child = spawn(process.execPath, ["--enable-source-maps", "--import", EXIT_WITH_PARENT, ...words], {
      cwd: ROOT,
      env: { ...env, PLANWRIGHT_PROCESS: name },
      // A group of its own: Ctrl-C reaches the supervisor, which stops things in order.
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    this.child = child;
    if (child.pid) this.news.onStart(name, child.pid);
    for (const output of [child.stdout, child.stderr]) {
      if (output) createInterface({ input: output }).on("line", (line) => this.news.onLine(name, line));
    }
    child.once("error", () => {});
    child.once("close", (code, signal) => {
      this.child = undefined;
      if (this.stopped) return;
      this.crashes = Date.now() - startedAt > WELL_AFTER_MS ? 1 : this.crashes + 1;
      const delayMs = Math.min(BACKOFF_MS.first * 2 ** (this.crashes - 1), BACKOFF_MS.max);
      this.news.onCrash(name, signal ?? `exit code ${code}`, delayMs);
      this.restart = setTimeout(() => this.start(), delayMs);
    });
  }

  /** Asks it to end, and ends it after `graceMs`. Settles once it is gone. */
  stop(graceMs: number): Promise<void> {
    this.stopped = true;
    clearTimeout(this.restart);
    const { child } = this;
    if (!child) return Promise.resolve();
    return new Promise((resolve) => {
      const end = setTimeout(() => killGroup(child), graceMs);
      child.once("close", () => {
        clearTimeout(end);
        resolve();
      });
      child.kill("SIGTERM");
    });
  }
}

/** The process and whatever it started itself. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, "SIGKILL");
  } catch {
    // It ended meanwhile.
  }
}
