import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { commandOf, isAlive } from "../process-table";

/** What a running server says of itself in its lock file. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

export const lockFile = (dataFolder: string): string => path.join(dataFolder, "postmaster.pid");

/** The server that holds the data folder. Undefined: none, or the lock file was left by one that was killed. */
export function findPostmaster(dataFolder: string): Postmaster | undefined {
  const file = lockFile(dataFolder);
  if (!existsSync(file)) return undefined;
  const [pid, , , port] = readFileSync(file, "utf8").split("\n");
  const postmaster = { pid: Number(pid), port: Number(port) };
  if (!Number.isInteger(postmaster.pid) || !isAlive(postmaster.pid)) return undefined;
  // After a restart of the machine the number may belong to anybody.
  return commandOf(postmaster.pid)?.includes("postgres") ? postmaster : undefined;
}
