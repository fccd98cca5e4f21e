import type { Pool } from "pg";

/** A lease of a run as it was taken: by which process, and when on the clock that all processes share. */
export interface TakenLease {
  readonly epoch: number;
  readonly pid: number;
  /** Monotonic nanoseconds. */
  readonly at: bigint;
}

/** Keeps every lease that is taken from now on, in a table of the test's own, whoever takes it. */
export async function recordLeases(pool: Pool): Promise<void> {
  await pool.query(`
    CREATE TABLE chaos_leases (run_id text NOT NULL, owner text NOT NULL, epoch int NOT NULL, at timestamptz NOT NULL);
    CREATE FUNCTION chaos_note_lease() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO chaos_leases VALUES (NEW.id, NEW.lease_owner, NEW.epoch, clock_timestamp());
      RETURN NULL;
    END $$;
    CREATE TRIGGER chaos_note_lease AFTER UPDATE OF epoch ON runs FOR EACH ROW
      WHEN (NEW.epoch > OLD.epoch AND NEW.lease_owner IS NOT NULL) EXECUTE FUNCTION chaos_note_lease()`);
}

/** The leases of a run since they are recorded, in their order. */
export async function leasesOf(pool: Pool, runId: string): Promise<readonly TakenLease[]> {
  const { rows } = await pool.query<{ owner: string; epoch: number; us: string }>(
    `SELECT owner, epoch, (extract(epoch FROM at) * 1e6)::bigint::text AS us
     FROM chaos_leases WHERE run_id = $1 ORDER BY epoch`,
    [runId],
  );
  // The database is on this machine: its clock is the one that Date reads.
  const offset = process.hrtime.bigint() - BigInt(Date.now()) * 1_000_000n;
  return rows.map(({ owner, epoch, us }) => ({ epoch, pid: pidOf(owner), at: BigInt(us) * 1_000n + offset }));
}

/** The process that signs its leases so. */
export const pidOf = (owner: string): number => Number(owner.split("/")[1]);
