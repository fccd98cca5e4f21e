import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KEY_SCOPES } from "../../../server/runtime/key-scope";
import { type ApiServer, type Credentials, openApiServer } from "../../support/api-server";
import { gatedPlan, startGatedRun } from "../../support/gated-run";

let api: ApiServer;
let second: Credentials & { readonly personId: string };
beforeAll(async () => {
  api = await openApiServer();
  second = await api.addPerson({ name: "second", roles: ["approver"], workspaceId: api.workspaceId });
});
afterAll(() => api.close());

const decide = (input: object, who: Credentials = api.keys.approver) => api.mutate("gates.decide", input, who);
const codeOf = (answer: { error?: { data: { appCode: string } } }) => answer.error?.data.appCode;

async function decisionsOf(runId: string): Promise<readonly { decision: string; by: { name: string } }[]> {
  const { data } = await api.query("runs.events", { runId }, api.keys.reviewer);
  return data.events.filter(({ type }: { type: string }) => type === "approval_decided");
}

test("an approver who saw the request signs it once", async () => {
  const { runId, seen } = await startGatedRun(api, api.keys.engineer);
  const answer = await decide({ ...seen, decision: "approve" });
  expect(answer.data).toMatchObject({ gateId: seen.gateId, status: "approved" });
  const replayed = await decide({ ...seen, decision: "approve" });
  expect(codeOf(replayed)).toBe("gate_closed");
  const contrary = await decide({ ...seen, decision: "reject", reason: "no" }, second);
  expect(codeOf(contrary)).toBe("gate_closed");
  expect(contrary.error?.message).toContain("Approver");
  expect(await decisionsOf(runId)).toHaveLength(1);
});

test("of two approvers who race, one signs and the other is told who was first", async () => {
  for (let round = 0; round < 5; round++) {
    const { runId, seen } = await startGatedRun(api, api.keys.engineer);
    const answers = await Promise.all([
      decide({ ...seen, decision: "approve" }),
      decide({ ...seen, decision: "reject", reason: "no" }, second),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [decision] = await decisionsOf(runId);
    const loser = answers.find(({ status }) => status === 409);
    expect(codeOf(loser ?? {})).toBe("gate_closed");
    expect(loser?.error?.message).toContain(decision?.by.name);
    expect(await decisionsOf(runId)).toHaveLength(1);
  }
});

test("a quorum counts distinct people", async () => {
  const { seen } = await startGatedRun(api, api.keys.engineer, gatedPlan({ quorum: 2 }));
  expect((await decide({ ...seen, decision: "approve" })).data.status).toBe("open");
  expect(codeOf(await decide({ ...seen, decision: "approve" }))).toBe("already_decided");
  expect((await decide({ ...seen, decision: "approve" }, second)).data.status).toBe("approved");
});

test("whoever started the run cannot sign for it, whatever their roles", async () => {
  const both = await api.addPerson({ name: "both", roles: ["engineer", "approver"], workspaceId: api.workspaceId });
  const { runId, seen } = await startGatedRun(api, both);
  const answer = await decide({ ...seen, decision: "approve" }, both);
  expect(answer.status).toBe(403);
  expect(codeOf(answer)).toBe("four_eyes");
  const own = await api.query("gates.get", { gateId: seen.gateId }, both);
  expect(own.data.mine.canDecide).toBe(false);
  expect(await decisionsOf(runId)).toEqual([]);
});

test("a role that was taken away since the gate opened no longer signs", async () => {
  const former = await api.addPerson({ name: "former", roles: ["approver"], workspaceId: api.workspaceId });
  const { seen } = await startGatedRun(api, api.keys.engineer);
  await api.database.prisma.membership.updateMany({
    where: { personId: former.personId },
    data: { roles: ["reviewer"] },
  });
  expect(codeOf(await decide({ ...seen, decision: "approve" }, former))).toBe("not_eligible");
});

test.each([
  ["a key that was not made for signing", { scopes: ["read", "run"] }, "forbidden"],
  ["an agent's key, even with the scope", { agent: true }, "not_eligible"],
])("%s signs nothing", async (_name, change, code) => {
  const { prisma } = api.database;
  await prisma.apiKey.updateMany({ where: { personId: second.personId }, data: change });
  const { seen } = await startGatedRun(api, api.keys.engineer);
  expect(codeOf(await decide({ ...seen, decision: "approve" }, second))).toBe(code);
  await prisma.apiKey.updateMany({
    where: { personId: second.personId },
    data: { scopes: [...KEY_SCOPES], agent: false },
  });
});

test("after the time to decide nothing is signed, by the database's clock", async () => {
  const { seen } = await startGatedRun(api, api.keys.engineer, gatedPlan({ decideWithinSeconds: 0 }));
  expect(codeOf(await decide({ ...seen, decision: "approve" }))).toBe("gate_expired");
});

test.each([
  ["another hash", { argumentsHash: "0".repeat(64) }],
  ["another nonce", { nonce: "guessed" }],
])("a decision made on %s decides nothing", async (_name, change) => {
  const { runId, seen } = await startGatedRun(api, api.keys.engineer);
  expect(codeOf(await decide({ ...seen, decision: "approve", ...change }))).toBe("gate_changed");
  expect(await decisionsOf(runId)).toEqual([]);
});

test("a bare answer without a gate is refused, however many are open", async () => {
  const { seen, runId } = await startGatedRun(api, api.keys.engineer);
  const { gateId: _gateId, ...rest } = seen;
  expect((await decide({ ...rest, decision: "approve" })).status).toBe(400);
  expect((await decide({ runId, decision: "approve" })).status).toBe(400);
});

test("a rejection says why", async () => {
  const { seen } = await startGatedRun(api, api.keys.engineer);
  expect(codeOf(await decide({ ...seen, decision: "reject" }))).toBe("reason_required");
  expect(codeOf(await decide({ ...seen, decision: "reject", reason: "   " }))).toBe("reason_required");
  expect((await decide({ ...seen, decision: "reject", reason: "wrong folder" })).data.status).toBe("rejected");
});

test("edited arguments are checked like the plan's were", async () => {
  const { seen } = await startGatedRun(api, api.keys.engineer);
  const wrong = await decide({ ...seen, decision: "send_back", reason: "typo", editedArguments: { path: 1 } });
  expect(codeOf(wrong)).toBe("arguments_invalid");
  const editedArguments = { path: "b.txt", text: "hello" };
  expect((await decide({ ...seen, decision: "send_back", reason: "typo", editedArguments })).data.status).toBe(
    "sent_back",
  );
});

test("nothing but a POST decides: not GET, HEAD or OPTIONS, nor the bots that preview links", async () => {
  const { runId, seen } = await startGatedRun(api, api.keys.engineer);
  const input = encodeURIComponent(JSON.stringify({ ...seen, decision: "approve" }));
  const session = await api.signIn("approver");
  for (const method of ["GET", "HEAD", "OPTIONS"]) {
    for (const agent of ["Slackbot-LinkExpanding 1.0", "Mozilla/5.0", "facebookexternalhit/1.1"]) {
      for (const credentials of [session, api.keys.approver]) {
        const headers = { ...credentials, "user-agent": agent, origin: "http://planwright.test" };
        await api.fetch(`gates.decide?input=${input}`, { method, headers });
        await api.fetch(`gates.get?input=${input}`, { method, headers });
      }
    }
  }
  expect(await decisionsOf(runId)).toEqual([]);
});

describe("the inbox", () => {
  test("counts what waits for the asker, and says why the rest does not", async () => {
    const { seen } = await startGatedRun(api, api.keys.engineer);
    const mine = (await api.query("gates.list", {}, api.keys.approver)).data;
    const theirs = (await api.query("gates.list", {}, api.keys.reviewer)).data;
    const entry = mine.gates.find(({ id }: { id: string }) => id === seen.gateId);
    expect(entry).toMatchObject({ capability: "file.write@2", sideEffect: "write", mine: { canDecide: true } });
    expect(mine.waiting).toBe(
      mine.gates.filter((gate: { mine: { canDecide: boolean } }) => gate.mine.canDecide).length,
    );
    expect(theirs.waiting).toBe(0);
    expect(theirs.gates.find(({ id }: { id: string }) => id === seen.gateId).mine.why).toContain("approver");
  });

  test("shows and counts what waits for the asker, however many gates of others are due before it", async () => {
    const { id: workspaceId } = await api.database.prisma.workspace.create({ data: { name: "Many gates" } });
    const member = (name: string, role: "engineer" | "reviewer" | "approver") =>
      api.addPerson({ name, roles: [role], workspaceId });
    const engineer = await member("asks", "engineer");
    const [reviewer, approver] = [await member("reviews", "reviewer"), await member("approves", "approver")];
    const own = await startGatedRun(api, engineer, gatedPlan({ decideWithinSeconds: 90_000 }));
    const approval = { role: "reviewer", decideWithinSeconds: 600 };
    await startGatedRun(api, engineer, {
      format: "planwright/v1",
      name: "many writes behind gates",
      tasks: Array.from({ length: 150 }, (_, index) => ({
        id: `write-${index}`,
        capability: "file.write",
        arguments: { path: `${index}.txt`, text: "hello" },
        approval,
      })),
    });
    const mine = (await api.query("gates.list", {}, approver)).data;
    expect(mine).toMatchObject({ waiting: 1, delegated: 0, open: 151, more: true, tooMany: false });
    expect(mine.gates).toHaveLength(100);
    expect(mine.gates[0]).toMatchObject({ id: own.seen.gateId, mine: { canDecide: true } });
    const theirs = (await api.query("gates.list", { limit: 200 }, reviewer)).data;
    expect(theirs).toMatchObject({ waiting: 150, open: 151, more: false, tooMany: true });
    expect(theirs.gates.at(-1)).toMatchObject({ id: own.seen.gateId, mine: { canDecide: false } });
    expect((await api.query("gates.list", { open: false }, approver)).data).toMatchObject({ waiting: 1, gates: [] });
  });

  test("keeps what was decided, newest first", async () => {
    const { seen } = await startGatedRun(api, api.keys.engineer);
    await decide({ ...seen, decision: "approve" });
    const { gates } = (await api.query("gates.list", { open: false }, api.keys.reviewer)).data;
    expect(gates[0]).toMatchObject({ id: seen.gateId, status: "approved" });
  });
});

test("no request was answered with a fault of ours", () => {
  expect(api.faults).toEqual([]);
});
