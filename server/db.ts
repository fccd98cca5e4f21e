import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { PrismaClient } from "../prisma/generated/client";
import { env } from "./env";
import { openPool, type PoolOptions } from "./pool";

/** One database: a pool for hand-written SQL, and Prisma on that same pool. */
export interface Database {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  close(): Promise<void>;
}

export type DatabaseOptions = PoolOptions;

/** Opens lazily: the first query connects. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const pool = openPool(url, options);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    url,
    pool,
    prisma,
    async close() {
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}

/** Kept on the global object, since hot reload evaluates this module again. */
const kept = globalThis as typeof globalThis & { planwrightDatabase?: Database };

/** The process's own database, from `DATABASE_URL`. */
export function database(): Database {
  kept.planwrightDatabase ??= openDatabase(env().DATABASE_URL);
  return kept.planwrightDatabase;
}
