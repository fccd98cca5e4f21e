import { createServer } from "node:net";

/** True when a server could listen on `port` of `host` just now. */
export function isPortFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** A port that nobody listens on, chosen by the system. */
export function anyFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** The first free port from `wanted` on, looking at `attempts` of them; undefined when all are taken. */
export async function firstFreePort(wanted: number, host: string, attempts = 50): Promise<number | undefined> {
  for (let port = wanted; port < wanted + attempts && port < 65_536; port += 1) {
    if (await isPortFree(port, host)) return port;
  }
  return undefined;
}
