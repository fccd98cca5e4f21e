import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../../server/db";
import { ChannelListener } from "../../../server/store/channel-listener";
import { openTestDatabase } from "../../support/test-database";
import { until } from "../../support/until";

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Forwards to the database, and breaks the first connection that asks to listen, before the database hears of it. */
async function openBreakingProxy(): Promise<{ readonly url: string; readonly broken: () => number; close(): void }> {
  const target = new URL(database.url);
  const sockets = new Set<Socket>();
  let broken = 0;
  const server = createServer((inner) => {
    const outer = connect({ host: target.hostname, port: Number(target.port) });
    for (const socket of [inner, outer]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    outer.pipe(inner);
    inner.on("close", () => outer.destroy());
    inner.on("data", (bytes) => {
      if (broken > 0 || !bytes.includes("LISTEN")) return void outer.write(bytes);
      broken += 1;
      inner.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(database.url);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    broken: () => broken,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

it("connects again where the connection breaks while it begins to listen, and the process lives on", async () => {
  const proxy = await openBreakingProxy();
  const errors: unknown[] = [];
  const heard: string[] = [];
  const listener = new ChannelListener({
    connectionString: proxy.url,
    channel: "breaking_news",
    onPayload: (payload) => heard.push(payload),
    onListening: () => {},
    onError: (error) => errors.push(error),
  });
  // An event that nobody hears would end the process here: the runner reports it as a failure of this file.
  await listener.start();
  expect(proxy.broken()).toBe(1);
  expect(errors).toHaveLength(1);
  await database.pool.query("SELECT pg_notify('breaking_news', 'still here')");
  await until("the news arrives", () => heard.includes("still here"));
  await listener.close();
  proxy.close();
});
