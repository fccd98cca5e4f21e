/**
 * The header in which the web server tells the address of whoever is connected. The server sets it on every request,
 * over whatever the client sent under this name.
 */
export const CLIENT_ADDRESS_HEADER = "x-planwright-client-address";

/**
 * Set by the web server on a request that no proxy handed on, and on no other. Next.js adds an `X-Forwarded-For` of its
 * own to each, so what a handler sees under that name tells nothing.
 */
export const DIRECT_HEADER = "x-planwright-direct";

/**
 * The address a request came from. `X-Forwarded-For` is believed only from a proxy we were told about: of the
 * addresses it lists, the last that is not such a proxy.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: readonly string[],
): string {
  const isTrusted = (address: string) => trustedProxies.includes(address);
  const connected = withoutMapping(socketAddress ?? "");
  if (!isTrusted(connected)) return connected;
  const hops = (forwardedFor ?? "").split(",").map((hop) => withoutMapping(hop.trim()));
  return hops.findLast((hop) => hop !== "" && !isTrusted(hop)) ?? connected;
}

/** A socket that listens on both families shows `127.0.0.1` as `::ffff:127.0.0.1`. */
const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, "");
