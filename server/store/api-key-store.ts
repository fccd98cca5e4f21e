import type { PrismaClient } from "../../prisma/generated/client";
import { newApiKey, SIGN_SCOPE } from "../auth/api-key";
import { type ApiKeyStore, type ApiKeySummary, apiKeySummarySchema } from "../runtime/api-key-store";

interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
}

const summaryOf = (row: ApiKeyRow): ApiKeySummary =>
  apiKeySummarySchema.parse({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    maySign: row.scopes.includes(SIGN_SCOPE),
    createdAt: row.createdAt.getTime(),
    ...(row.lastUsedAt === null ? {} : { lastUsedAt: row.lastUsedAt.getTime() }),
    ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt.getTime() }),
  });

/** API keys in Postgres: the hash is kept, the secret is in the answer to its making and nowhere else. */
export function createApiKeyStore(prisma: PrismaClient): ApiKeyStore {
  return {
    async create({ person, workspace }, { name, maySign, expiresAt }) {
      const { secret, prefix, hash } = newApiKey();
      const row = await prisma.apiKey.create({
        data: {
          workspaceId: workspace.id,
          personId: person.id,
          name,
          prefix,
          hash,
          scopes: maySign ? [SIGN_SCOPE] : [],
          expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
        },
      });
      return { key: summaryOf(row), secret };
    },

    async list({ person, workspace }) {
      const rows = await prisma.apiKey.findMany({
        where: { workspaceId: workspace.id, personId: person.id, revokedAt: null },
        orderBy: { createdAt: "desc" },
      });
      return rows.map(summaryOf);
    },

    async revoke({ person, workspace }, keyId) {
      const { count } = await prisma.apiKey.updateMany({
        where: { id: keyId, workspaceId: workspace.id, personId: person.id, revokedAt: null },
        data: { revokedAt: new Date() },
      });
      return count > 0;
    },
  };
}
