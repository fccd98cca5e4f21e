import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { OUTPUT_BYTES_MAX } from "../runtime/ports";
import { type AddressPolicy, AddressRefused, guardedLookup, refusalOfUrl } from "./address-policy";

/** As much as a run keeps of any output, so that what is larger is told as too large and never fetched twice. */
export const RESPONSE_BYTES_MAX = OUTPUT_BYTES_MAX;
const REDIRECTS_MAX = 5;

export interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** How far a failed exchange got: only before anything was sent is it certain that nothing happened. */
export class ExchangeFailed extends Error {
  override readonly name = "ExchangeFailed";
  constructor(
    message: string,
    readonly kind: "refused" | "not_sent" | "untrusted" | "sent" | "too_large" | "redirects",
  ) {
    super(message);
  }
}

interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A redirect that would turn it into a GET is not followed: what was to be sent would be lost unseen. */
  readonly keepMethod?: boolean;
}

/**
 * One HTTP exchange with redirects followed by us, since each hop's URL and address must pass the policy again.
 * A 303, and a 301 or 302 of a POST, continues as GET without the body, as browsers do; credentials do not cross hosts.
 */
export async function exchange(outgoing: Outgoing, policy: AddressPolicy, signal: AbortSignal): Promise<Exchange> {
  let current = outgoing;
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const url = parseUrl(current.url);
    const refusal = refusalOfUrl(url, policy);
    if (refusal !== undefined) throw new ExchangeFailed(refusal, "refused");
    const answer = await send({ ...current, url: url.href }, policy, signal);
    const location = answer.headers.location;
    if (answer.status < 300 || answer.status > 399 || answer.status === 304 || location === undefined) return answer;
    const next = followed(current, url, parseUrl(location, url), answer.status);
    if (current.keepMethod === true && next.method !== current.method) return answer;
    current = next;
  }
  throw new ExchangeFailed(`More than ${REDIRECTS_MAX} redirects.`, "redirects");
}

function parseUrl(text: string, base?: URL): URL {
  try {
    return new URL(text, base);
  } catch {
    throw new ExchangeFailed(`${text.slice(0, 200)} is not a URL.`, "refused");
  }
}

function followed(outgoing: Outgoing, from: URL, to: URL, status: number): Outgoing {
  const becomesGet = status === 303 || ((status === 301 || status === 302) && outgoing.method === "POST");
  const headers =
    from.origin === to.origin
      ? outgoing.headers
      : Object.fromEntries(
          Object.entries(outgoing.headers).filter(([name]) => !/^(authorization|cookie|x-api-key)$/i.test(name)),
        );
  if (becomesGet) return { method: outgoing.method === "HEAD" ? "HEAD" : "GET", url: to.href, headers };
  return { ...outgoing, url: to.href, headers };
}

/** A certificate that does not fit, or a server that does not speak TLS: another attempt meets the same. */
const UNTRUSTED =
  /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_CA$)/;

function send(outgoing: Outgoing, policy: AddressPolicy, signal: AbortSignal): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const make = outgoing.url.startsWith("https:") ? httpsRequest : httpRequest;
    const request = make(outgoing.url, {
      method: outgoing.method,
      headers: outgoing.headers,
      lookup: guardedLookup(policy),
      agent: false,
      signal,
    });
    // Nothing is sent before the connection stands, so nothing can have happened by then.
    let connected = false;
    request.on("socket", (socket) => {
      socket.once(outgoing.url.startsWith("https:") ? "secureConnect" : "connect", () => {
        connected = true;
      });
    });
    request.on("error", (problem: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(connected ? signal.reason : new ExchangeFailed(problem.message, "not_sent"));
      else if (problem instanceof AddressRefused) reject(new ExchangeFailed(problem.message, "refused"));
      else if (connected) reject(new ExchangeFailed(problem.message, "sent"));
      else reject(new ExchangeFailed(problem.message, UNTRUSTED.test(problem.code ?? "") ? "untrusted" : "not_sent"));
    });
    request.on("response", (response) => {
      readText(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: plainHeaders(response), text }),
        (problem: unknown) => {
          request.destroy();
          reject(signal.aborted ? signal.reason : problem);
        },
      );
    });
    request.end(outgoing.body);
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > RESPONSE_BYTES_MAX)
        throw new ExchangeFailed(`The answer has more than ${RESPONSE_BYTES_MAX} bytes.`, "too_large");
      chunks.push(chunk);
    }
  } catch (problem) {
    if (problem instanceof ExchangeFailed) throw problem;
    throw new ExchangeFailed(`The answer broke off: ${problem instanceof Error ? problem.message : ""}`, "sent");
  }
  return Buffer.concat(chunks).toString("utf8");
}

const plainHeaders = (response: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
