import { PlainError } from "../plain-error";

/** What a start brings up: everything of one machine, or one kind of process of an installation on several. */
export type StartRole = "all" | "web" | "worker";

/** Machines of one installation must agree on these; a start of everything makes up what nobody set. */
const SHARED: Readonly<Record<Exclude<StartRole, "all">, readonly string[]>> = {
  web: ["DATABASE_URL", "AUTH_SECRET", "PLANWRIGHT_SECRET_KEY", "PLANWRIGHT_URL"],
  // Links in notifications lead to PLANWRIGHT_URL, so a worker needs it too.
  worker: ["DATABASE_URL", "AUTH_SECRET", "PLANWRIGHT_SECRET_KEY", "PLANWRIGHT_URL"],
};

/** Refuses to start one kind of process with settings that the others could not share. */
export function requireSharedSettings(role: StartRole, environment: NodeJS.ProcessEnv): void {
  if (role === "all") return;
  const missing = SHARED[role].filter((name) => !environment[name]);
  if (missing.length === 0) return;
  throw new PlainError(
    `A ${role} process of an installation on several machines needs ${missing.join(", ")}, the same everywhere. ` +
      "docs/operating.md says how to make them. For everything on one machine: npm start.",
  );
}

/** The role named by `--only`; none: all. */
export function roleOf(only: string | undefined): StartRole {
  if (only === undefined) return "all";
  if (only === "web" || only === "worker") return only;
  throw new PlainError(`--only takes web or worker, not "${only}".`);
}
