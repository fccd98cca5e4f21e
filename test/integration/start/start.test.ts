import { readFileSync } from "node:fs";
import { get } from "node:http";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findPostmaster } from "../../../server/postgres/postmaster";
import { isAlive } from "../../../server/process-table";
import { ROOT } from "../../../server/setup/checkout.mjs";
import { productionBuild } from "../../../server/setup/production-build.mjs";
import { openStateFolder } from "../../../server/state-folder";
import { type StartedApp, startApp, temporaryState } from "../../support/started-app";

/** The promise is five seconds on a machine of one's own; tests share theirs. */
const STOP_MS_MAX = 10_000;
const PATIENT = { timeout: 60_000, interval: 100 };

const state = temporaryState();
let occupied: Server;
let takenPort: number;
let app: StartedApp | undefined;

beforeAll(async () => {
  await productionBuild();
  occupied = createServer();
  await new Promise<void>((resolve) => occupied.listen(0, "127.0.0.1", resolve));
  const address = occupied.address();
  takenPort = typeof address === "object" && address ? address.port : 0;
}, 900_000);

afterAll(async () => {
  await app?.stop("SIGKILL");
  await state.remove();
  occupied.close();
}, 60_000);

const start = async (): Promise<StartedApp> => {
  app = await startApp(state.folder, { PORT: String(takenPort) });
  return app;
};

const stateFile = (name: string) => JSON.parse(readFileSync(path.join(state.folder, name), "utf8"));
const processIds = (): Record<string, number> => stateFile("supervisor.json").processes;
const databaseRuns = () => findPostmaster(path.join(openStateFolder(ROOT, state.folder).postgresPath, "data"));

/** `fetch` sends the true name of the host, always. */
function statusFor(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { host } }, (response) => resolve(response.resume().statusCode)).on("error", reject);
  });
}

async function stopTimed(started: StartedApp): Promise<void> {
  const pids = [started.pid, ...Object.values(processIds())];
  const startedAt = performance.now();
  expect(await started.stop()).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(STOP_MS_MAX);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(databaseRuns()).toBeUndefined();
}

test("a first start takes the next free port and says so, makes four people, and answers its health check", async () => {
  const { url, people, output } = await start();
  expect(Number(new URL(url).port)).toBeGreaterThan(takenPort);
  expect(output()).toContain(`Port ${takenPort} is taken`);
  expect(people.map(({ name }) => name)).toEqual(["Engineer", "Reviewer", "Approver", "Admin"]);
  await expect.poll(async () => (await fetch(`${url}/api/health`)).json(), PATIENT).toMatchObject({ status: "ok" });
});

test("every answer forbids framing and foreign scripts, and a foreign name gets none", async () => {
  const url = app?.url ?? "";
  const { headers } = await fetch(`${url}/sign-in`);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("frame-ancestors 'none'");
  expect(/script-src ([^;]*)/.exec(policy)?.[1]).not.toContain("unsafe-inline");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(await statusFor(url, "evil.test")).toBe(421);
});

test("a second start of the same checkout says where the first one is", async () => {
  await expect(startApp(state.folder)).rejects.toThrow(`Planwright runs already: ${app?.url}`);
});

test("a worker that is killed comes back", async () => {
  const { worker = 0 } = processIds();
  process.kill(worker, "SIGKILL");
  await expect.poll(() => processIds().worker, PATIENT).not.toBe(worker);
  expect(app?.output()).toContain("The worker process ended (SIGKILL)");
  await expect.poll(() => isAlive(processIds().worker ?? 0), PATIENT).toBe(true);
});

test("a database that is killed comes back, and the processes find it", async () => {
  process.kill(databaseRuns()?.pid ?? 0, "SIGKILL");
  await expect.poll(() => app?.output(), PATIENT).toContain("The database had ended; it runs again.");
  await expect.poll(async () => (await fetch(`${app?.url}/api/health`)).status, PATIENT).toBe(200);
});

test("Ctrl-C ends everything while streams are open", async () => {
  if (!app) throw new Error("nothing runs");
  const { apiKey } = stateFile("cli.json");
  const input = encodeURIComponent(JSON.stringify({ runs: [], inbox: true }));
  const stream = await fetch(`${app.url}/api/trpc/events.stream?input=${input}`, {
    headers: { authorization: `Bearer ${apiKey}`, accept: "text/event-stream" },
  });
  expect(stream.status).toBe(200);
  await stream.body?.getReader().read();
  await stopTimed(app);
});

test("kill -9 of the supervisor leaves nothing that blocks the next start", async () => {
  const first = await start();
  expect(first.people).toEqual([]);
  const pids = Object.values(processIds());
  process.kill(first.pid, "SIGKILL");
  await expect.poll(() => pids.filter(isAlive), PATIENT).toEqual([]);
  const second = await start();
  expect((await fetch(`${second.url}/api/health`)).status).toBe(200);
  await stopTimed(second);
});
