import { createHash } from "node:crypto";
import type { Database } from "../db";

const ATTEMPTS_MAX = 10;
const WINDOW_MINUTES = 10;

/** Too many wrong passwords lately for one account, whatever addresses they came from. */
export interface SignInThrottle {
  /** Counts an attempt before its password is looked at. Refused: too many, and this is the first or a further one. */
  admit(email: string): Promise<"admitted" | "first_refused" | "refused">;
  /** The password was right: the count begins anew. */
  clear(email: string): Promise<void>;
}

/** Counted in one statement, so that parallel guesses cannot slip through between a look and a write. */
export function signInThrottle({ pool }: Pick<Database, "pool">): SignInThrottle {
  return {
    async admit(email) {
      const { rows } = await pool.query<{ count: number }>(
        `INSERT INTO sign_in_attempts AS known (account, count, window_start) VALUES ($1, 1, now())
         ON CONFLICT (account) DO UPDATE SET
           count = CASE WHEN known.window_start < now() - make_interval(mins => $2) THEN 1 ELSE known.count + 1 END,
           window_start =
             CASE WHEN known.window_start < now() - make_interval(mins => $2) THEN now() ELSE known.window_start END
         RETURNING count`,
        [accountOf(email), WINDOW_MINUTES],
      );
      const count = rows[0]?.count ?? 1;
      if (count <= ATTEMPTS_MAX) return "admitted";
      return count === ATTEMPTS_MAX + 1 ? "first_refused" : "refused";
    },
    async clear(email) {
      await pool.query(
        "DELETE FROM sign_in_attempts WHERE account = $1 OR window_start < now() - make_interval(mins => $2)",
        [accountOf(email), WINDOW_MINUTES],
      );
    },
  };
}

const accountOf = (email: string): string => createHash("sha256").update(email.trim().toLowerCase()).digest("hex");
