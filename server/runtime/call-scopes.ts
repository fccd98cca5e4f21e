import type { Role } from "./principal";

/** Scopes that a role gives at the moment of action, unless the workspace has narrowed them. `*` is every scope. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly string[]>> = {
  admin: ["*"],
  engineer: ["*"],
  reviewer: [],
  approver: [],
};
