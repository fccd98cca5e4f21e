import { randomBytes } from "node:crypto";

/** Headers of every answer. What a page may load and who may frame it is said once, here. */
export interface SecurityHeaders {
  /** For the request: Next.js reads the nonce from it and puts it on its own scripts. */
  readonly contentSecurityPolicy: string;
  readonly response: Readonly<Record<string, string>>;
}

/**
 * Headers for one request, with a nonce of its own: an inline script without it does not run, so markup that found
 * its way into a page cannot act.
 *
 * @param mode.development hot reload needs `eval` and a web socket.
 * @param mode.secure the page is reached by https, and shall stay so.
 */
export function securityHeaders(mode: { readonly development: boolean; readonly secure: boolean }): SecurityHeaders {
  const nonce = randomBytes(16).toString("base64");
  const contentSecurityPolicy = [
    "default-src 'self'",
    // WebAssembly: the layout of large graphs.
    `script-src 'self' 'nonce-${nonce}' 'wasm-unsafe-eval'${mode.development ? " 'unsafe-eval'" : ""}`,
    // Inline styles cannot act, and dialogs and lists write theirs as they open.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${mode.development ? " ws:" : ""}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  return {
    contentSecurityPolicy,
    response: {
      "content-security-policy": contentSecurityPolicy,
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
      ...(mode.secure && { "strict-transport-security": "max-age=31536000" }),
    },
  };
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * True when a request may be addressed to `host`. A server that listens on this machine alone answers to this
 * machine's own names and to its configured address: a foreign name that was made to point here is refused.
 */
export function isExpectedHost(host: string | undefined, boundTo: string, url: string): boolean {
  if (!LOOPBACK.has(boundTo === "::1" ? "[::1]" : boundTo)) return true;
  if (!host || !URL.canParse(`http://${host}`)) return false;
  return LOOPBACK.has(new URL(`http://${host}`).hostname) || host === new URL(url).host;
}
