import type { Role } from "./principal";

/** Scopes that a role gives at the moment of action, unless the workspace has narrowed them. `*` is every scope. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly string[]>> = {
  admin: ["*"],
  engineer: ["*"],
  reviewer: [],
  approver: [],
};

/** True where `granted` holds the scope: by name, by `*`, or by a prefix such as `crm:*`. */
export const grantsScope = (granted: readonly string[], scope: string): boolean =>
  granted.some(
    (each) => each === scope || each === "*" || (each.endsWith(":*") && scope.startsWith(each.slice(0, -1))),
  );
