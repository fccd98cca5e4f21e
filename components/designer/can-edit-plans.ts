import type { ShellSession } from "../shell/shell-context";

/** Reviewers and approvers look at plans; engineers and admins change them. The server decides, this only shows it. */
export const canEditPlans = (session: ShellSession): boolean =>
  session.person?.roles.some((role) => role === "engineer" || role === "admin") ?? false;
