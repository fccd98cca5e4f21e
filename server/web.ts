import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import next from "next";
import { CLIENT_ADDRESS_HEADER, clientAddress, DIRECT_HEADER } from "./auth/client-address";
import { env } from "./env";
import { log } from "./log";
import { isExpectedHost, securityHeaders } from "./web-headers";

/** How long a request may still take once the process was asked to end. */
const GRACE_MS = 1_500;

/** The web process: Next.js behind a server of ours, which sets the headers and knows how to stop. */
async function main(): Promise<void> {
  const { NODE_ENV, HOST, PORT, PLANWRIGHT_URL, TRUSTED_PROXIES } = env();
  const development = NODE_ENV === "development";
  const server = createServer({ requestTimeout: 120_000, headersTimeout: 20_000 });
  const app = next({ dev: development, dir: process.cwd(), hostname: HOST, port: PORT, httpServer: server });
  await app.prepare();
  const handle = app.getRequestHandler();
  const secure = PLANWRIGHT_URL.startsWith("https:");

  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!isExpectedHost(request.headers.host, HOST, PLANWRIGHT_URL)) {
      response.writeHead(421, { "content-type": "text/plain" }).end("This server does not answer to that name.\n");
      return;
    }
    const { contentSecurityPolicy, response: headers } = securityHeaders({ development, secure });
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    // Over whatever the client sent under these names.
    request.headers["content-security-policy"] = contentSecurityPolicy;
    const forwardedFor = request.headers["x-forwarded-for"];
    if (forwardedFor === undefined && request.headers.forwarded === undefined) request.headers[DIRECT_HEADER] = "yes";
    else delete request.headers[DIRECT_HEADER];
    request.headers[CLIENT_ADDRESS_HEADER] = clientAddress(
      request.socket.remoteAddress,
      Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor,
      TRUSTED_PROXIES,
    );
    handle(request, response).catch((error: unknown) => {
      log().error({ error, url: request.url }, "a request failed");
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(PORT, HOST, resolve);
  });
  log().debug({ host: HOST, port: PORT }, "web process listens");
  stopOnSignal(server, () => app.close());
}

function stopOnSignal(server: ReturnType<typeof createServer>, closeApp: () => Promise<void>): void {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    // Streams end by the services' own signal; whoever does not notice is cut off.
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, GRACE_MS);
    server.close(async () => {
      clearTimeout(cut);
      await Promise.race([closeApp(), new Promise((resolve) => setTimeout(resolve, 500))]).catch(() => {});
      process.exit(0);
    });
    server.closeIdleConnections();
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
