import { type LookupAddress, type LookupAllOptions, lookup as resolveName } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { BAD_PORTS } from "./bad-ports";

/** Which hosts a URL may name. */
export interface AddressPolicy {
  /** Host patterns (`api.example.com`, `*.example.com`); empty: every public host. */
  readonly allowedHosts: readonly string[];
  /**
   * Hosts or CIDR ranges that may be reached although they are not public (`127.0.0.1`, `10.2.0.0/16`). With a port
   * (`127.0.0.1:8080`, `[::1]:8080`) only that one.
   */
  readonly allowedPrivate: readonly string[];
}

/** Why an address is refused; thrown inside a look-up, where only an error stops the connection. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

const matches = (pattern: string, host: string): boolean =>
  pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1 : pattern === host;

/** A host as the lists name it: without brackets and final dots, lower case. */
const plainHost = (host: string): string =>
  host
    .replace(/^\[|\]$/g, "")
    .replace(/\.+$/, "")
    .toLowerCase();

/** The URL's host, as the lists name it. The URL parser already normalised odd numerals. */
export const hostOf = (url: URL): string => plainHost(url.hostname);

const portOf = (url: URL): number => (url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port));

/** The reason a URL may not be called at all, or undefined. The resolved address is judged when it is known. */
export function refusalOfUrl(url: URL, policy: AddressPolicy): string | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:") return `${url.protocol} is not http or https.`;
  if (url.username !== "" || url.password !== "") return "A URL with a user name or password in it is refused.";
  const host = hostOf(url);
  const port = portOf(url);
  if (!isListed(host, port, policy)) return `${host} is not on the list of allowed hosts.`;
  if (BAD_PORTS.has(port) && !isNamed(host, port, policy)) return `Port ${port} belongs to another kind of service.`;
  return ipaddr.isValid(host) ? refusalOfAddress(host, { host, port }, policy) : undefined;
}

/** Whether the lists let this host be asked for at all; `host` as {@link plainHost} writes it. */
const isListed = (host: string, port: number, policy: AddressPolicy): boolean =>
  policy.allowedHosts.length === 0 ||
  policy.allowedHosts.some((pattern) => matches(pattern, host)) ||
  isNamed(host, port, policy);

const isNamed = (host: string, port: number, { allowedPrivate }: AddressPolicy): boolean =>
  allowedPrivate.some((entry) => namesHost(entry, host, port));

/** The reason an address may not be connected to, or undefined. Only ordinary public unicast is open to all. */
export function refusalOfAddress(
  address: string,
  { host, port }: { readonly host: string; readonly port: number },
  policy: AddressPolicy,
): string | undefined {
  const parsed = ipaddr.process(address);
  if (isPublic(parsed)) return undefined;
  const allowed = policy.allowedPrivate.some(
    (entry) => namesHost(entry, host, port) || namesHost(entry, address, port) || inRange(parsed, entry),
  );
  const kind = parsed.range() === "unicast" ? "non-public" : parsed.range();
  return allowed ? undefined : `${host} is at ${address}, a ${kind} address.`;
}

/**
 * Of IPv6 only 2000::/3 is given out to the world: what lies outside can hold an IPv4 address in ways that no list of
 * ranges names (`::127.0.0.1`, a NAT64 prefix of a network's own).
 */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv4 || ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
}

/** An entry that names this host, and this port where it names one. */
function namesHost(entry: string, host: string, port: number): boolean {
  if (entry === host) return true;
  const withPort = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  return entry === withPort;
}

function inRange(address: ipaddr.IPv4 | ipaddr.IPv6, entry: string): boolean {
  if (!ipaddr.isValidCIDR(entry)) return false;
  const [base, bits] = ipaddr.parseCIDR(entry);
  return base.kind() === address.kind() && address.match(base, bits);
}

/** How a name becomes addresses; replaced in tests by one that changes its answers. */
export type Resolver = (
  host: string,
  options: LookupAllOptions,
  callback: (failure: Error | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * The address that `host` may be connected to, for protocols that take no look-up of ours.
 *
 * @throws AddressRefused where the policy says no; the look-up's own failure where there is no such host.
 */
export function allowedAddress(host: string, port: number, policy: AddressPolicy): Promise<string> {
  const name = plainHost(host);
  if (!isListed(name, port, policy)) {
    return Promise.reject(new AddressRefused(`${name} is not on the list of allowed hosts.`));
  }
  return new Promise((resolve, reject) => {
    guardedLookup(policy, port)(name, { all: false }, (failure, address) => {
      if (failure === null && typeof address === "string") resolve(address);
      else reject(failure ?? new Error(`${name} has no address.`));
    });
  });
}

/**
 * A look-up that judges the very addresses the socket will use, at each connection, so that a name which answers
 * differently the second time gains nothing. One refused address refuses the name: a mixed answer is a trick.
 */
export const guardedLookup =
  (policy: AddressPolicy, port: number, resolve: Resolver = resolveName): LookupFunction =>
  (host, options, callback) => {
    resolve(host, { ...options, all: true }, (failure, addresses) => {
      if (failure) {
        callback(failure, "", 0);
        return;
      }
      const name = plainHost(host);
      for (const { address } of addresses) {
        const refusal = refusalOfAddress(address, { host: name, port }, policy);
        if (refusal !== undefined) {
          callback(new AddressRefused(refusal), "", 0);
          return;
        }
      }
      const first = addresses[0];
      if (options.all) callback(null, addresses);
      else if (first) callback(null, first.address, first.family);
      else callback(new Error(`${host} has no address.`), "", 0);
    });
  };
