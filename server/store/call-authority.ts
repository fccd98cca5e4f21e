import type { Pool } from "pg";
import type { CapabilitySnapshot } from "#kernel/capability/capability";
import { grantsScope } from "#kernel/capability/scope";
import { ROLE_SCOPES } from "../runtime/call-scopes";
import type { Actor, CallContext } from "../runtime/ports";
import { type Role, roleSchema } from "../runtime/principal";
import { retryTransient } from "./transient";

interface AuthorityRow {
  readonly roles: string[] | null;
  readonly narrowed: Record<string, string[]>;
  readonly key_stands: boolean | null;
}

/** What somebody may have called, as it stands now, or why nothing. */
export type Standing = { readonly granted: readonly string[] } | { readonly refusal: string };

/** The scopes that a person's runs have in a workspace now. Never kept: whoever asks again is told anew. */
export async function standingOf(pool: Pool, workspaceId: string, { personId, apiKeyId }: Actor): Promise<Standing> {
  const result = await pool.query<AuthorityRow>({
    name: "call_authority",
    text: `SELECT
             (SELECT roles::text[] FROM memberships WHERE workspace_id = $1 AND person_id = $2) AS roles,
             coalesce((SELECT json_object_agg(role, scopes) FROM role_scopes WHERE workspace_id = $1), '{}') AS narrowed,
             (SELECT revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) AND 'run' = ANY(scopes)
              FROM api_keys WHERE id = $3 AND person_id = $2 AND workspace_id = $1) AS key_stands`,
    values: [workspaceId, personId, apiKeyId ?? null],
  });
  const row = result.rows[0];
  if (row?.roles == null) return { refusal: "Whoever started this run is not in the workspace any more." };
  if (apiKeyId !== undefined && row.key_stands !== true)
    return { refusal: "The key that started this run stands no more." };
  return { granted: row.roles.flatMap((role) => row.narrowed[role] ?? scopesOf(role)) };
}

const isRole = (role: string): role is Role => roleSchema.safeParse(role).success;
const scopesOf = (role: string): readonly string[] => (isRole(role) ? ROLE_SCOPES[role] : []);

/**
 * Why the person in whose name a run acts may not make a call now, or undefined. Read anew for each call: a role taken
 * away, a key revoked or a person removed stops the next call, in whatever run, be it a call that only reads.
 */
export const callAuthority = (pool: Pool) => {
  const ask = freshAnswers<Standing>();
  return async (
    { capability, scopes }: { readonly capability: CapabilitySnapshot; readonly scopes: readonly string[] },
    { workspaceId, actor, signal }: CallContext,
  ): Promise<string | undefined> => {
    if (actor === undefined) return "This run does not say in whose name it acts.";
    const who = JSON.stringify([workspaceId, actor.personId, actor.apiKeyId ?? null]);
    signal.throwIfAborted();
    // A restart of the database stands for no answer: the call waits, as its run does.
    const answer = ask(who, () => retryTransient(() => standingOf(pool, workspaceId, actor)));
    const standing = await unlessAborted(answer, signal);
    if ("refusal" in standing) return standing.refusal;
    const missing = scopes.filter((scope) => !grantsScope(standing.granted, scope));
    if (missing.length === 0) return undefined;
    return `Whoever started this run has not the scope ${missing.join(", ")} that ${capability.name} requires.`;
  };
};

/**
 * Asks one question for all who want the same answer at once, none of them with an answer that began before they asked:
 * while one is on its way, those who come wait together for the next.
 */
function freshAnswers<Answer>(): (key: string, read: () => Promise<Answer>) => Promise<Answer> {
  const underWay = new Map<string, Promise<Answer>>();
  const next = new Map<string, Promise<Answer>>();
  return (key, read) => {
    const joined = next.get(key);
    if (joined !== undefined) return joined;
    const begin = (): Promise<Answer> => {
      next.delete(key);
      const answer = read().finally(() => {
        if (underWay.get(key) === answer) underWay.delete(key);
      });
      underWay.set(key, answer);
      return answer;
    };
    const before = underWay.get(key);
    if (before === undefined) return begin();
    const following = before.then(begin, begin);
    next.set(key, following);
    return following;
  };
}

function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
