import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

/** A way to the database that can be cut, from an address of its own. */
export interface CutProxy {
  /** The database's address through the proxy. */
  readonly url: string;
  /** Cuts every connection there is; new ones are taken. */
  cut(): void;
  /** Cuts every connection, and refuses new ones until `mend`. */
  sever(): void;
  mend(): void;
  close(): Promise<void>;
}

/**
 * Listens on `host` (any address of the loopback net, such as 127.0.0.2) and forwards to the database from that very
 * address, so that the database sees who is connected from where.
 */
export async function openCutProxy(databaseUrl: string, host = "127.0.0.1"): Promise<CutProxy> {
  const target = new URL(databaseUrl);
  const pairs = new Set<Socket>();
  let severed = false;
  const server = createServer((inner) => {
    if (severed) {
      inner.destroy();
      return;
    }
    const outer = connect({ host: target.hostname, port: Number(target.port), localAddress: host });
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      pairs.add(from);
      from.pipe(to);
      from.on("error", () => {});
      from.on("close", () => {
        pairs.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const url = new URL(databaseUrl);
  url.hostname = host;
  url.port = String((server.address() as AddressInfo).port);
  const cut = (): void => {
    for (const socket of pairs) socket.destroy();
  };
  return {
    url: url.href,
    cut,
    sever() {
      severed = true;
      cut();
    },
    mend() {
      severed = false;
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
