import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** What a service received. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface EchoService {
  readonly origin: string;
  readonly received: Received[];
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Every spelling in which a service might give back what it was told. */
export const spellings = (text: string): readonly string[] => [
  text,
  encodeURIComponent(text),
  Buffer.from(text).toString("base64"),
  Buffer.from(text).toString("base64url"),
  JSON.stringify(text).slice(1, -1),
];

/**
 * An HTTP service that gives back all it is told, where its path says: in the body as JSON or text, in headers, in the
 * text of an error, in the address of a redirect, and in what it sends before it breaks off.
 */
export async function startEchoService(document: (origin: string) => object = () => ({})): Promise<EchoService> {
  const received: Received[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "/", headers } = request;
      const seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
      received.push(seen);
      const told = [url, decodeURIComponent(url), seen.body, ...Object.values(headers).map(String)];
      const echoed = told.flatMap(spellings);
      const path = url.split("?", 1)[0] ?? "";
      const json = (status: number, value: unknown): void => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
      };
      if (path === "/openapi.json") json(200, document(originOf()));
      else if (path.startsWith("/text")) response.setHeader("content-type", "text/html").end(echoed.join("\n"));
      else if (path.startsWith("/binary")) response.setHeader("content-type", "image/png").end(echoed.join("|"));
      else if (path.startsWith("/header"))
        response
          .setHeader("link", encodeURIComponent(told.join(",")))
          .setHeader("etag", told.join("").replace(/[^\x21-\x7e]/g, ""))
          .end("{}");
      else if (path.startsWith("/refused")) json(422, { error: { message: told.join(" "), all: echoed } });
      else if (path.startsWith("/broken")) json(500, { detail: echoed.join(" ") });
      else if (path.startsWith("/away"))
        response.writeHead(302, { location: `http://127.0.0.2:9/?${told.map(encodeURIComponent).join("&")}` }).end();
      else if (path.startsWith("/moved"))
        response.writeHead(302, { location: `/json?back=${told.map(encodeURIComponent).join(",")}` }).end();
      else if (path.startsWith("/cut")) {
        response.writeHead(200, { "content-type": "text/plain", "content-length": "100000" });
        response.write(echoed.join(" "), () => response.socket?.destroy());
      } else json(200, { told, echoed, [told.join("")]: true });
    });
  });
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const originOf = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: originOf(),
    received,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
