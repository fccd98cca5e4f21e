import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInExecutor } from "../../../server/capabilities/built-in";
import { callContext } from "../../support/call-context";

let server: Server;
let origin: string;
let connections = 0;
const seen: { method: string; headers: Record<string, unknown>; body: string }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      seen.push({ method: request.method ?? "", headers: request.headers, body });
      const path = request.url ?? "/";
      if (path === "/json") response.setHeader("content-type", "application/json").end('{"constructor":1}');
      else if (path === "/away") response.writeHead(302, { location: "http://169.254.169.254/latest" }).end();
      else if (path === "/again") response.writeHead(302, { location: "/again" }).end();
      else if (path === "/cut") response.socket?.destroy();
      else if (path === "/large") response.end("x".repeat(10 * 1024 * 1024 + 1));
      else if (path.startsWith("/status/")) response.writeHead(Number(path.slice(8)), { "retry-after": "7" }).end("no");
      else response.end("hello");
    });
  });
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const executorWith = (allowedPrivate: string[], allowedHosts: string[] = []) =>
  builtInExecutor({
    folderOf: () => "/nonexistent",
    ledgerFile: "/nonexistent",
    addressPolicy: { allowedHosts, allowedPrivate },
  });
const open = executorWith(["127.0.0.1"]);
const closed = executorWith([]);
const call = (args: object, capability = "http.request", executor = open) =>
  executor.call(capability, args as never, callContext());

describe("HTTP requests", () => {
  it("returns JSON parsed and text as text", async () => {
    const json = await call({ url: `${origin}/json` }, "http.get");
    expect(json).toMatchObject({ status: "ok", sideEffect: "none", output: { status: 200, body: { constructor: 1 } } });
    expect((await call({ url: `${origin}/` }, "http.get")).output).toMatchObject({ body: "hello" });
  });

  it("sends a body as JSON with a stable idempotency key, and keeps the connection's headers ours", async () => {
    const answer = await call({
      method: "POST",
      url: `${origin}/`,
      body: { a: 1 },
      headers: { Host: "evil", "X-A": "b" },
    });
    expect(answer).toMatchObject({ status: "ok", sideEffect: "committed" });
    expect(seen.at(-1)).toMatchObject({ method: "POST", body: '{"a":1}' });
    expect(seen.at(-1)?.headers).toMatchObject({
      "idempotency-key": "run:task:1",
      "x-a": "b",
      host: new URL(origin).host,
    });
  });

  it.each([
    [403, "terminal", "forbidden", "not_committed"],
    [404, "terminal", "not_found", "not_committed"],
    [409, "terminal", "conflict", "not_committed"],
    [422, "terminal", "invalid_arguments", "not_committed"],
    [429, "retryable", "rate_limited", "not_committed"],
    [503, "retryable", "unavailable", "not_committed"],
    [500, "retryable", "unavailable", "unknown"],
  ])("classifies %d of a write as %s %s, side effect %s", async (code, status, errorCategory, sideEffect) => {
    expect(await call({ method: "POST", url: `${origin}/status/${code}` })).toMatchObject({
      status,
      errorCategory,
      sideEffect,
      ...(status === "retryable" && { retryAfterSeconds: 7 }),
    });
  });

  it("does not claim to know whether a write took effect when the reply is lost", async () => {
    expect(await call({ method: "POST", url: `${origin}/cut` })).toMatchObject({ sideEffect: "unknown" });
    expect(await call({ url: `${origin}/cut` }, "http.get")).toMatchObject({ status: "retryable", sideEffect: "none" });
  });

  it("knows that nothing happened when no connection was made", async () => {
    const unused = createServer();
    await new Promise<void>((resolve) => unused.listen(0, "127.0.0.1", resolve));
    const { port } = unused.address() as AddressInfo;
    await new Promise((resolve) => unused.close(resolve));
    expect(await call({ method: "POST", url: `http://127.0.0.1:${port}/` })).toMatchObject({
      status: "retryable",
      sideEffect: "not_committed",
    });
  });

  it("ends an oversized answer terminally, so that it is not fetched again", async () => {
    expect(await call({ url: `${origin}/large` }, "http.get")).toMatchObject({
      status: "terminal",
      errorCategory: "output_too_large",
    });
  });

  it("stops after a few redirects", async () => {
    expect((await call({ url: `${origin}/again` }, "http.get")).status).toBe("terminal");
  });

  it("judges the target of a redirect again", async () => {
    expect(await call({ url: `${origin}/away` }, "http.get")).toMatchObject({ errorCategory: "policy_denied" });
  });

  it("calls only hosts on the list where there is one", async () => {
    const listed = executorWith([], ["api.example.com", "*.example.org"]);
    for (const url of ["http://example.net/", "http://example.org/", "http://api.example.com.evil.net/"])
      expect(await call({ url }, "http.get", listed)).toMatchObject({ errorCategory: "policy_denied" });
  });

  it("reaches no private, link-local or reserved target, however it is written", async () => {
    const { port } = server.address() as AddressInfo;
    const hosts = [
      "127.0.0.1",
      "localhost",
      "localhost.",
      "LOCALHOST",
      "127.1",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
      "127.0.0.1.",
      "0.0.0.0",
      "0",
      "[::1]",
      "[::]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[64:ff9b::7f00:1]",
      "[fe80::1]",
      "[fc00::1]",
      "[2002:7f00:1::]",
      "10.0.0.1",
      "172.16.0.1",
      "192.168.0.1",
      "169.254.169.254",
      "100.64.0.1",
      "224.0.0.1",
      "255.255.255.255",
      "198.18.0.1",
      "①②⑦.⓪.⓪.①",
    ];
    const before = connections;
    for (const host of hosts) {
      const observation = await call({ url: `http://${host}:${port}/` }, "http.get", closed);
      // A resolver may not know `localhost.`; then there is no address to refuse, and no connection either.
      const refusals =
        host === "localhost." ? ["policy_denied", "unavailable"] : ["policy_denied", "invalid_arguments"];
      expect(refusals, host).toContain(observation.errorCategory);
    }
    for (const url of [
      `http://user:secret@127.0.0.1:${port}/`,
      "file:///etc/passwd",
      "ftp://127.0.0.1/",
      "gopher://x/",
    ])
      expect((await call({ url }, "http.get", closed)).status).toBe("terminal");
    expect(connections).toBe(before);
  });
});
