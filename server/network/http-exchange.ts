import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { OUTPUT_BYTES_MAX } from "../runtime/ports";
import { type AddressPolicy, AddressRefused, guardedLookup, type Resolver, refusalOfUrl } from "./address-policy";

/** As much as a run keeps of any output, so that what is larger is told as too large and never fetched twice. */
export const RESPONSE_BYTES_MAX = OUTPUT_BYTES_MAX;
const REDIRECTS_MAX = 5;

export interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

/** How far a failed exchange got: only before anything was sent is it certain that nothing happened. */
export class ExchangeFailed extends Error {
  override readonly name = "ExchangeFailed";
  constructor(
    message: string,
    readonly kind: "refused" | "not_allowed" | "not_sent" | "untrusted" | "sent" | "too_large" | "redirects",
  ) {
    super(message);
  }
}

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A redirect that would turn it into a GET is not followed: what was to be sent would be lost unseen. */
  readonly keepMethod?: boolean;
}

export interface ExchangeOptions {
  readonly policy: AddressPolicy;
  readonly signal: AbortSignal;
  /** Default true. False: an answer that sends us to another origin ends the exchange, since the request bears secrets. */
  readonly leavesOrigin?: boolean;
  /** Why the request may not be sent on to this address, or undefined. Asked at each redirect. Default: it may. */
  readonly mayFollow?: (url: string) => Promise<string | undefined>;
  /** Default {@link RESPONSE_BYTES_MAX}. */
  readonly bytesMax?: number;
  readonly resolve?: Resolver;
}

/**
 * One HTTP exchange with redirects followed by us, since each hop's URL and address must pass the policy again.
 * A 303, and a 301 or 302 of a POST, continues as GET without the body, as browsers do; credentials do not cross hosts.
 */
export async function exchange(outgoing: Outgoing, options: ExchangeOptions): Promise<Exchange> {
  let current = outgoing;
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const url = parseUrl(current.url);
    const refusal = refusalOfUrl(url, options.policy);
    if (refusal !== undefined) throw new ExchangeFailed(refusal, "refused");
    const answer = await send({ ...current, url: url.href }, url, options);
    const location = answer.headers.location;
    if (answer.status < 300 || answer.status > 399 || answer.status === 304 || location === undefined) return answer;
    const target = parseUrl(location, url);
    if (options.leavesOrigin === false && target.origin !== url.origin)
      throw new ExchangeFailed(
        "The service sends the call on to another host, which must not see its secrets.",
        "redirects",
      );
    const next = followed(current, url, target, answer.status);
    if (current.keepMethod === true && next.method !== current.method) return answer;
    const objection = await options.mayFollow?.(next.url);
    if (objection !== undefined) throw new ExchangeFailed(objection, "not_allowed");
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
  if (becomesGet) {
    const bodiless = Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-/i.test(name)));
    return { method: outgoing.method === "HEAD" ? "HEAD" : "GET", url: to.href, headers: bodiless };
  }
  return { ...outgoing, url: to.href, headers };
}

/** A certificate that does not fit, or a server that does not speak TLS: another attempt meets the same. */
const UNTRUSTED =
  /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_CA$)/;

function send(outgoing: Outgoing, url: URL, options: ExchangeOptions): Promise<Exchange> {
  const { policy, signal, resolve: resolver } = options;
  return new Promise((resolve, reject) => {
    const secure = url.protocol === "https:";
    const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
    const request = (secure ? httpsRequest : httpRequest)(url, {
      method: outgoing.method,
      headers: outgoing.headers,
      lookup: guardedLookup(policy, port, resolver),
      agent: false,
      signal,
    });
    const connected = whenConnected(request, secure);
    request.on("error", (problem: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(connected() ? signal.reason : new ExchangeFailed(problem.message, "not_sent"));
      else if (problem instanceof AddressRefused) reject(new ExchangeFailed(problem.message, "refused"));
      else if (connected()) reject(new ExchangeFailed(problem.message, "sent"));
      else reject(new ExchangeFailed(problem.message, UNTRUSTED.test(problem.code ?? "") ? "untrusted" : "not_sent"));
    });
    request.on("response", (response) => {
      readBody(response, options.bytesMax ?? RESPONSE_BYTES_MAX).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: plainHeaders(response), body, url: url.href }),
        (problem: unknown) => {
          request.destroy();
          reject(signal.aborted ? signal.reason : problem);
        },
      );
    });
    request.end(outgoing.body);
  });
}

/** Before the connection stands, encrypted where it is to be, not a byte of the request has left. */
function whenConnected(request: ClientRequest, secure: boolean): () => boolean {
  let connected = false;
  request.on("socket", (socket) => {
    socket.once(secure ? "secureConnect" : "connect", () => {
      connected = true;
    });
  });
  return () => connected;
}

async function readBody(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      chunks.push(chunk);
    }
  } catch (problem) {
    if (problem instanceof ExchangeFailed) throw problem;
    throw new ExchangeFailed(`The answer broke off: ${problem instanceof Error ? problem.message : ""}`, "sent");
  }
  return decoded(Buffer.concat(chunks), response.headers["content-encoding"], bytesMax);
}

const tooLarge = (bytesMax: number): ExchangeFailed =>
  new ExchangeFailed(`The answer has more than ${bytesMax} bytes.`, "too_large");

const DECODERS = new Map([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

/** We ask for the plain form; some services pack all the same. Unpacking stops at the limit. */
async function decoded(body: Buffer, encoding: string | undefined, bytesMax: number): Promise<Buffer> {
  const decode = DECODERS.get(encoding?.trim().toLowerCase() ?? "");
  if (decode === undefined || body.length === 0) return body;
  try {
    return await decode(body, { maxOutputLength: bytesMax });
  } catch (problem) {
    const code = problem instanceof Error && "code" in problem ? problem.code : undefined;
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(bytesMax);
    throw new ExchangeFailed(`The answer is not the ${encoding} it claims to be.`, "sent");
  }
}

const plainHeaders = (response: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
