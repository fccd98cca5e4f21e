import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { stopEmbeddedPostgres } from "../../server/postgres/embedded-postgres";
import { ROOT } from "../../server/setup/checkout.mjs";
import { openStateFolder } from "../../server/state-folder";

/** Somebody who can sign in, as the start printed it. */
export interface PrintedPerson {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export interface StartedApp {
  readonly url: string;
  readonly people: readonly PrintedPerson[];
  readonly pid: number;
  /** Everything printed so far. */
  output(): string;
  /** Ends it as Ctrl-C does; settles with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A state folder of its own, so that a test disturbs no server that somebody runs from this checkout. */
export function temporaryState(): { readonly folder: string; remove(): Promise<void> } {
  const folder = mkdtempSync(path.join(tmpdir(), "planwright-state-"));
  return {
    folder,
    async remove() {
      const { postgresPath } = openStateFolder(ROOT, folder);
      await stopEmbeddedPostgres(postgresPath);
      rmSync(postgresPath, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the product as `npm start` does and waits until it says where it is. Rejects with its output if it ends. */
export function startApp(stateFolder: string, environment: Record<string, string> = {}): Promise<StartedApp> {
  const child = spawn(process.execPath, [path.join(ROOT, "server", "start", "start.mjs")], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: "", PLANWRIGHT_STATE: stateFolder, ...environment },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  return new Promise((resolve, reject) => {
    const exited = exitOf(child);
    exited.then((code) => reject(new Error(`The start ended with ${code}.\n${output}`)), reject);
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        output += `${line}\n`;
        const url = /^Planwright is ready: (\S+)$/m.exec(output)?.[1];
        // The last line of what it says when it is ready: all passwords stand before it.
        if (!url || !output.includes("Ctrl-C stops")) return;
        resolve({
          url,
          pid: child.pid ?? 0,
          people: printedPeople(output),
          output: () => output,
          stop(signal = "SIGINT") {
            if (child.exitCode === null && child.pid) process.kill(-child.pid, signal);
            return exited;
          },
        });
      });
    }
  });
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code));
  });
}

function printedPeople(output: string): PrintedPerson[] {
  return [...output.matchAll(/^ {2}(\S+) +(\S+@\S+) +(\S+)$/gm)].map(([, name = "", email = "", password = ""]) => ({
    name,
    email,
    password,
  }));
}
