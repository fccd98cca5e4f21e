import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { PlainError } from "../plain-error";

/** The ids that Postgres runs under. Undefined: our own, since we are not root. */
export interface DatabaseUser {
  readonly uid: number;
  readonly gid: number;
}

const USER_NAME = "planwright";

/** Postgres refuses to run as root, so root lends it a system user that owns nothing else. */
export function databaseUser(): DatabaseUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const known = findUser();
  if (known) return known;
  const made = spawnSync(
    "useradd",
    ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", USER_NAME],
    {
      encoding: "utf8",
    },
  );
  // Two starts at once: whoever lost the race finds the other's user.
  const user = findUser();
  if (user) return user;
  throw new PlainError(
    `The embedded Postgres cannot run as root, and the system user "${USER_NAME}" could not be made ` +
      `(${made.error?.message ?? made.stderr.trim()}). Run Planwright as an ordinary user, or set DATABASE_URL.`,
  );
}

function findUser(): DatabaseUser | undefined {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${USER_NAME}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}
