import { randomInt, randomUUID } from "node:crypto";
import { hashPassword } from "better-auth/crypto";
import type { Database } from "../db";
import type { Role } from "../runtime/principal";

export interface FirstPerson {
  readonly name: string;
  readonly email: string;
  /** Shown once: only its hash is kept. */
  readonly password: string;
}

interface LocalPerson {
  readonly name: string;
  readonly email: string;
  readonly roles: Role[];
}

/** One a role: four eyes need two people, a reviewer shows what somebody sees who may change nothing. */
const LOCAL_PEOPLE: readonly LocalPerson[] = [
  { name: "Engineer", email: "engineer@planwright.local", roles: ["engineer"] },
  { name: "Reviewer", email: "reviewer@planwright.local", roles: ["reviewer"] },
  { name: "Approver", email: "approver@planwright.local", roles: ["approver"] },
  { name: "Admin", email: "admin@planwright.local", roles: ["admin"] },
];

const WORKSPACE_NAME = "Operations";

/** Two starts at once must not make two sets of people. */
const FIRST_PEOPLE_LOCK = 72_707_370;

/** Makes a workspace with these people where there is nobody yet. Empty: there was somebody. */
export async function createFirstPeople({ prisma }: Pick<Database, "prisma">): Promise<FirstPerson[]> {
  if ((await prisma.person.count()) > 0) return [];
  const people = await Promise.all(
    LOCAL_PEOPLE.map(async (person) => {
      const password = newPassword();
      return { ...person, id: randomUUID(), password, hash: await hashPassword(password) };
    }),
  );
  return prisma.$transaction(
    async (transaction) => {
      await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${FIRST_PEOPLE_LOCK})`;
      if ((await transaction.person.count()) > 0) return [];
      const workspace = await transaction.workspace.create({ data: { name: WORKSPACE_NAME } });
      for (const { id, name, email, roles, hash } of people) {
        await transaction.person.create({
          data: {
            id,
            name,
            email,
            emailVerified: true,
            accounts: { create: { id: randomUUID(), accountId: id, providerId: "credential", password: hash } },
            memberships: { create: { workspaceId: workspace.id, roles } },
          },
        });
      }
      return people.map(({ name, email, password }) => ({ name, email, password }));
    },
    { timeout: 30_000 },
  );
}

/** New passwords for those of the first people who are still there. Their sessions end. */
export async function newPasswords({ prisma }: Pick<Database, "prisma">): Promise<FirstPerson[]> {
  const known = await prisma.person.findMany({ where: { email: { in: LOCAL_PEOPLE.map(({ email }) => email) } } });
  return Promise.all(
    known.map(async ({ id, name, email }) => {
      const password = newPassword();
      await prisma.account.updateMany({
        where: { personId: id, providerId: "credential" },
        data: { password: await hashPassword(password) },
      });
      await prisma.session.deleteMany({ where: { personId: id } });
      return { name, email, password };
    }),
  );
}

/** 80 random bits, without letters that are mistaken for others, in groups that can be read out. */
function newPassword(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const word = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return Array.from({ length: 4 }, word).join("-");
}
