import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { createAuth } from "../../../server/auth/auth";
import { capabilityExecutor } from "../../../server/capabilities/executor";
import { openDatabase } from "../../../server/db";
import { openPool } from "../../../server/pool";
import { buildServices } from "../../../server/services";
import { handleApiRequest } from "../../../server/trpc/handler";
import { startWorker } from "../../../server/worker-services";
import type { ProcessOrder, ProcessQuestion, ProcessReport } from "./crew";
import { FaultPoints } from "./fault";
import { ledgerCapabilities } from "./ledger-capabilities";
import { revise } from "./reference-run";
import { setClockAhead } from "./wall-clock";

/**
 * A process of the product that is there to be killed, cut off, stopped and continued. It loads everything, waits for
 * its order, and ends with its parent.
 */
const tell = (report: ProcessReport, sent: () => void = () => {}): void => {
  process.send?.(report, sent);
};
const quiet = (): void => {};
const say = (fields: unknown, message: string): void => console.error(message, fields);

process.once("disconnect", () => process.exit(0));
process.once("message", (order) => void obey(order as ProcessOrder));
tell({ type: "loaded" });

async function obey(order: ProcessOrder): Promise<void> {
  if (order.clockSkewMs !== undefined) setClockAhead(order.clockSkewMs);
  const points = new FaultPoints(() => {
    tell({ type: "fault" }, () => process.kill(process.pid, "SIGKILL"));
  });
  points.arm(order.fault);
  process.on("message", (question: ProcessQuestion) => {
    const { met } = points;
    const seen = [...points.seen];
    if (question.type === "arm") points.arm(question.fault);
    tell({ type: "seen", seen, met });
  });
  if (order.role === "worker") await beWorker(order, points);
  else await beWeb(order, points);
}

async function beWorker(order: ProcessOrder, points: FaultPoints): Promise<void> {
  await startWorker({
    database: { pool: openPool(order.url, { connectionsMax: 8, Client: points.Client }), url: order.url },
    executor: capabilityExecutor(ledgerCapabilities(order.ledgerUrl, order.reportsBegin === true)),
    log: { debug: quiet, info: quiet, warn: process.env.CHAOS_VERBOSE ? say : quiet, error: quiet },
    ...(order.leaseMs === undefined ? {} : { leaseMs: order.leaseMs }),
    ...(order.sweepMs === undefined ? {} : { sweepIntervalMs: order.sweepMs }),
  });
  tell({ type: "ready" });
}

/** The interface behind a plain HTTP server: what Next.js hands to the same function in the product. */
async function beWeb(order: ProcessOrder, points: FaultPoints): Promise<void> {
  const database = openDatabase(order.url, { connectionsMax: 8, Client: points.Client });
  const closing = new AbortController();
  const url = "http://planwright.test";
  const services = buildServices({
    database,
    auth: createAuth(database, { secret: "a secret of at least 32 characters", url }),
    trustedOrigins: [],
    reportFault: process.env.CHAOS_VERBOSE ? (fault) => console.error(fault) : quiet,
    closing: closing.signal,
  });
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
    const body = incoming.method === "POST" ? { body: Buffer.concat(chunks) } : {};
    const init = { method: incoming.method ?? "GET", headers, signal: gone.signal, ...body };
    const request = new Request(`${url}${incoming.url}`, init);
    const response = await (incoming.url === "/api/trpc/chaos.revise"
      ? revise(services, request)
      : handleApiRequest(request, services)
    ).catch(() => new Response("{}", { status: 500 }));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null) outgoing.end();
    // It ends early when the reader goes, or with the process.
    else await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing).catch(() => {});
  });
  await new Promise<void>((resolve) => server.listen(0, order.host ?? "127.0.0.1", resolve));
  tell({ type: "ready", port: (server.address() as AddressInfo).port });
}
