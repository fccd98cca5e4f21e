import type { Result } from "#kernel/result";
import { AppError, notFound } from "../../errors";
import type { MemberRefusal } from "../../runtime/workspaces";

/** The value, or the refusal as the interface says it. */
export function requireDone<Value>(result: Result<Value, MemberRefusal>): Value {
  if (result.ok) return result.value;
  if (result.error === "not_found") throw notFound();
  throw new AppError("last_admin", "This is the last admin. Make somebody else an admin first.");
}
