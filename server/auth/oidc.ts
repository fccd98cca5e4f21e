import { genericOAuth } from "better-auth/plugins";
import type { Pool } from "pg";
import { z } from "zod";
import type { Role } from "../runtime/principal";
import { appendAudit } from "../store/audit-log";
import { changeRoles, lockMember, wasMember } from "../store/memberships";
import { inTransaction } from "../store/transaction";

/** The provider's name in addresses: `/api/auth/callback/oidc` is what is registered there. */
export const OIDC_PROVIDER = "oidc";

/** An identity provider, as the environment names it. */
export interface OidcOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the button says. */
  readonly name: string;
  /** Domains whose people may sign in without being known yet. None: only who is known already. */
  readonly allowedDomains: readonly string[];
  /** The claim that lists a person's groups. */
  readonly roleClaim: string;
  /** Groups and what they mean here. None: roles are given by hand. */
  readonly roles: ReadonlyMap<string, Role>;
  /** Roles of somebody new whose groups mean nothing here. None: they wait for an invitation. */
  readonly defaultRoles: readonly Role[];
  /** The workspace they come into; absent: the oldest one. */
  readonly workspaceId?: string | undefined;
}

/**
 * Signing in at the provider: authorization code with PKCE, state and nonce; the identity token must be signed by a key
 * that the provider publishes, for us, and the address in it verified there.
 */
export const oidcPlugin = (options: OidcOptions) =>
  genericOAuth({
    config: [
      {
        providerId: OIDC_PROVIDER,
        name: options.name,
        discoveryUrl: `${options.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
        clientId: options.clientId,
        clientSecret: options.clientSecret,
        scopes: ["openid", "email", "profile"],
        pkce: true,
        requireIdTokenVerification: true,
        requireEmailVerification: true,
        disableSignUp: options.allowedDomains.length === 0,
        disableProviderLogout: true,
        mapProfileToUser: (profile) => {
          const email = typeof profile.email === "string" ? profile.email.toLowerCase() : "";
          const isVerified = profile.email_verified === true || profile.email_verified === "true";
          // Without an address the library lets nobody in.
          return isVerified && isAllowed(email, options.allowedDomains)
            ? { email, emailVerified: true, name: nameOf(profile, email) }
            : { email: "", emailVerified: false };
        },
      },
    ],
  });

const nameOf = (profile: { readonly name?: unknown }, email: string): string =>
  typeof profile.name === "string" && profile.name.trim() !== "" ? profile.name.trim().slice(0, 100) : email;

const isAllowed = (email: string, domains: readonly string[]): boolean =>
  domains.length === 0 || domains.includes(email.slice(email.lastIndexOf("@") + 1));

const claimsSchema = z.record(z.string(), z.unknown());

/**
 * Puts somebody who has just signed in at the provider where their groups belong. A member's mapped groups are followed
 * at each sign-in, but never leave the workspace without an admin. Only somebody new is let in: whoever was taken out,
 * or left, comes back by an invitation and not by signing in again. The provider's tokens are not kept.
 */
export async function enterByOidc(
  pool: Pool,
  options: OidcOptions,
  person: { readonly id: string; readonly name: string },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id_token: string | null }>(
      "SELECT id_token FROM accounts WHERE person_id = $1 AND provider_id = $2 FOR UPDATE",
      [person.id, OIDC_PROVIDER],
    );
    await client.query(
      `UPDATE accounts SET id_token = NULL, access_token = NULL, refresh_token = NULL
        WHERE person_id = $1 AND provider_id = $2`,
      [person.id, OIDC_PROVIDER],
    );
    const workspaceId = options.workspaceId ?? (await oldestWorkspace());
    if (workspaceId === undefined) return;
    const actor = { kind: "system", id: "server" } as const;
    const mapped = rolesIn(rows[0]?.id_token ?? null, options);
    const member = await lockMember(client, workspaceId, person.id);
    if (member !== undefined) {
      if (mapped.length === 0 || sameRoles(member.roles, mapped)) return;
      // Refused where it would leave no admin: then the roles stay as they are.
      await changeRoles(client, { workspaceId, personId: person.id, roles: mapped, actor, by: "oidc" });
      return;
    }
    const roles = mapped.length > 0 ? mapped : options.defaultRoles;
    if (roles.length === 0 || (await wasMember(client, workspaceId, person.id))) return;
    await client.query("INSERT INTO memberships (workspace_id, person_id, roles) VALUES ($1, $2, $3::role[])", [
      workspaceId,
      person.id,
      roles,
    ]);
    await appendAudit(client, {
      workspaceId,
      actor,
      action: "member.joined",
      subject: { kind: "person", id: person.id, name: person.name },
      detail: { by: "oidc", after: roles },
    });

    async function oldestWorkspace(): Promise<string | undefined> {
      const found = await client.query<{ id: string }>("SELECT id FROM workspaces ORDER BY created_at, id LIMIT 1");
      return found.rows[0]?.id;
    }
  });
}

const sameRoles = (left: readonly Role[], right: readonly Role[]): boolean =>
  left.length === right.length && left.every((role) => right.includes(role));

/** What the groups in an identity token mean here. It was verified when it came, and is decoded only. */
function rolesIn(idToken: string | null, { roleClaim, roles }: OidcOptions): Role[] {
  const body = idToken?.split(".")[1];
  if (body === undefined || roles.size === 0) return [];
  const claims = claimsSchema.safeParse(JSON.parse(Buffer.from(body, "base64url").toString("utf8")));
  const groups = z.array(z.string()).safeParse(claims.data?.[roleClaim]);
  return [...new Set((groups.data ?? []).flatMap((group) => roles.get(group) ?? []))];
}
