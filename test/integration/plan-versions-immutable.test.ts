import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../server/db";
import { openTestDatabase } from "../support/test-database";

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test("a plan version cannot be changed, not even by hand", async () => {
  const { prisma } = database;
  const person = await prisma.person.create({ data: { id: "p1", name: "Engineer", email: "engineer@example.org" } });
  const workspace = await prisma.workspace.create({ data: { name: "Operations" } });
  const plan = await prisma.plan.create({
    data: { workspaceId: workspace.id, createdById: person.id, name: "a plan" },
  });
  const version = await prisma.planVersion.create({
    data: {
      planId: plan.id,
      number: 1,
      contentHash: "0".repeat(64),
      document: "{}",
      taskCount: 0,
      authorId: person.id,
    },
  });
  await expect(prisma.planVersion.update({ where: { id: version.id }, data: { document: "changed" } })).rejects.toThrow(
    /immutable/,
  );
});
