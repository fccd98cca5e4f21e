import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canonicalJson } from "#kernel/json";
import type { Database } from "../../../server/db";
import type { NewAuditEntry } from "../../../server/runtime/audit-log";
import { appendAudit } from "../../../server/store/audit-log";
import { inTransaction } from "../../../server/store/transaction";
import { openTestDatabase } from "../../support/test-database";

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const entry = (workspaceId: string, changes: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  workspaceId,
  actor: { kind: "person", id: "p1", name: "Engineer", via: "session" },
  action: "test.happened",
  subject: { kind: "thing", id: "t1" },
  ...changes,
});

test("an entry is hashed as the canonical JSON of its header, whatever text it carries", async () => {
  const texts = fc.string({ unit: "binary", maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(texts, texts, fc.jsonValue({ noUnicodeString: false }), async (id, name, detail) => {
      const { prisma, pool } = database;
      await appendAudit(
        pool,
        entry("words", { subject: { kind: "thing", id, name }, detail: { detail: detail as never } }),
      );
      const row = await prisma.auditEntry.findFirstOrThrow({
        where: { workspaceId: "words" },
        orderBy: { number: "desc" },
      });
      const { payload, hash, at, ...header } = row;
      expect(row.payloadHash).toBe(sha256(payload ?? ""));
      expect(canonicalJson(JSON.parse(payload ?? ""))).toBe(payload);
      expect(hash).toBe(sha256(canonicalJson({ ...header, at: Number(at) })));
    }),
    { numRuns: 200 },
  );
});

test("numbers are contiguous and hashes chained however many append at once, and a rolled-back entry leaves no gap", async () => {
  const { pool, prisma } = database;
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const work = inTransaction(pool, async (client) => {
        // Both workspaces, in either order: sorted by the call, so nobody waits for each other.
        const pair = [entry("many-a"), entry("many-b")];
        await appendAudit(client, index % 2 === 0 ? pair : pair.toReversed());
        if (index % 4 === 3) throw new Error("rolled back");
      });
      await work.catch((error: Error) => expect(error.message).toBe("rolled back"));
    }),
  );
  for (const workspaceId of ["many-a", "many-b"]) {
    const rows = await prisma.auditEntry.findMany({ where: { workspaceId }, orderBy: { number: "asc" } });
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    rows.forEach((row, index) => {
      expect(row.previousHash).toBe(rows[index - 1]?.hash ?? "0".repeat(64));
    });
    const head = await prisma.auditHead.findUniqueOrThrow({ where: { workspaceId } });
    expect(head).toEqual({ workspaceId, number: 30, hash: rows.at(-1)?.hash });
  }
});

test("no row can be changed or removed, but for a payload that is taken away", async () => {
  const { pool } = database;
  await appendAudit(pool, [entry("kept"), entry("kept")]);
  const refused = [
    "UPDATE audit_entries SET action = 'test.other' WHERE workspace_id = 'kept' AND number = 1",
    "UPDATE audit_entries SET payload = '{}' WHERE workspace_id = 'kept' AND number = 1",
    "UPDATE audit_entries SET payload = NULL, actor_id = 'p2' WHERE workspace_id = 'kept' AND number = 1",
    "DELETE FROM audit_entries WHERE workspace_id = 'kept' AND number = 2",
    "TRUNCATE audit_entries",
    "UPDATE audit_heads SET number = 1 WHERE workspace_id = 'kept'",
    "DELETE FROM audit_heads WHERE workspace_id = 'kept'",
  ];
  for (const statement of refused) await expect(pool.query(statement), statement).rejects.toThrow(/append-only/);
  const { rowCount } = await pool.query(
    "UPDATE audit_entries SET payload = NULL WHERE workspace_id = 'kept' AND number = 1",
  );
  expect(rowCount).toBe(1);
});
