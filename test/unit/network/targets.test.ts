import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { snapshotCapability } from "#kernel/capability/capability";
import { builtInExecutor } from "../../../server/capabilities/built-in";
import { openApiProvider } from "../../../server/capabilities/openapi";
import { AppError } from "../../../server/errors";
import {
  type AddressPolicy,
  allowedAddress,
  type Resolver,
  refusalOfUrl,
} from "../../../server/network/address-policy";
import { ExchangeFailed, exchange } from "../../../server/network/http-exchange";
import { sendEmail } from "../../../server/notifications/email";
import { postWebhook } from "../../../server/notifications/webhook";
import type { EmailSettings } from "../../../server/runtime/notifications";
import { readOpenApi } from "../../../server/trpc/actions/read-openapi";
import { callContext } from "../../support/call-context";
import { httpCapability } from "../../support/http-capability";

const PUBLIC: AddressPolicy = { allowedHosts: [], allowedPrivate: [] };
/** Every one of them means this machine, its neighbours, or a cloud's own services. */
const TARGETS = [
  "127.0.0.1",
  "127.1",
  "127.000.000.001",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "017700000001",
  "127.0.0.1.",
  "localhost",
  "LOCALHOST",
  "0.0.0.0",
  "0",
  "①②⑦.⓪.⓪.①",
  "127。0。0。1",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::]",
  "[fe80::1]",
  "[fc00::1]",
  "[fec0::1]",
  "[ff02::1]",
  "10.0.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "169.254.169.254",
  "[fd00:ec2::254]",
  "100.64.0.1",
  "192.0.0.192",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
] as const;

let server: Server;
let port: number;
let connections = 0;
let location = "";

beforeAll(async () => {
  server = createServer((_request, response) => {
    if (location === "") response.end("{}");
    else response.writeHead(307, { location }).end();
  });
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  connections = 0;
  location = "";
});

const signal = new AbortController().signal;
const get = (url: string, policy: AddressPolicy, resolve?: Resolver) =>
  exchange({ method: "GET", url, headers: {} }, { policy, signal, ...(resolve && { resolve }) });
const refusedAs = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "answered",
    (problem: unknown) => (problem instanceof ExchangeFailed ? problem.kind : String(problem)),
  );
const executor = builtInExecutor({
  folderOf: () => "/nonexistent",
  ledgerFile: "/nonexistent",
  addressPolicy: PUBLIC,
});
const operation = async (host: string) => {
  const provider = openApiProvider({
    policy: PUBLIC,
    secrets: { read: async () => ({ ok: true, values: new Map() }) },
  });
  const draft = httpCapability("a.b", { settings: { server: `http://${host}:${port}`, path: "/", parameters: [] } });
  return provider(snapshotCapability({ ...draft, version: 1 })).call({}, callContext());
};

const notified = {
  id: "n",
  kind: "test",
  at: 0,
  workspaceName: "w",
  facts: {},
} as const;
const message = { title: "t", lines: [], url: "http://planwright.test/", linkText: "Open" };
const post = (url: string, policy: AddressPolicy) =>
  postWebhook({ secret: { url }, content: notified, message, policy, signal });
const mail = (host: string, policy: AddressPolicy) => {
  const settings: EmailSettings = {
    kind: "email",
    host,
    port,
    secure: false,
    from: "a@b.c",
    to: ["a@b.c"],
    toConcerned: false,
  };
  const delivery = {
    id: "d",
    channelId: "c",
    attempt: 1,
    notification: notified,
    settings,
    secret: {},
    recipients: ["a@b.c"],
  };
  return sendEmail({ settings, delivery, message, policy, timeoutMs: 1_000, signal: AbortSignal.timeout(1_000) });
};
const document = (url: string, policy: AddressPolicy) =>
  readOpenApi({ addressPolicy: policy, closing: signal }, { from: "url", url }).then(
    () => "read",
    (problem: unknown) => (problem instanceof AppError ? problem.code : String(problem)),
  );

describe.each(TARGETS)("%s", (host) => {
  it("is reached by no capability, and the listener sees no connection", async () => {
    for (const call of [
      executor.call("http.get", { url: `http://${host}:${port}/` }, callContext()),
      executor.call("http.request", { method: "POST", url: `http://${host}:${port}/` }, callContext()),
      operation(host),
    ]) {
      const { status, errorCategory } = await call;
      expect(status).not.toBe("ok");
      expect(["policy_denied", "invalid_arguments"], host).toContain(errorCategory);
    }
    expect(connections).toBe(0);
  });

  it("is reached by no webhook, no mail and no document's address", async () => {
    expect(await post(`http://${host}:${port}/`, PUBLIC)).toMatchObject({ type: "failed" });
    expect((await mail(host, PUBLIC)).type).not.toBe("sent");
    expect(await document(`http://${host}:${port}/`, PUBLIC)).toBe("import_failed");
    expect(connections).toBe(0);
  });

  it("is reached by no redirect", async () => {
    const target = `http://${host}:${port}/inner`;
    // A header holds no such letters; a service would send the address as the URL parser writes it.
    location = /[^\x20-\x7e]/.test(target) ? new URL(target).href : target;
    // The listener itself is allowed for the first hop: by its address, which a name or another spelling may mean too.
    const policy = { ...PUBLIC, allowedPrivate: [`127.0.0.1:${port}`] };
    const same = /^127\.0\.0\.1$|^localhost$/.test(new URL(location).hostname);
    const end = await refusedAs(get(`http://127.0.0.1:${port}/`, policy));
    expect(same ? ["redirects", "refused"] : ["refused"]).toContain(end);
    if (!same) expect(connections).toBe(1);
    connections = 0;
    expect(await document(`http://127.0.0.1:${port}/`, policy)).toBe("import_failed");
    expect((await post(`http://127.0.0.1:${port}/`, policy)).type).toBe("failed");
    // One for each first hop; none for where it led.
    if (!same) expect(connections).toBe(2);
  });
});

describe("a name", () => {
  const answering =
    (addresses: readonly string[]): Resolver =>
    (_host, _options, callback) => {
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    };

  it("that answers with an address of ours, now or among others, is refused at the connection", async () => {
    for (const addresses of [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::ffff:127.0.0.1"], ["169.254.169.254"]])
      expect(await refusedAs(get(`http://rebind.example:${port}/`, PUBLIC, answering(addresses)))).toBe("refused");
    expect(connections).toBe(0);
  });

  it("that was allowed is still judged by its address each time", async () => {
    const policy = { allowedHosts: ["rebind.example"], allowedPrivate: [] };
    const resolve = answering(["127.0.0.1"]);
    expect(await refusedAs(get(`http://rebind.example:${port}/`, policy, resolve))).toBe("refused");
    expect(connections).toBe(0);
  });

  it("may be allowed with its private address, and then is reached", async () => {
    const policy = { allowedHosts: [], allowedPrivate: [`inner.example:${port}`] };
    const answer = await get(`http://inner.example:${port}/`, policy, answering(["127.0.0.1"]));
    expect(answer.status).toBe(200);
  });
});

describe("an address that is allowed with a port", () => {
  it("is reached at that port and at no other", async () => {
    const policy = { allowedHosts: [], allowedPrivate: [`127.0.0.1:${port}`] };
    expect((await get(`http://127.0.0.1:${port}/`, policy)).status).toBe(200);
    expect(refusalOfUrl(new URL("http://127.0.0.1:8081/"), policy)).toMatch(/loopback/);
  });

  it("is reached by mail as by any other call, whatever the list of hosts says", async () => {
    const policy = { allowedHosts: ["mail.example"], allowedPrivate: ["localhost:2525", "127.0.0.1:25"] };
    expect(await allowedAddress("LOCALHOST.", 2525, policy)).toMatch(/^(127\.0\.0\.1|::1)$/);
    await expect(allowedAddress("localhost", 2526, policy)).rejects.toThrow(/not on the list/);
    expect(await allowedAddress("127.0.0.1", 25, policy)).toBe("127.0.0.1");
    await expect(allowedAddress("127.0.0.1", 26, policy)).rejects.toThrow(/not on the list/);
  });
});

it.each([
  "file:///etc/passwd",
  "ftp://example.com/",
  "gopher://example.com/",
  "data:text/plain,a",
  "http://user:password@example.com/",
  "http://example.com@127.0.0.1/",
  "http://example.com:22/",
  "http://example.com:25/",
  "http://example.com:5432/",
  "https://example.com:6379/",
])("%s is refused before anything is looked up", (url) => {
  expect(refusalOfUrl(new URL(url), PUBLIC)).toBeDefined();
});

it.each(["https://example.com/", "http://93.184.216.34:8080/", "https://[2606:2800:220:1:248:1893:25c8:1946]/"])(
  "%s is open to all",
  (url) => {
    expect(refusalOfUrl(new URL(url), PUBLIC)).toBeUndefined();
  },
);
