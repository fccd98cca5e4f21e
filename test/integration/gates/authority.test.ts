import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Role } from "../../../server/runtime/principal";
import { type Credentials, ORIGIN, openApiServer } from "../../support/api-server";
import { codeOf, countingPlan, GateWorld } from "../../support/gate-world";

let world: GateWorld;
type Person = Credentials & { readonly personId: string };

const add = (name: string, roles: Role[]): Promise<Person> =>
  world.api.addPerson({ name, roles, workspaceId: world.api.workspaceId });

const setRoles = (personId: string, roles: Role[]) =>
  world.api.database.prisma.membership.updateMany({ where: { personId }, data: { roles } });

const sessionOf = async (person: Person): Promise<Credentials> => ({
  ...(await world.api.signInAs(person.personId)),
  ...ORIGIN,
});

const plan = (approval: object = {}) => countingPlan(["write"], approval);

beforeAll(async () => {
  world = new GateWorld(await openApiServer());
});
afterAll(() => world.close());

describe("R20 nobody signs their own", () => {
  test("not the requester, whatever role they have gained since", async () => {
    const both = await add("requester", ["engineer"]);
    const { gate, runId } = await world.openOne(plan(), both);
    expect(codeOf(await world.decide(gate, {}, both))).toBe("four_eyes");
    await setRoles(both.personId, ["engineer", "approver", "admin"]);
    expect(codeOf(await world.decide(gate, {}, both))).toBe("four_eyes");
    expect(await world.decisions(runId)).toEqual([]);
  });

  test("not the author of the plan's version, although somebody else started it", async () => {
    const author = await add("author", ["engineer", "approver"]);
    const created = await world.api.mutate("plans.create", { name: "theirs", plan: plan() }, author);
    const started = await world.api.mutate("runs.start", { planId: created.data.planId }, world.api.keys.engineer);
    await world.advance(started.data.runId);
    const gate = await world.latest(started.data.runId);
    expect(codeOf(await world.decide(gate, {}, author))).toBe("four_eyes");
    expect((await world.decide(gate)).status).toBe(200);
  });

  test.each([
    ["a tag", "ann@example.org", "Ann+approvals@Example.ORG"],
    ["the dots of Gmail", "an.n@gmail.com", "ann@googlemail.com"],
  ])(
    "not from a second account of the same mailbox, and two accounts are one signature: %s",
    async (name, ...emails) => {
      const accounts: Person[] = [];
      for (const [index, email] of emails.entries()) {
        const account = await add(`alias ${index} ${name}`, ["engineer", "approver"]);
        await world.api.database.prisma.person.update({ where: { id: account.personId }, data: { email } });
        accounts.push(account);
      }
      const [one, other] = accounts;
      const own = await world.openOne(plan(), one);
      expect(codeOf(await world.decide(own.gate, {}, other))).toBe("four_eyes");
      const { gate } = await world.openOne(plan({ quorum: 2 }));
      expect((await world.decide(gate, {}, one)).data.status).toBe("open");
      expect(codeOf(await world.decide(gate, {}, other))).toBe("already_decided");
    },
  );

  test("not the one who edited the arguments", async () => {
    const editor = await add("editor", ["approver"]);
    const { runId, gate } = await world.openOne(plan());
    const edit = { decision: "send_back", reason: "typo", editedArguments: { key: "edited" } };
    expect((await world.decide(gate, edit, editor)).data.status).toBe("sent_back");
    await world.advance(runId);
    const next = await world.latest(runId);
    expect(codeOf(await world.decide(next, {}, editor))).toBe("four_eyes");
    expect((await world.decide(next)).status).toBe(200);
  });

  test("not an agent, with whatever key of its owner", async () => {
    const owner = await add("owner", ["approver"]);
    await world.api.database.prisma.apiKey.updateMany({
      where: { personId: owner.personId },
      data: { scopes: ["read", "plan", "run"] },
    });
    const { gate, runId } = await world.openOne(plan());
    expect((await world.decide(gate, {}, owner)).status).toBe(403);
    expect((await world.api.mutate("gates.revoke", { gateId: gate.gateId }, owner)).status).toBeGreaterThanOrEqual(400);
    expect(await world.decisions(runId)).toEqual([]);
  });
});

describe("authority is judged when the decision lands", () => {
  test("a role that was taken away, a person who left: neither signs", async () => {
    const former = await add("former", ["approver"]);
    const { gate, runId } = await world.openOne(plan());
    await setRoles(former.personId, ["reviewer"]);
    expect(codeOf(await world.decide(gate, {}, former))).toBe("not_eligible");
    await world.api.database.prisma.membership.deleteMany({ where: { personId: former.personId } });
    expect((await world.decide(gate, {}, former)).status).toBeGreaterThanOrEqual(400);
    expect(await world.decisions(runId)).toEqual([]);
  });

  test("a role that was given since does", async () => {
    const later = await add("later", ["reviewer"]);
    const { gate } = await world.openOne(plan());
    expect(codeOf(await world.decide(gate, {}, later))).toBe("not_eligible");
    await setRoles(later.personId, ["approver"]);
    expect((await world.decide(gate, {}, later)).status).toBe(200);
  });

  test("people by name: only they, by id or by address", async () => {
    const named = await add("named", ["approver"]);
    const { gate } = await world.openOne(plan({ people: ["PERSON-named@example.org"] }));
    expect(codeOf(await world.decide(gate))).toBe("not_eligible");
    expect((await world.decide(gate, {}, named)).status).toBe(200);
  });

  test("an escalation lets further people sign from its moment on, and is told once", async () => {
    const now = { escalate: { afterSeconds: 0, role: "reviewer" } };
    const later = { escalate: { afterSeconds: 3_000, role: "reviewer" } };
    const waiting = await world.openOne(plan(later));
    expect(codeOf(await world.decide(waiting.gate, {}, world.api.keys.reviewer))).toBe("not_eligible");
    const { runId, gate } = await world.openOne(plan(now));
    await world.advance(runId);
    await world.advance(runId);
    expect((await world.events(runId)).filter(({ type }) => type === "approval_escalated")).toHaveLength(1);
    expect((await world.decide(gate, {}, world.api.keys.reviewer)).status).toBe(200);
  });
});

describe("somebody who stands in", () => {
  const lend = async (from: Credentials, delegateId: string, more: object = {}) =>
    world.api.mutate("delegations.create", { delegateId, endsAt: Date.now() + 3_600_000, ...more }, from);

  test("signs in their own name for the delegator, is shown so, and is in the audit", async () => {
    const boss = await add("boss", ["approver"]);
    const deputy = await add("deputy", ["engineer"]);
    const { runId, gate } = await world.openOne(plan({ quorum: 2 }));
    expect(codeOf(await world.decide(gate, {}, deputy))).toBe("not_eligible");
    expect((await lend(await sessionOf(boss), deputy.personId)).data.state).toBe("active");
    const shown = await world.api.query("gates.get", { gateId: gate.gateId }, deputy);
    expect(shown.data.mine).toMatchObject({ canDecide: true, onBehalfOf: { name: "boss" } });
    expect(shown.data.signers).toContainEqual({ id: deputy.personId, name: "deputy", onBehalfOf: expect.anything() });
    expect((await world.decide(gate, {}, deputy)).data.status).toBe("open");
    expect((await world.decisions(runId))[0]).toMatchObject({ by: { name: "deputy" }, onBehalfOf: { name: "boss" } });
    // One right, one signature: neither the delegator nor the deputy again.
    expect(codeOf(await world.decide(gate, {}, boss))).toBe("already_decided");
    expect(codeOf(await world.decide(gate, {}, deputy))).toBe("already_decided");
    // The delegator may take back what was signed for them.
    expect((await world.api.mutate("gates.revoke", { gateId: gate.gateId }, boss)).data.status).toBe("revoked");
    const { rows } = await world.api.database.pool.query(
      "SELECT action FROM audit_entries WHERE actor_id = ANY($1) AND action IN ('delegation.created', 'gate.decided') ORDER BY number",
      [[boss.personId, deputy.personId]],
    );
    expect(rows.map(({ action }) => action)).toEqual(["delegation.created", "gate.decided"]);
  });

  test("never does what the delegator could not, nor what is barred to either", async () => {
    const engineer = await add("lender", ["engineer", "approver"]);
    const deputy = await add("stand-in", ["engineer"]);
    await lend(await sessionOf(engineer), deputy.personId);
    const own = await world.openOne(plan(), engineer);
    expect(codeOf(await world.decide(own.gate, {}, deputy))).toBe("not_eligible");
    const theirs = await world.openOne(plan(), deputy);
    expect(codeOf(await world.decide(theirs.gate, {}, deputy))).toBe("four_eyes");
    const others = await world.openOne(plan());
    await setRoles(engineer.personId, ["engineer"]);
    expect(codeOf(await world.decide(others.gate, {}, deputy))).toBe("not_eligible");
    // Nor does it reach further: a right that was lent cannot be lent again.
    await setRoles(engineer.personId, ["approver"]);
    const third = await add("third", ["reviewer"]);
    await lend(await sessionOf(deputy), third.personId);
    expect(codeOf(await world.decide(others.gate, {}, third))).toBe("not_eligible");
    expect((await world.decide(others.gate, {}, deputy)).status).toBe(200);
  });

  test("does so within the period alone, by the database's clock, and no longer once it is ended", async () => {
    const boss = await add("away", ["approver"]);
    const deputy = await add("present", ["reviewer"]);
    const session = await sessionOf(boss);
    const hour = 3_600_000;
    await lend(session, deputy.personId, { startsAt: Date.now() + hour, endsAt: Date.now() + 2 * hour });
    const { gate } = await world.openOne(plan());
    expect(codeOf(await world.decide(gate, {}, deputy))).toBe("not_eligible");
    const ended = await lend(session, deputy.personId, { endsAt: Date.now() + hour / 2 });
    expect((await world.api.mutate("delegations.revoke", { delegationId: ended.data.id }, session)).data.state).toBe(
      "revoked",
    );
    expect(codeOf(await world.decide(gate, {}, deputy))).toBe("not_eligible");
    await world.api.database.pool.query(
      "UPDATE delegations SET starts_at = now() - interval '2 h', ends_at = now() - interval '1 s' WHERE delegate_id = $1",
      [deputy.personId],
    );
    expect(codeOf(await world.decide(gate, {}, deputy))).toBe("not_eligible");
  });

  test("is nobody outside, not oneself, and not for ever; and only a person at a screen may lend", async () => {
    const boss = await add("careful", ["approver"]);
    const outsider = await world.api.addPerson({ name: "elsewhere", roles: ["approver"] });
    const session = await sessionOf(boss);
    expect(codeOf(await lend(session, outsider.personId))).toBe("delegation_refused");
    expect(codeOf(await lend(session, boss.personId))).toBe("delegation_refused");
    const other = await add("patient", ["reviewer"]);
    expect(codeOf(await lend(session, other.personId, { endsAt: Date.now() + 91 * 86_400_000 }))).toBe(
      "delegation_refused",
    );
    expect(codeOf(await lend(session, other.personId, { endsAt: Date.now() - 1 }))).toBe("delegation_refused");
    expect((await lend(boss, other.personId)).status).toBe(403);
    // Nobody but the delegator and an admin ends it.
    const lent = await lend(session, other.personId);
    const stranger = await sessionOf(await add("stranger", ["approver"]));
    expect((await world.api.mutate("delegations.revoke", { delegationId: lent.data.id }, stranger)).status).toBe(404);
    const admin = { ...(await world.api.signIn("admin")), ...ORIGIN };
    expect((await world.api.mutate("delegations.revoke", { delegationId: lent.data.id }, admin)).status).toBe(200);
  });
});

describe("R19 links and pages", () => {
  const AGENTS = [
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Slack-ImgProxy (+https://api.slack.com/robots)",
    "facebookexternalhit/1.1",
    "Twitterbot/1.0",
    "LinkedInBot/1.0",
    "WhatsApp/2.23",
    "TelegramBot (like TwitterBot)",
    "Discordbot/2.0",
    "Mozilla/5.0 (compatible; Googlebot/2.1)",
    "Mozilla/5.0 (compatible; bingbot/2.0)",
    "SkypeUriPreview Preview/0.5",
    "Microsoft Office/16.0 (Microsoft Outlook)",
    "BarracudaCentral",
    "Mimecast",
    "ProofPoint",
    "Applebot/0.1",
    "Iframely/1.3.1",
    "Embedly/0.2",
    "curl/8.5.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64)",
  ];

  test("no GET, HEAD, OPTIONS or prefetch of twenty previewers changes anything at any address of a gate", async () => {
    const { runId, gate } = await world.openOne(plan());
    const before = (await world.events(runId)).length;
    const credentials = [{ ...(await world.api.signIn("approver")), ...ORIGIN }, world.api.keys.approver];
    const input = (value: object) => encodeURIComponent(JSON.stringify(value));
    const addresses = [
      `gates.decide?input=${input({ ...gate, decision: "approve" })}`,
      `gates.decide?batch=1&input=${input({ 0: { ...gate, decision: "approve" } })}`,
      `gates.revoke?input=${input({ gateId: gate.gateId })}`,
      `gates.get?input=${input({ gateId: gate.gateId })}`,
      `delegations.create?input=${input({ delegateId: "x", endsAt: Date.now() + 1e6 })}`,
    ];
    for (const agent of AGENTS) {
      await Promise.all(
        addresses.flatMap((address) =>
          credentials.flatMap((who) =>
            ["GET", "HEAD", "OPTIONS"].map((method) =>
              world.api.fetch(address, {
                method,
                headers: { ...who, "user-agent": agent, purpose: "prefetch", "sec-purpose": "prefetch;prerender" },
              }),
            ),
          ),
        ),
      );
    }
    expect((await world.events(runId)).length).toBe(before);
    const { rows } = await world.api.database.pool.query(
      "SELECT count(*)::int AS n FROM delegations WHERE delegate_id = 'x'",
    );
    expect(rows[0].n).toBe(0);
  });

  test("R33 no foreign page decides: another origin, no origin, a form's body", async () => {
    const { runId, gate } = await world.openOne(plan());
    const cookie = await world.api.signIn("approver");
    const post = (headers: Record<string, string>, body: string) =>
      world.api.fetch("gates.decide", { method: "POST", headers: { ...cookie, ...headers }, body });
    const body = JSON.stringify({ ...gate, decision: "approve" });
    const json = { "content-type": "application/json" };
    const foreign = [
      await post({ ...json, origin: "https://evil.example" }, body),
      await post(json, body),
      await post({ ...json, origin: "null" }, body),
      await post({ ...json, ...ORIGIN, "sec-fetch-site": "cross-site" }, body),
      await post({ "content-type": "text/plain", ...ORIGIN }, body),
      await post(
        { "content-type": "application/x-www-form-urlencoded", ...ORIGIN },
        `gateId=${gate.gateId}&decision=approve`,
      ),
    ];
    for (const { status } of foreign) expect(status).toBeGreaterThanOrEqual(400);
    expect(await world.decisions(runId)).toEqual([]);
  });

  test("bugs 22: a bare answer is refused, whether one gate is open or several", async () => {
    for (const keys of [["one"], ["one", "two"]]) {
      const { runId, gates } = await world.open(countingPlan(keys));
      const [gate] = gates;
      const { gateId: _gateId, ...rest } = gate ?? { gateId: "" };
      expect((await world.decide(rest)).status).toBe(400);
      expect((await world.decide({ runId })).status).toBe(400);
      expect(await world.decisions(runId)).toEqual([]);
    }
  });
});

test("more requests than anybody reads with care are said to be too many", async () => {
  const reader = await add("swamped", ["approver"]);
  await world.open(
    countingPlan(
      Array.from({ length: 30 }, (_, index) => `many-${index}`),
      { people: [reader.personId] },
    ),
  );
  const inbox = await world.api.query("gates.list", {}, reader);
  expect(inbox.data.waiting).toBeGreaterThanOrEqual(30);
  expect(inbox.data.tooMany).toBe(true);
});

test("no request was answered with a fault of ours", () => {
  expect(world.api.faults).toEqual([]);
});
