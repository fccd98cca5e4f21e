import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hashApiKey, newApiKey } from "../auth/api-key";
import { type Credentials, credentialsSchema } from "../cli/credentials";
import type { Database } from "../db";
import type { KeyScope } from "../runtime/key-scope";
import type { Role } from "../runtime/principal";
import { newSecretKey } from "../secrets/key-ring";

/** The secret that signs cookies, made at the first start and kept, so that people stay signed in. */
export function authSecret(stateFolder: string): string {
  const file = path.join(stateFolder, "auth-secret");
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  return readFileSync(file, "utf8").trim();
}

/** The key that encrypts the secrets of capabilities, made at the first start. Without it they cannot be read again. */
export function secretKey(stateFolder: string): string {
  const file = path.join(stateFolder, "secret-key");
  if (!existsSync(file)) writeFileSync(file, newSecretKey(), { mode: 0o600, flag: "wx" });
  return readFileSync(file, "utf8").trim();
}

interface CommandLineKey {
  readonly name: string;
  readonly role: Role;
  readonly scopes: KeyScope[];
}

/** Acts as the first engineer: whoever may read this file is the one who started the server. */
const ENGINEER_KEY: CommandLineKey = {
  name: "Command line of this machine",
  role: "engineer",
  scopes: ["read", "plan", "run"],
};
/** Signs as the first approver, for `run --approve-all`: four eyes let nobody sign the gates of a run of their own. */
const APPROVER_KEY: CommandLineKey = {
  name: "Command line of this machine, signing",
  role: "approver",
  scopes: ["read", "decide"],
};

/** Writes `cli.json`: the address and the keys of the command line. Keys it holds are kept while they live. */
export async function writeCommandLineAccess(
  { prisma }: Pick<Database, "prisma">,
  stateFolder: string,
  url: string,
): Promise<void> {
  const file = path.join(stateFolder, "cli.json");
  const known = credentialsIn(file);
  const apiKey = (await livingKey(prisma, known.apiKey)) ?? (await makeKey(prisma, ENGINEER_KEY));
  if (apiKey === undefined) return;
  const approverApiKey = (await livingKey(prisma, known.approverApiKey)) ?? (await makeKey(prisma, APPROVER_KEY));
  const credentials: Credentials = { url, apiKey, ...(approverApiKey === undefined ? {} : { approverApiKey }) };
  writeFileSync(file, `${JSON.stringify(credentials)}\n`, { mode: 0o600 });
}

function credentialsIn(file: string): Partial<Credentials> {
  if (!existsSync(file)) return {};
  const read = credentialsSchema.partial().safeParse(parsed(readFileSync(file, "utf8")));
  return read.success ? read.data : {};
}

async function livingKey(prisma: Database["prisma"], secret: string | undefined): Promise<string | undefined> {
  if (secret === undefined) return undefined;
  const key = await prisma.apiKey.findUnique({ where: { hash: hashApiKey(secret) } });
  return key && key.revokedAt === null ? secret : undefined;
}

async function makeKey(
  prisma: Database["prisma"],
  { name, role, scopes }: CommandLineKey,
): Promise<string | undefined> {
  const owner = await prisma.membership.findFirst({
    where: { roles: { has: role } },
    orderBy: [{ createdAt: "asc" }, { personId: "asc" }],
  });
  if (!owner) return undefined;
  const { secret, prefix, hash } = newApiKey();
  const { workspaceId, personId } = owner;
  await prisma.apiKey.create({ data: { workspaceId, personId, name, prefix, hash, scopes } });
  return secret;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
