import { httpGet, httpRequest } from "#kernel/capability/built-in/http";
import { snapshotCapability } from "#kernel/capability/capability";
import { isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import type { AddressPolicy } from "../network/address-policy";
import { type Exchange, ExchangeFailed, exchange } from "../network/http-exchange";
import type { CallContext } from "../runtime/ports";
import type { CallResult, Implementation } from "./definition";
import { exchangeFailure } from "./http-failure";
import { classifyStatus } from "./http-status";

const GET = snapshotCapability(httpGet);
const REQUEST = snapshotCapability(httpRequest);

/** `http.get` and `http.request`, within the operator's address policy. */
export const httpImplementations = (policy: AddressPolicy): readonly Implementation[] => [
  {
    capability: GET,
    call: (callArguments, context) => callHttp({ ...callArguments, method: "GET" }, context, policy),
  },
  {
    capability: REQUEST,
    call: (callArguments, context) => callHttp(callArguments, context, policy),
  },
];

const isSafe = (method: string): boolean => method === "GET" || method === "HEAD";

/** Headers that belong to the connection, or would let a plan speak for somebody else's host. */
const OURS = /^(host|content-length|transfer-encoding|connection|upgrade|expect|te|trailer|proxy-.*)$/i;

async function callHttp(callArguments: JsonObject, context: CallContext, policy: AddressPolicy): Promise<CallResult> {
  const method = String(callArguments.method);
  const safe = isSafe(method);
  const { headers, body } = outgoingParts(callArguments, safe ? undefined : context.idempotencyKey);
  try {
    const url = String(callArguments.url);
    const answer = await exchange(
      { method, url, headers, ...(body !== undefined && { body }) },
      {
        policy,
        signal: context.signal,
        // Whoever may call one host may not for that reason call the one it sends us to.
        mayFollow: async (next) => context.mayCallWith?.({ ...callArguments, url: next }),
      },
    );
    const output = { status: answer.status, headers: answer.headers, body: bodyOf(answer) };
    return classifyStatus(answer, { safe, output, now: Date.now() });
  } catch (problem) {
    if (problem instanceof ExchangeFailed) return exchangeFailure(problem, safe ? GET : REQUEST, context.signal);
    throw problem;
  }
}

function outgoingParts({ headers, body }: JsonObject, idempotencyKey: string | undefined) {
  const given = isJsonObject(headers ?? null) ? Object.entries(headers as Record<string, string>) : [];
  const outgoing: Record<string, string> = Object.fromEntries(given.filter(([name]) => !OURS.test(name)));
  const has = (name: string): boolean => Object.keys(outgoing).some((each) => each.toLowerCase() === name);
  if (!has("accept")) outgoing.accept = "application/json, text/*;q=0.9, */*;q=0.5";
  if (!has("user-agent")) outgoing["user-agent"] = "planwright";
  outgoing["accept-encoding"] = "identity";
  if (idempotencyKey !== undefined && !has("idempotency-key")) outgoing["idempotency-key"] = idempotencyKey;
  if (body === undefined || body === null) return { headers: outgoing, body: undefined };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  if (!has("content-type"))
    outgoing["content-type"] = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
  outgoing["content-length"] = String(Buffer.byteLength(text));
  return { headers: outgoing, body: text };
}

const bodyOf = (answer: Exchange): JsonValue => {
  const text = answer.body.toString("utf8");
  if (!/[/+]json\b/.test(answer.headers["content-type"] ?? "")) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
};
