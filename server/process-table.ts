import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** True when a process with that id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** The command line of a process, words separated by blanks. Undefined when there is none to be seen. */
export function commandOf(pid: number): string | undefined {
  if (process.platform === "linux") {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    } catch {
      return undefined;
    }
  }
  const answer = spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  return answer.status === 0 ? answer.stdout.trim() : undefined;
}

/** A dead process whose parent has not looked yet still answers signals: in containers nobody may ever look. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    return status.slice(status.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return false;
  }
}
