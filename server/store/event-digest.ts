/**
 * One event of `run_events` as it stands there, hashed. Written out and not taken from the database's own function, which
 * whoever tampers could have replaced.
 */
export const EVENT_HASH = `sha256(convert_to(seq || ' ' || type || ' ' || coalesce(to_json(task_id)::text, '-') || ' ' || payload,
                        'UTF8') || float8send(at))`;

/** The digest of a log, from its events' hashes: an aggregate over rows of `run_events`. */
export const logDigest = (eventHash: string): string =>
  `encode(sha256(coalesce(string_agg(${eventHash}, ''::bytea ORDER BY seq), ''::bytea)), 'hex')`;
