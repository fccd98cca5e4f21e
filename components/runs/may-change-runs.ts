import type { ShellSession } from "../shell/shell-context";

/** Engineers and admins change runs; the others look. The server decides, this only shows it. */
export const mayChangeRuns = (session: ShellSession): boolean =>
  session.person?.roles.some((role) => role === "engineer" || role === "admin") ?? false;
