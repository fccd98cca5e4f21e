/**
 * Whether a request that a browser may have sent on somebody's behalf comes from our own pages.
 *
 * A foreign page can make a browser send our cookie, but cannot choose the `Origin` header. A request without one
 * is refused too: browsers send it with every POST, and scripts use a key.
 *
 * @param host the host and port the request was sent to.
 * @param trusted further origins, where a proxy serves us under another name.
 */
export function isTrustedOrigin(headers: Headers, host: string, trusted: readonly string[] = []): boolean {
  const origin = headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  if (headers.get("sec-fetch-site") === "cross-site") return false;
  return new URL(origin).host === host || trusted.includes(origin);
}
