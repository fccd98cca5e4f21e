import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A call that a worker began, on the clock that all processes of this machine share. */
export interface BegunCall {
  readonly runId: string;
  readonly taskId: string;
  readonly attempt: number;
  readonly pid: number;
  /** Monotonic nanoseconds. */
  readonly at: bigint;
}

/**
 * What really happened, kept outside the product and written by the calls themselves: the judge of effects that were
 * lost or doubled, and of calls that began when none should have.
 */
export interface Ledger {
  readonly url: string;
  /** Keys under which each `run:task` took effect, with how often each was sent. */
  effectsOf(runId: string, taskId: string): ReadonlyMap<string, number>;
  readonly begun: readonly BegunCall[];
  close(): Promise<void>;
}

export async function openLedger(): Promise<Ledger> {
  const effects = new Map<string, Map<string, number>>();
  const begun: BegunCall[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { runId, taskId, attempt, key, at, pid } = JSON.parse(body);
    if (request.url === "/begun") {
      begun.push({ runId, taskId, attempt, pid, at: BigInt(at) });
      response.end("{}");
      return;
    }
    const keys = effects.get(`${runId}:${taskId}`) ?? new Map<string, number>();
    effects.set(`${runId}:${taskId}`, keys);
    keys.set(key, (keys.get(key) ?? 0) + 1);
    response.end(JSON.stringify({ count: keys.size, repeated: (keys.get(key) ?? 0) > 1 }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    effectsOf: (runId, taskId) => effects.get(`${runId}:${taskId}`) ?? new Map(),
    begun,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
