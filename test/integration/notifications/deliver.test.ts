import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ok } from "#kernel/result";
import { decide as decideNext } from "#kernel/run/decide";
import { Notifier } from "../../../server/notifications/notifier";
import { signatureOf } from "../../../server/notifications/webhook";
import type { NotificationOutbox } from "../../../server/runtime/notifications";
import { sealerOf } from "../../../server/secrets/sealer";
import { createNotificationOutbox } from "../../../server/store/notification-outbox";
import { type ApiServer, type Credentials, openApiServer, TEST_KEYS } from "../../support/api-server";
import { gatedPlan, startGatedRun } from "../../support/gated-run";
import {
  type HookReceiver,
  type MailReceiver,
  openHookReceiver,
  openMailReceiver,
} from "../../support/notification-receivers";
import { until } from "../../support/until";

const BASE_URL = "http://planwright.test";
const EVERY_KIND = [
  "gate_opened",
  "gate_reminder",
  "gate_escalated",
  "gate_decided",
  "gate_expired",
  "run_finished",
  "run_failed",
];

let api: ApiServer;
let admin: Credentials;
let hook: HookReceiver;
let mail: MailReceiver;
let outbox: NotificationOutbox;
let notifier: Notifier | undefined;

beforeAll(async () => {
  api = await openApiServer();
  admin = { ...(await api.signIn("admin")), origin: BASE_URL };
  outbox = createNotificationOutbox(api.database.pool, sealerOf(TEST_KEYS));
});
afterAll(() => api.close());

beforeEach(async () => {
  [hook, mail] = await Promise.all([openHookReceiver(), openMailReceiver()]);
});
afterEach(async () => {
  await notifier?.stop();
  notifier = undefined;
  await Promise.all([hook.close(), mail.close()]);
  await api.database.pool.query("DELETE FROM notification_channels; DELETE FROM notifications");
});

const startNotifier = (given: { allowedPrivate?: readonly string[]; timeoutMs?: number } = {}): void => {
  notifier = new Notifier({
    outbox,
    policy: { allowedHosts: [], allowedPrivate: given.allowedPrivate ?? ["127.0.0.1"] },
    baseUrl: BASE_URL,
    onError: (error) => {
      throw error;
    },
    everyMs: 20,
    timeoutMs: given.timeoutMs ?? 5_000,
  });
  notifier.start();
};

const webhook = (more: object = {}, events: readonly string[] = EVERY_KIND) => ({
  name: "Chat",
  enabled: true,
  events,
  target: { kind: "webhook", url: hook.url, ...more },
});

const email = (more: object = {}, events: readonly string[] = EVERY_KIND) => ({
  name: "Mail",
  enabled: true,
  events,
  target: {
    kind: "email",
    host: "127.0.0.1",
    port: mail.port,
    secure: false,
    from: "planwright@example.org",
    to: [],
    toConcerned: true,
    ...more,
  },
});

const create = async (draft: object): Promise<string> => {
  const answer = await api.mutate("notifications.create", draft, admin);
  expect(answer.error).toBeUndefined();
  return answer.data.id;
};

const deliveries = async () => (await api.query("notifications.deliveries", { limit: 50 }, admin)).data.deliveries;

/** Lets the next attempt of everything that waits come now. */
const hurry = () => api.database.pool.query("UPDATE notification_deliveries SET next_attempt_at = now()");

const decide = (seen: object, more: object = {}) =>
  api.mutate("gates.decide", { ...seen, decision: "approve", ...more }, api.keys.approver);

describe("a webhook", () => {
  test("is told of a gate and of its decision, with a link that decides nothing and without arguments", async () => {
    await create(webhook({ signingKey: "shared" }));
    startNotifier();
    const { seen } = await startGatedRun(api, api.keys.engineer, gatedPlan({ reason: "Mind <!channel> & the rest" }));
    const opened = await until("the gate is told of", () => hook.posts[0]);
    const body = JSON.parse(opened.body);
    expect(opened.method).toBe("POST");
    expect(body.text).toContain("Approval asked");
    expect(body.text).toContain("&lt;!channel&gt; &amp; the rest");
    expect(body.text).toContain(`<${BASE_URL}/approvals?gate=${encodeURIComponent(seen.gateId)}|Open the request>`);
    expect(body.blocks[0].text.type).toBe("plain_text");
    expect(opened.body).not.toContain(seen.nonce);
    expect(opened.body).not.toContain("hello");
    expect(opened.headers["x-planwright-event"]).toBe("gate_opened");
    expect(opened.headers["x-planwright-signature"]).toBe(signatureOf("shared", opened.body));
    expect((await decide(seen)).data.status).toBe("approved");
    const decided = await until("the decision is told of", () => hook.posts[1]);
    expect(JSON.parse(decided.body).text).toContain("Approved by Approver");
    const all = await until("both are in the log", async () => {
      const found = await deliveries();
      return found.every(({ status }: { status: string }) => status === "sent") && found;
    });
    expect(all.map(({ kind }: { kind: string }) => kind)).toEqual(["gate_decided", "gate_opened"]);
  });

  test("that fails is tried again with the same id, and the attempts are in the log", async () => {
    await create(webhook({}, ["gate_opened"]));
    hook.answer = () => ({ status: hook.posts.length < 3 ? 503 : 200 });
    startNotifier();
    await startGatedRun(api, api.keys.engineer);
    for (let attempt = 1; attempt < 3; attempt++) {
      await until(
        `attempt ${attempt} is noted`,
        async () =>
          (await deliveries())[0]?.lastError === "It answered 503." && (await deliveries())[0].attempts === attempt,
      );
      await hurry();
    }
    const sent = await until("it is sent", async () =>
      (await deliveries()).find(({ status }: { status: string }) => status === "sent"),
    );
    expect(sent.attempts).toBe(3);
    const ids = hook.posts.map(({ headers }) => headers["x-planwright-delivery"]);
    expect(new Set(ids)).toEqual(new Set([sent.notificationId]));
  });

  test("that refuses what it gets is given up on at once, and can be tried again by hand", async () => {
    await create(webhook({}, ["gate_opened"]));
    hook.answer = () => ({ status: 404 });
    startNotifier();
    await startGatedRun(api, api.keys.engineer);
    const failed = await until("it is given up on", async () =>
      (await deliveries()).find(({ status }: { status: string }) => status === "failed"),
    );
    expect(failed).toMatchObject({ attempts: 1, lastError: "It answered 404." });
    hook.answer = () => ({ status: 200 });
    await api.mutate("notifications.retry", { deliveryId: failed.id }, admin);
    await until("it is sent", async () => (await deliveries())[0].status === "sent");
  });

  test.each([
    ["its own address is private", (url: string) => url, [] as string[]],
    ["it redirects to a private address", () => undefined, ["127.0.0.1"]],
  ])("is not called where %s", async (_name, address, allowedPrivate) => {
    const trap = await openHookReceiver();
    try {
      const url = address(trap.url);
      hook.answer = () => ({ status: 307, headers: { location: trap.url.replace("127.0.0.1", "127.0.0.2") } });
      await create(webhook(url === undefined ? {} : { url }, ["gate_opened"]));
      startNotifier({ allowedPrivate });
      await startGatedRun(api, api.keys.engineer);
      const failed = await until("it is given up on", async () =>
        (await deliveries()).find(({ status }: { status: string }) => status === "failed"),
      );
      expect(failed.lastError).toContain("loopback");
      expect(failed.attempts).toBe(1);
      expect(trap.posts).toEqual([]);
    } finally {
      await trap.close();
    }
  });

  test("that redirects so that the message would be lost has not got it", async () => {
    await create(webhook({}, ["gate_opened"]));
    hook.answer = () => ({ status: 302, headers: { location: hook.url } });
    startNotifier();
    await startGatedRun(api, api.keys.engineer);
    await until("it is given up on", async () => (await deliveries())[0]?.status === "failed");
    expect(hook.posts).toHaveLength(1);
  });
});

test("everything that people ask to be told of is told: reminded, escalated, expired, finished, failed", async () => {
  await create(webhook());
  startNotifier();
  const advance = (runId: string) =>
    api.services.runs.submit(api.workspaceId, runId, (state, now) =>
      ok(decideNext(state, now).flatMap((command) => (command.type === "record" ? [command.event] : []))),
    );
  const toTheEnd = (runId: string) =>
    until("the run has ended", async () => {
      await advance(runId);
      return (await api.services.runs.get(api.workspaceId, runId))?.status === "finished";
    });
  const soon = { remindBeforeSeconds: 3_599.99, escalate: { afterSeconds: 0, role: "admin" } };
  const asked = await startGatedRun(api, api.keys.engineer, gatedPlan({ decideWithinSeconds: 3_600, ...soon }));
  await until("its reminder is due", async () => (await api.services.now()) > asked.request.at + 20);
  await advance(asked.runId);
  await api.mutate("gates.decide", { ...asked.seen, decision: "reject", reason: "no" }, api.keys.approver);
  await toTheEnd(asked.runId);
  const late = await startGatedRun(api, api.keys.engineer, gatedPlan({ decideWithinSeconds: 0 }));
  await toTheEnd(late.runId);
  const called = await startGatedRun(api, api.keys.engineer);
  await api.mutate("runs.cancel", { runId: called.runId }, api.keys.engineer);
  await toTheEnd(called.runId);
  await until("all is told", () => hook.posts.length >= 10);
  const told = hook.posts.map(({ headers, body }) => [
    headers["x-planwright-event"],
    JSON.parse(body).text.split(/[:\n]/)[0],
  ]);
  expect(told.map(String).sort()).toEqual(
    [
      "gate_opened,Approval asked",
      "gate_opened,Approval asked",
      "gate_opened,Approval asked",
      "gate_reminder,Still waiting",
      "gate_escalated,Escalated",
      "gate_decided,Rejected by Approver",
      "gate_expired,Expired",
      "run_failed,Run rejected",
      "run_failed,Run rejected",
      "run_finished,Run cancelled",
    ].sort(),
  );
});

describe("a mail", () => {
  test("goes to those who can still sign, and then to whoever started the run", async () => {
    const deputy = await api.addPerson({ name: "deputy", roles: ["reviewer"], workspaceId: api.workspaceId });
    const approver = await api.database.prisma.person.findUniqueOrThrow({
      where: { email: "approver@planwright.local" },
    });
    const lend = await api.mutate(
      "delegations.create",
      { delegateId: deputy.personId, endsAt: Date.now() + 3_600_000 },
      { ...(await api.signIn("approver")), origin: BASE_URL },
    );
    expect(lend.data.delegator.id).toBe(approver.id);
    await create(email({ to: ["list@example.org"] }));
    startNotifier();
    const { seen } = await startGatedRun(api, api.keys.engineer);
    const opened = await until("the signers are told", () => mail.mails[0]);
    expect(opened.to).toEqual(["approver@planwright.local", "list@example.org", "person-deputy@example.org"]);
    expect(opened.text).toContain("Approval asked:");
    expect(opened.text).toContain(`${BASE_URL}/approvals?gate=${encodeURIComponent(seen.gateId)}`);
    expect(opened.text).not.toContain(seen.nonce);
    await decide(seen);
    const decided = await until("whoever asked is told", () => mail.mails[1]);
    expect(decided.to).toEqual(["engineer@planwright.local", "list@example.org"]);
    expect(decided.text).toMatch(/Message-ID:\s+<[0-9a-f-]+\.[0-9a-f-]+@planwright>/);
  });

  test("that the server cannot take now is tried again; one that it refuses for good is not", async () => {
    await create(email({ toConcerned: false, to: ["list@example.org"] }, ["gate_opened"]));
    mail.refuse = 451;
    startNotifier();
    await startGatedRun(api, api.keys.engineer);
    await until("it waits", async () => (await deliveries())[0]?.lastError?.includes("451"));
    expect((await deliveries())[0].status).toBe("pending");
    mail.refuse = 550;
    await hurry();
    await until("it is given up on", async () => (await deliveries())[0].status === "failed");
  });

  test("to a server that dawdles ends with its time, and with the worker", async () => {
    const connections = new Set<Socket>();
    // Says something often enough that no step of the protocol ever times out by itself.
    const dawdler = createServer((socket) => {
      connections.add(socket);
      socket.write("220 hello\r\n");
      const talking = setInterval(() => socket.write("250-wait\r\n"), 20);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        clearInterval(talking);
        connections.delete(socket);
      });
    });
    await new Promise<void>((resolve) => dawdler.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = dawdler.address() as AddressInfo;
      await create(email({ port, toConcerned: false, to: ["list@example.org"] }, ["gate_opened"]));
      startNotifier({ timeoutMs: 300 });
      await startGatedRun(api, api.keys.engineer);
      await until("its time is over", async () => (await deliveries())[0]?.lastError?.includes("in time"));
      await until("its connection is closed", () => connections.size === 0);
      await notifier?.stop();
      startNotifier({ timeoutMs: 600_000 });
      await hurry();
      await until("it is tried again", () => connections.size > 0);
      await notifier?.stop();
      await until("nothing is left of it", () => connections.size === 0);
    } finally {
      await new Promise((resolve) => dawdler.close(resolve));
    }
  });

  test("is not sent through a server at a private address", async () => {
    await create(email({ toConcerned: false, to: ["list@example.org"] }, ["gate_opened"]));
    startNotifier({ allowedPrivate: [] });
    await startGatedRun(api, api.keys.engineer);
    await until("it is given up on", async () => (await deliveries())[0]?.lastError?.includes("loopback"));
    expect(mail.mails).toEqual([]);
  });
});

describe("bugs.md 24: telling people", () => {
  test("takes nothing from the time to decide, and a channel that never answers closes and delays nothing", async () => {
    await create(webhook({}, EVERY_KIND));
    hook.answer = () => undefined;
    startNotifier({ timeoutMs: 60_000 });
    const { request, seen } = await startGatedRun(api, api.keys.engineer, gatedPlan({ decideWithinSeconds: 60 }));
    expect(request.decideBy - request.at).toBe(60_000);
    await until("it hangs", () => hook.posts[0]);
    expect((await decide(seen)).data.status).toBe("approved");
  });

  test("through a slow channel holds up no other channel", async () => {
    const quick = await openHookReceiver();
    try {
      await create(webhook({}, ["gate_opened"]));
      await create({ ...webhook({ url: quick.url }, ["gate_opened"]), name: "Quick" });
      hook.answer = () => undefined;
      startNotifier({ timeoutMs: 60_000 });
      for (let run = 0; run < 6; run++) await startGatedRun(api, api.keys.engineer);
      await until("the quick one has all", () => quick.posts.length === 6);
      expect(hook.posts.length).toBeLessThanOrEqual(4);
    } finally {
      await quick.close();
    }
  });

  test.each([
    "UPDATE notifications SET facts = 'no JSON' WHERE id = $1",
    "UPDATE notifications SET kind = 'of_a_later_version' WHERE id = $1",
    "UPDATE notifications SET facts = 'null' WHERE id = $1",
  ])("of what cannot be read (%s) keeps no other message back", async (spoil) => {
    await create(webhook({}, ["gate_opened"]));
    const [bad] = [await startGatedRun(api, api.keys.engineer), await startGatedRun(api, api.keys.engineer)];
    const spoiled = (await deliveries()).find(({ runId }: { runId: string }) => runId === bad.runId);
    await api.database.pool.query(spoil, [spoiled.notificationId]);
    startNotifier();
    await until("the good one is sent", () => hook.posts[0]);
    const log = await until("the bad one has its reason", async () => {
      const { rows } = await api.database.pool.query("SELECT * FROM notification_deliveries ORDER BY id");
      return rows.every(({ last_error, sent_at }) => last_error !== null || sent_at !== null) && rows;
    });
    expect(log.find(({ id }) => id === spoiled.id)).toMatchObject({ status: "pending", claimed_until: null });
    expect(hook.posts).toHaveLength(1);
  });

  test("of an event happens if and only if the event does", async () => {
    await create(webhook({}, ["gate_opened"]));
    const count = async () => (await api.database.pool.query("SELECT count(*)::int AS n FROM notifications")).rows[0].n;
    await startGatedRun(api, api.keys.engineer);
    expect(await count()).toBe(1);
    await api.mutate(
      "gates.decide",
      { gateId: "none", nonce: "n", argumentsHash: "0".repeat(64), decision: "approve" },
      api.keys.approver,
    );
    expect(await count()).toBe(1);
  });

  test("that a worker had in hand when it died is made by the next one", async () => {
    await create(webhook({}, ["gate_opened"]));
    await startGatedRun(api, api.keys.engineer);
    const [lost] = await outbox.claim(1, { holdMs: 0, busyChannels: [] });
    startNotifier();
    await until("it is sent", async () => (await deliveries())[0].status === "sent");
    if (lost === undefined) throw new Error("nothing was due");
    // The dead one comes back: its word counts for nothing.
    await outbox.settle(lost, { type: "failed", error: "late" });
    expect((await deliveries())[0]).toMatchObject({ status: "sent", attempts: 2 });
  });
});

describe("the settings", () => {
  test("never give a secret back: not in an answer, not in a log of deliveries, not in the audit", async () => {
    const canary = "canary-7f3a";
    const id = await create(webhook({ url: `${hook.url}/${canary}`, signingKey: `${canary}-key` }));
    await create(email({ user: "robot", password: `${canary}-password`, toConcerned: false }));
    hook.answer = () => ({ status: 400 });
    startNotifier();
    await api.mutate("notifications.test", { channelId: id }, admin);
    await until("the test failed", async () =>
      (await deliveries()).some(({ status }: { status: string }) => status === "failed"),
    );
    const channels = await api.query("notifications.channels", undefined, admin);
    expect(channels.data.channels[0]).toMatchObject({ secrets: { url: true, signingKey: true, password: false } });
    const log = await api.query("notifications.deliveries", { limit: 50 }, admin);
    const audit = await api.database.pool.query("SELECT string_agg(payload, '') AS text FROM audit_entries");
    const rows = await api.database.pool.query(
      "SELECT string_agg(settings || coalesce(secret, ''), '') AS text FROM notification_channels",
    );
    for (const text of [channels.body, log.body, audit.rows[0].text, rows.rows[0].text])
      expect(text).not.toContain(canary);
  });

  test("keep a secret that is not given again, and drop one that is emptied", async () => {
    const id = await create(webhook({ signingKey: "one" }));
    const { url: _url, ...target } = webhook().target;
    const kept = await api.mutate(
      "notifications.update",
      { ...webhook(), target, channelId: id, name: "Renamed" },
      admin,
    );
    expect(kept.data).toMatchObject({ name: "Renamed", secrets: { url: true, signingKey: true } });
    const emptied = await api.mutate(
      "notifications.update",
      { ...webhook(), target: { ...target, signingKey: "" }, channelId: id },
      admin,
    );
    expect(emptied.data.secrets).toEqual({ url: true, signingKey: false, password: false });
  });

  test.each(["engineer", "reviewer", "approver"] as const)("are closed to the role %s", async (role) => {
    const session = { ...(await api.signIn(role)), origin: BASE_URL };
    expect((await api.query("notifications.channels", undefined, session)).status).toBe(403);
    expect((await api.mutate("notifications.create", webhook(), session)).status).toBe(403);
  });
});

test("no request was answered with a fault of ours", () => {
  expect(api.faults).toEqual([]);
});
