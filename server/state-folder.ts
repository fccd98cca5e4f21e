import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { messageOf, PlainError } from "./plain-error";

/** Where this installation keeps its database, secrets and keys. */
export interface StateFolder {
  /** Inside the checkout, readable by its owner alone: secrets, the command line's key, process ids. */
  readonly path: string;
  /** The embedded database's own folder. */
  readonly postgresPath: string;
}

/** Where things of this machine live when Planwright runs as root. */
export const MACHINE_FOLDER = "/var/lib/planwright";

/**
 * The state folder of the checkout at `root`, or the one named in `PLANWRIGHT_STATE`; created when missing. As root the
 * database runs as another user, who cannot look into a checkout below /root: its folder then lies in
 * /var/lib/planwright, named after the state folder.
 */
export function openStateFolder(root: string, given = process.env.PLANWRIGHT_STATE): StateFolder {
  const folder = path.resolve(root, given || ".planwright");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
  } catch (error) {
    throw new PlainError(`Cannot write to ${folder}, where Planwright keeps its state: ${messageOf(error)}`);
  }
  return { path: folder, postgresPath: postgresPathOf(folder) };
}

/** Where the embedded database of a state folder that exists lies; see `openStateFolder`. */
export function postgresPathOf(folder: string): string {
  if (process.getuid?.() !== 0) return path.join(folder, "postgres");
  const name = createHash("sha256").update(realpathSync(folder)).digest("hex").slice(0, 16);
  return path.join(MACHINE_FOLDER, name);
}
