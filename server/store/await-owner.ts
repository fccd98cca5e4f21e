import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { retryTransient } from "./transient";

const LOOK_MS = { first: 5, max: 100 } as const;
/** A driver that lives renews its lease and sees the log's end; one that does not loses it. Both take seconds. */
const WAIT_MS_MAX = 10_000;

/**
 * Settles once nobody drives a cancelled run on what was known before: the run has ended, or no lease is live. A driver
 * begins no call on a lease that may have run out, so nothing starts after this has settled.
 */
export async function awaitOwner(pool: Pool, workspaceId: string, runId: string): Promise<void> {
  const deadline = performance.now() + WAIT_MS_MAX;
  for (let waitMs: number = LOOK_MS.first; performance.now() < deadline; waitMs = Math.min(waitMs * 2, LOOK_MS.max)) {
    const { rows } = await retryTransient(
      () =>
        pool.query<{ driven: boolean }>(
          `SELECT finished_at IS NULL AND coalesce(lease_until > clock_timestamp(), false) AS driven
           FROM runs WHERE id = $1 AND workspace_id = $2`,
          [runId, workspaceId],
        ),
      AbortSignal.timeout(WAIT_MS_MAX),
    );
    if (!rows[0]?.driven) return;
    await delay(waitMs);
  }
}
