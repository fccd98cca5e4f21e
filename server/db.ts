import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "../prisma/generated/client";
import { env } from "./env";

/** One database: a pool for hand-written SQL, and Prisma on that same pool. */
export interface Database {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Connections at most. Default 10: two processes of ours leave most of the server's to others. */
  readonly connectionsMax?: number;
  /** Hears of idle connections that broke. The pool replaces them by itself. */
  readonly onIdleError?: (error: Error) => void;
}

/** Opens lazily: the first query connects. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connectionsMax ?? 10,
    connectionTimeoutMillis: 10_000,
    application_name: "planwright",
  });
  // Without a listener a restart of the database would end the process.
  pool.on("error", (error) => options.onIdleError?.(error));
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
