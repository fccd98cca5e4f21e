import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { commandOf, isAlive } from "../process-table";
import type { StartRole } from "./start-role";

const runSchema = z.object({
  /** The supervisor. */
  pid: z.int(),
  url: z.string().optional(),
  /** Its processes, by name. */
  processes: z.record(z.string(), z.int()),
});
export type Run = z.infer<typeof runSchema>;

/** What a supervisor's command line holds, so that a number given to somebody else is not mistaken for one. */
const SUPERVISOR_MARK = path.join("server", "start");
const PROCESS_MARK = "exit-with-parent.mjs";

/** Notes down which processes belong to this checkout, for the next start and for nobody else. */
export class RunFile {
  private readonly file: string;
  private run: Run = { pid: process.pid, processes: {} };

  /** @param role one of its own for each kind of process that is started alone. */
  constructor(stateFolder: string, role: StartRole = "all") {
    this.file = path.join(stateFolder, role === "all" ? "supervisor.json" : `supervisor-${role}.json`);
  }

  /** The supervisor that runs this checkout already; undefined when it is free, and then it is ours. */
  async claim(): Promise<Run | undefined> {
    const last = this.read();
    if (last && last.pid !== process.pid && isAlive(last.pid) && commandOf(last.pid)?.includes(SUPERVISOR_MARK)) {
      return last;
    }
    if (last) await endLeftovers(Object.values(last.processes));
    this.write();
    return undefined;
  }

  noteProcess(name: string, pid: number): void {
    this.run = { ...this.run, processes: { ...this.run.processes, [name]: pid } };
    this.write();
  }

  noteUrl(url: string): void {
    this.run = { ...this.run, url };
    this.write();
  }

  release(): void {
    if (this.read()?.pid === process.pid) rmSync(this.file, { force: true });
  }

  private read(): Run | undefined {
    if (!existsSync(this.file)) return undefined;
    try {
      return runSchema.parse(JSON.parse(readFileSync(this.file, "utf8")));
    } catch {
      return undefined;
    }
  }

  private write(): void {
    const aside = `${this.file}.${process.pid}`;
    writeFileSync(aside, JSON.stringify(this.run), { mode: 0o600 });
    renameSync(aside, this.file);
  }
}

/** Processes of a supervisor that was killed: they are ending by themselves; whoever takes long is ended. */
async function endLeftovers(pids: readonly number[]): Promise<void> {
  const ours = () => pids.filter((pid) => isAlive(pid) && commandOf(pid)?.includes(PROCESS_MARK));
  const signal = (name: NodeJS.Signals) => {
    for (const pid of ours()) {
      try {
        process.kill(pid, name);
      } catch {
        // It ended meanwhile.
      }
    }
  };
  signal("SIGTERM");
  for (let waited = 0; waited < 4_000 && ours().length > 0; waited += 50) await delay(50);
  signal("SIGKILL");
  for (let waited = 0; waited < 1_000 && ours().length > 0; waited += 50) await delay(50);
}
