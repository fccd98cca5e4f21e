import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canonicalJson } from "#kernel/json";
import type { Database } from "../../../server/db";
import { AuditChain, auditHash } from "../../../server/runtime/audit-chain";
import { auditLine, parseAuditLine } from "../../../server/runtime/audit-file";
import type { AuditRecord } from "../../../server/runtime/audit-log";
import type { AuditReport } from "../../../server/runtime/audit-reader";
import { appendAudit } from "../../../server/store/audit-log";
import { readAudit, storedHead } from "../../../server/store/audit-reader";
import { verifyAudit } from "../../../server/store/verify-audit";
import { randomOf } from "../../support/random";
import { openTestDatabase } from "../../support/test-database";

const ROUNDS = 100;
const ENTRIES = 60;
const SEED = 20_261_130;

let database: Database;
let rows: readonly AuditRecord[];
const random = randomOf(SEED);
/** A whole number from `low` to `high`, both included. */
const pick = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));

beforeAll(async () => {
  database = await openTestDatabase();
  for (const workspaceId of ["ours", "theirs"]) {
    for (let index = 0; index < ENTRIES; index += 1) {
      await appendAudit(database.pool, {
        workspaceId,
        actor: { kind: "person", id: `p${index % 3}`, name: "Somebody", via: "session" },
        action: "test.happened",
        subject: { kind: "thing", id: `t${index}` },
        detail: { index, note: `n${index}` },
      });
    }
  }
  rows = await all();
});
afterAll(() => database.close());

async function all(client: Pick<PoolClient, "query"> = database.pool): Promise<AuditRecord[]> {
  const read: AuditRecord[] = [];
  for await (const page of readAudit(client, "ours")) read.push(...page);
  return read;
}

/** What verification says after `tamper`, done as the database's superuser with every trigger off, and undone again. */
async function tampered(tamper: (client: PoolClient) => Promise<void>): Promise<AuditReport> {
  const client = await database.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SET LOCAL session_replication_role = replica");
    await tamper(client);
    return await verifyAudit(client, "ours");
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

const numbersOf = ({ faults }: AuditReport): number[] => faults.map(({ number }) => number);
const update = (client: PoolClient, number: number, column: string, value: unknown) =>
  client.query(`UPDATE audit_entries SET ${column} = $2 WHERE workspace_id = 'ours' AND number = $1`, [number, value]);

/** Ways to edit one row: each column, the payload with and without its hash, and a whole row hashed anew. */
const EDITS: readonly ((client: PoolClient, row: AuditRecord) => Promise<unknown>)[] = [
  (client, { number }) => update(client, number, "at", 1),
  (client, { number }) => update(client, number, "actor_id", "somebody-else"),
  (client, { number }) => update(client, number, "actor_kind", "system"),
  (client, { number }) => update(client, number, "action", "test.other"),
  (client, { number }) => update(client, number, "subject_id", "another"),
  (client, { number }) => update(client, number, "subject_kind", "other"),
  (client, { number }) => update(client, number, "payload", "{}"),
  (client, { number }) => update(client, number, "payload", null),
  (client, { number, payload }) => update(client, number, "payload", `${payload} `),
  (client, { number }) => update(client, number, "payload_hash", "0".repeat(64)),
  (client, { number }) => update(client, number, "previous_hash", "1".repeat(64)),
  (client, { number }) => update(client, number, "hash", "2".repeat(64)),
  async (client, row) => {
    const changed = { ...row, actorId: "somebody-else" };
    await update(client, row.number, "actor_id", changed.actorId);
    await update(client, row.number, "hash", auditHash(changed));
  },
];

describe(`as the database's superuser, ${ROUNDS} times each (seed ${SEED})`, () => {
  test("nothing is found where nothing was done", async () => {
    expect(await tampered(async () => {})).toMatchObject({ entries: ENTRIES, faults: [] });
  });

  test("an edited entry is found and named", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const row = rows[pick(0, ENTRIES - 1)] as AuditRecord;
      const edit = EDITS[round % EDITS.length] as (typeof EDITS)[number];
      const found = numbersOf(await tampered(async (client) => void (await edit(client, row))));
      // An entry hashed anew is right in itself: the one after it, or the head, no longer continues it.
      const isHashedAnew = round % EDITS.length === EDITS.length - 1;
      expect(found, `round ${round}`).toContain(isHashedAnew ? Math.min(row.number + 1, ENTRIES) : row.number);
    }
  });

  test("a deleted entry is found and named, also where the numbers after it were closed up", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const number = pick(1, ENTRIES - 1);
      const found = await tampered(async (client) => {
        await client.query("DELETE FROM audit_entries WHERE workspace_id = 'ours' AND number = $1", [number]);
        if (round % 2 === 0) return;
        await client.query(
          "UPDATE audit_entries SET number = number + 100000 WHERE workspace_id = 'ours' AND number > $1",
          [number],
        );
        await client.query(
          "UPDATE audit_entries SET number = number - 100001 WHERE workspace_id = 'ours' AND number > 100000",
        );
      });
      expect(numbersOf(found), `round ${round}`).toContain(number);
    }
  });

  test("an inserted entry is found and named, in the middle and at the end", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const number = round % 4 === 0 ? ENTRIES + 1 : pick(2, ENTRIES);
      const before = rows[number - 2] as AuditRecord;
      const forged: AuditRecord = { ...before, number, subjectId: randomUUID(), previousHash: before.hash };
      const found = await tampered(async (client) => {
        await client.query(
          "UPDATE audit_entries SET number = number + 100000 WHERE workspace_id = 'ours' AND number >= $1",
          [number],
        );
        await client.query(
          "UPDATE audit_entries SET number = number - 99999 WHERE workspace_id = 'ours' AND number > 100000",
        );
        await insert(client, { ...forged, hash: auditHash(forged) });
      });
      const named = numbersOf(found);
      expect(
        named.some((each) => each === number || each === number + 1),
        `round ${round}: ${named}`,
      ).toBe(true);
    }
  });

  test("two entries that changed places are found and named", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const first = pick(1, ENTRIES - 1);
      const second = pick(first + 1, ENTRIES);
      const found = numbersOf(
        await tampered(async (client) => {
          await update(client, first, "number", 100_000);
          await update(client, second, "number", first);
          await update(client, 100_000, "number", second);
        }),
      );
      expect(found, `round ${round}`).toEqual(expect.arrayContaining([first, second]));
    }
  });

  test("a tail that was cut off is found from the head, and from an exported head where that was cut too", async () => {
    const exported = await storedHead(database.pool, "ours");
    for (let round = 0; round < ROUNDS; round += 1) {
      const kept = pick(0, ENTRIES - 1);
      const alsoHead = round % 2 === 1;
      const client = await database.pool.connect();
      try {
        await client.query("BEGIN");
        await client.query("SET LOCAL session_replication_role = replica");
        await client.query("DELETE FROM audit_entries WHERE workspace_id = 'ours' AND number > $1", [kept]);
        if (alsoHead) {
          await client.query("UPDATE audit_heads SET number = $1, hash = $2 WHERE workspace_id = 'ours'", [
            kept,
            rows[kept - 1]?.hash ?? "0".repeat(64),
          ]);
        }
        const blind = await verifyAudit(client, "ours");
        expect(numbersOf(blind), `round ${round}`).toEqual(alsoHead ? [] : [kept + 1]);
        expect(numbersOf(await verifyAudit(client, "ours", exported)), `round ${round}`).toContain(kept + 1);
      } finally {
        await client.query("ROLLBACK");
        client.release();
      }
    }
  });

  test("an entry of another workspace in the place of ours is found and named", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const number = pick(1, ENTRIES);
      const found = await tampered(async (client) => {
        await client.query("DELETE FROM audit_entries WHERE workspace_id = 'ours' AND number = $1", [number]);
        await client.query(
          "UPDATE audit_entries SET workspace_id = 'ours' WHERE workspace_id = 'theirs' AND number = $1",
          [number],
        );
      });
      expect(numbersOf(found), `round ${round}`).toContain(number);
    }
  });

  test("a chain that was written anew from some entry on is found from an exported head", async () => {
    const exported = await storedHead(database.pool, "ours");
    for (let round = 0; round < ROUNDS; round += 1) {
      const from = pick(1, ENTRIES);
      const chain = new AuditChain("ours", exported);
      let previous = rows[from - 2]?.hash ?? "0".repeat(64);
      const faults = rows.flatMap((row) => {
        if (row.number < from) return chain.add(row);
        const forged = { ...row, actorId: "somebody-else", previousHash: previous };
        const written = { ...forged, hash: auditHash(forged) };
        previous = written.hash;
        return chain.add(written);
      });
      expect([...faults, ...chain.end()].map(({ kind, number }) => [kind, number])).toEqual([
        ["exported_head", ENTRIES],
      ]);
    }
  });
});

async function insert(client: PoolClient, record: AuditRecord): Promise<void> {
  await client.query("INSERT INTO audit_entries VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)", [
    record.workspaceId,
    record.number,
    record.at,
    record.actorKind,
    record.actorId,
    record.action,
    record.subjectKind,
    record.subjectId,
    record.payload,
    record.payloadHash,
    record.previousHash,
    record.hash,
  ]);
}

test("an exported line is the entry again, and one changed character of it is found", () => {
  for (const row of rows) {
    const line = auditLine(row);
    const read = parseAuditLine(line);
    expect(read).toEqual({ ok: true, value: row });
    expect(canonicalJson(JSON.parse(line).payload)).toBe(row.payload);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const lines = rows.map(auditLine);
    const place = pick(0, lines.length - 1);
    const line = lines[place] as string;
    const at = pick(0, line.length - 1);
    const letter = line[at] === "x" ? "y" : "x";
    lines[place] = `${line.slice(0, at)}${letter}${line.slice(at + 1)}`;
    const chain = new AuditChain("ours");
    const isFound = lines.some((each) => {
      const read = parseAuditLine(each);
      return !read.ok || chain.add(read.value).length > 0;
    });
    expect(isFound, lines[place]).toBe(true);
  }
});
