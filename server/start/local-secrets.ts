import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { hashApiKey, newApiKey } from "../auth/api-key";
import type { Database } from "../db";

/** The secret that signs cookies, made at the first start and kept, so that people stay signed in. */
export function authSecret(stateFolder: string): string {
  const file = path.join(stateFolder, "auth-secret");
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  return readFileSync(file, "utf8").trim();
}

/** What the command line reads to find and to be let into the server of its checkout. */
const accessSchema = z.object({ url: z.string(), apiKey: z.string() });

const KEY_NAME = "Command line of this machine";

/** Writes `cli.json`: the address, and a key that acts as the first engineer. The key it holds is kept while it lives. */
export async function writeCommandLineAccess(
  { prisma }: Pick<Database, "prisma">,
  stateFolder: string,
  url: string,
): Promise<void> {
  const file = path.join(stateFolder, "cli.json");
  const apiKey = (await livingKey(prisma, file)) ?? (await makeKey(prisma));
  if (apiKey) writeFileSync(file, `${JSON.stringify({ url, apiKey })}\n`, { mode: 0o600 });
}

async function livingKey(prisma: Database["prisma"], file: string): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  const access = accessSchema.safeParse(parsed(readFileSync(file, "utf8")));
  if (!access.success) return undefined;
  const key = await prisma.apiKey.findUnique({ where: { hash: hashApiKey(access.data.apiKey) } });
  return key && key.revokedAt === null ? access.data.apiKey : undefined;
}

async function makeKey(prisma: Database["prisma"]): Promise<string | undefined> {
  const owner = await prisma.membership.findFirst({
    where: { roles: { has: "engineer" } },
    orderBy: [{ createdAt: "asc" }, { personId: "asc" }],
  });
  if (!owner) return undefined;
  const { secret, prefix, hash } = newApiKey();
  const { workspaceId, personId } = owner;
  await prisma.apiKey.create({ data: { workspaceId, personId, name: KEY_NAME, prefix, hash, scopes: [] } });
  return secret;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
