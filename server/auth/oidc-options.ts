import type { Env } from "../env";
import { PlainError } from "../plain-error";
import { type Role, roleSchema } from "../runtime/principal";
import type { OidcOptions } from "./oidc";

/** The identity provider that the environment names; undefined: none. Half of one is a mistake, and said. */
export function oidcOptions(env: Env): OidcOptions | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    throw new PlainError("OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: set all three or none.");
  }
  return {
    issuer,
    clientId,
    clientSecret,
    name: env.OIDC_NAME,
    allowedDomains: env.OIDC_ALLOWED_DOMAINS.map((domain) => domain.toLowerCase()),
    roleClaim: env.OIDC_ROLE_CLAIM,
    roles: new Map(env.OIDC_ROLES.map(groupAndRole)),
    defaultRoles: env.OIDC_DEFAULT_ROLES.map((role) => parseRole(role, "OIDC_DEFAULT_ROLES")),
    workspaceId: env.OIDC_WORKSPACE,
  };
}

function groupAndRole(entry: string): [group: string, role: Role] {
  const split = entry.lastIndexOf("=");
  if (split < 1) throw new PlainError(`OIDC_ROLES: "${entry}" is not of the form group=role.`);
  return [entry.slice(0, split), parseRole(entry.slice(split + 1), "OIDC_ROLES")];
}

function parseRole(text: string, variable: string): Role {
  const role = roleSchema.safeParse(text);
  if (!role.success) throw new PlainError(`${variable}: "${text}" is none of ${roleSchema.options.join(", ")}.`);
  return role.data;
}
