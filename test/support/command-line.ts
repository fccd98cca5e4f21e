import { spawn } from "node:child_process";
import path from "node:path";
import { runCommandLine } from "../../server/cli/command-line";

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process, as the real one does but for the streams. */
export async function runInProcess(args: readonly string[], stdin = ""): Promise<CommandResult> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommandLine(args, {
    checkout: path.join(import.meta.dirname, "nowhere"),
    readStdin: async () => new Uint8Array(Buffer.from(stdin)),
    print: (line) => out.push(`${line}\n`),
    complain: (line) => err.push(`${line}\n`),
  });
  return { code, stdout: out.join(""), stderr: err.join("") };
}

const launcher = path.join(import.meta.dirname, "../../server/cli/planwright.mjs");

/** Runs the real command in a process of its own. */
export function runProcess(
  args: readonly string[],
  { stdin = "", env = {}, cwd }: { stdin?: string | Buffer; env?: Record<string, string>; cwd?: string } = {},
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [launcher, ...args], {
      env: { ...process.env, PLANWRIGHT_URL: "", PLANWRIGHT_API_KEY: "", ...env },
      ...(cwd === undefined ? {} : { cwd }),
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => out.push(part));
    child.stderr.on("data", (part: Buffer) => err.push(part));
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
    child.stdin.end(stdin);
  });
}
