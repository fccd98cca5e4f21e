import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { handleAuditExport } from "../../../server/trpc/audit-export";
import { type ApiServer, ORIGIN, openApiServer } from "../../support/api-server";
import { runInProcess } from "../../support/command-line";

let api: ApiServer;
let lines: string[];
let headFile: string;
const folder = mkdtempSync(path.join(tmpdir(), "planwright-audit-"));

const exported = async (part: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
  handleAuditExport(new Request(`http://planwright.test/api/audit/${part}`, { headers }), part, api.services);
function file(name: string, text: string): string {
  const place = path.join(folder, name);
  writeFileSync(place, text);
  return place;
}

beforeAll(async () => {
  api = await openApiServer();
  const admin = { ...(await api.signIn("admin")), ...ORIGIN };
  for (const email of ["a@example.org", "b@example.org", "c@example.org"]) {
    await api.mutate("invitations.create", { email, roles: ["engineer"] }, admin);
  }
  lines = (await (await exported("entries.jsonl", admin)).text()).split("\n").filter(Boolean);
  headFile = file("head.json", await (await exported("head.json", admin)).text());
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

const verify = (text: readonly string[], ...more: string[]) =>
  runInProcess(["verify-audit", file("audit.jsonl", text.join("\n")), ...more]);

describe("verify-audit of an exported file", () => {
  test("ends with 0 where nothing was changed, with an exported head or without", async () => {
    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect((await verify(lines)).code).toBe(0);
    const { code, stdout } = await verify(lines, "--head", headFile);
    expect([code, stdout]).toEqual([0, expect.stringContaining("intact")]);
  });

  test("ends with 1 and names the row that was changed, removed or cut off", async () => {
    const edited = lines.map((line, index) =>
      index === 1 ? line.replace("invitation.created", "invitation.revoked") : line,
    );
    const cases: readonly [readonly string[], string, ...string[]][] = [
      [edited, "entry 2"],
      [lines.filter((_, index) => index !== 1), "Entry 2 is not there"],
      [lines.slice(0, -1), `entry ${lines.length}`, "--head", headFile],
      [[...lines.slice(0, 1), "{}", ...lines.slice(2)], "Line 2"],
      [[], "entry 1", "--head", headFile],
    ];
    for (const [text, names, ...more] of cases) {
      const { code, stdout } = await verify(text, ...more);
      expect([code, stdout]).toEqual([1, expect.stringContaining(names)]);
    }
    const answer = JSON.parse((await verify(edited, "--json")).stdout);
    expect(answer).toMatchObject({ intact: false, workspaces: [{ faults: [{ number: 2, kind: "edited" }] }] });
  });

  test("ends with 2 where the call is wrong", async () => {
    expect((await verify(lines, "--head", file("no-head.json", "{}"))).code).toBe(2);
    expect((await verify(lines, "--database", "postgres://x")).code).toBe(2);
  });
});

describe("verify-audit of a database", () => {
  test("verifies every workspace, and runs by their digests", async () => {
    const good = await runInProcess(["verify-audit", "--database", api.database.url, "--head", headFile]);
    expect([good.code, good.stderr]).toEqual([0, ""]);
    const client = await api.database.pool.connect();
    await client.query("SET session_replication_role = replica");
    await client.query("UPDATE audit_entries SET actor_id = 'x' WHERE number = 2");
    await client.query("SET session_replication_role = DEFAULT");
    client.release();
    const bad = await runInProcess(["verify-audit", "--database", api.database.url]);
    expect([bad.code, bad.stdout]).toEqual([1, expect.stringContaining("entry 2")]);
    const { data } = await api.query("audit.verify", undefined, api.keys.admin);
    expect(data.faults).toMatchObject([{ number: 2, kind: "edited" }]);
  });
});

test("the export is an admin's alone", async () => {
  for (const part of ["entries.jsonl", "head.json"]) {
    expect((await exported(part, {})).status).toBe(401);
    expect((await exported(part, api.keys.engineer)).status).toBe(403);
    expect((await exported(part, await api.makeKey("admin", { scopes: ["read"] }))).status).toBe(403);
    expect((await exported(part, api.keys.admin)).status).toBe(200);
  }
  expect((await exported("other", api.keys.admin)).status).toBe(404);
});
