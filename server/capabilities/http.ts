import { httpGet, httpRequest } from "#kernel/capability/built-in/http";
import { snapshotCapability } from "#kernel/capability/capability";
import { isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import type { AddressPolicy } from "../network/address-policy";
import { type Exchange, ExchangeFailed, exchange } from "../network/http-exchange";
import type { CallContext } from "../runtime/ports";
import { type CallResult, type Implementation, retryable, terminal } from "./definition";
import { classifyStatus } from "./http-status";
import { interrupted } from "./interruption";

/** `http.get` and `http.request`, within the operator's address policy. */
export const httpImplementations = (policy: AddressPolicy): readonly Implementation[] => [
  {
    capability: snapshotCapability(httpGet),
    call: (callArguments, context) => callHttp({ ...callArguments, method: "GET" }, context, policy),
  },
  {
    capability: snapshotCapability(httpRequest),
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
      policy,
      context.signal,
    );
    const output = { status: answer.status, headers: answer.headers, body: bodyOf(answer) };
    return classifyStatus(answer, { safe, output, now: Date.now() });
  } catch (problem) {
    if (problem instanceof ExchangeFailed) return classifyFailure(problem, safe, context.signal);
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
  if (!/[/+]json\b/.test(answer.headers["content-type"] ?? "")) return answer.text;
  try {
    return JSON.parse(answer.text) as JsonValue;
  } catch {
    return answer.text;
  }
};

function classifyFailure({ kind, message }: ExchangeFailed, safe: boolean, signal: AbortSignal): CallResult {
  if (kind === "not_sent" && signal.aborted) return interruptedBeforeSending(safe, signal);
  switch (kind) {
    case "refused":
      return terminal({ errorCategory: "policy_denied", message });
    case "untrusted":
      return terminal({ errorCategory: "unavailable", message, sideEffect: safe ? "none" : "not_committed" });
    case "not_sent":
      return retryable({ errorCategory: "unavailable", message, sideEffect: safe ? "none" : "not_committed" });
    case "sent":
      return retryable({ errorCategory: "unavailable", message, sideEffect: safe ? "none" : "unknown" });
    case "too_large":
      return terminal({ errorCategory: "output_too_large", message, sideEffect: safe ? "none" : "committed" });
    case "redirects":
      return terminal({ errorCategory: "unavailable", message, sideEffect: safe ? "none" : "unknown" });
  }
}

const interruptedBeforeSending = (safe: boolean, signal: AbortSignal): CallResult =>
  interrupted(snapshotCapability(safe ? httpGet : httpRequest), signal, "not_committed");
