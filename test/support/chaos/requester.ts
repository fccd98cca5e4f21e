import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { newApiKey } from "../../../server/auth/api-key";
import type { Database } from "../../../server/db";
import { KEY_SCOPES } from "../../../server/runtime/key-scope";
import type { Member } from "./crew";

/** People of one workspace, by their keys. */
export interface ChaosPeople {
  readonly workspaceId: string;
  readonly engineer: string;
  readonly approver: string;
}

/** An engineer and an approver with keys that may sign. */
export async function addPeople({ prisma }: Database): Promise<ChaosPeople> {
  const workspace = await prisma.workspace.create({ data: { name: "Chaos" } });
  const keyOf = async (role: "engineer" | "approver"): Promise<string> => {
    const id = `chaos-${role}-${randomUUID()}`;
    await prisma.person.create({ data: { id, name: role, email: `${id}@example.org` } });
    await prisma.membership.create({ data: { workspaceId: workspace.id, personId: id, roles: [role] } });
    const { secret, prefix, hash } = newApiKey();
    await prisma.apiKey.create({
      data: { workspaceId: workspace.id, personId: id, name: "chaos", prefix, hash, scopes: [...KEY_SCOPES] },
    });
    return secret;
  };
  return { workspaceId: workspace.id, engineer: await keyOf("engineer"), approver: await keyOf("approver") };
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came back
  readonly data?: any;
  readonly appCode?: string;
}

/**
 * Asks as a person's browser would: sends a request again until it is answered, always with the same id, to whatever
 * web process there is then. A fault of the server is no answer.
 */
export async function ask(
  web: () => Member | undefined,
  request: { readonly path: string; readonly input: object; readonly key: string; readonly read?: boolean },
  timeoutMs = 30_000,
): Promise<Answer> {
  const { path, input, key, read } = request;
  const body = JSON.stringify(input);
  const deadline = performance.now() + timeoutMs;
  let last: unknown = "nobody was there";
  for (;;) {
    const member = web();
    if (member?.alive && member.port > 0) {
      try {
        const search = read ? `?input=${encodeURIComponent(body)}` : "";
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
        const response = await fetch(`http://127.0.0.1:${member.port}/api/trpc/${path}${search}`, {
          headers,
          signal: AbortSignal.timeout(20_000),
          ...(read ? {} : { method: "POST", body }),
        });
        const text = await response.text();
        last = text.slice(0, 500);
        const { result, error } = JSON.parse(text) as {
          result?: { data: unknown };
          error?: { data: { appCode: string } };
        };
        if (response.status < 500) {
          return { status: response.status, data: result?.data, ...(error && { appCode: error.data.appCode }) };
        }
      } catch (problem) {
        // It was killed, cut off or slow: nobody knows whether it was done.
        last = problem;
      }
    }
    if (performance.now() > deadline)
      throw new Error(`Nobody answered ${path} within ${timeoutMs} ms: ${String(last)}`);
    await delay(20);
  }
}

export const newRequestId = (): string => randomUUID();
