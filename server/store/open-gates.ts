import type { Pool } from "pg";
import { z } from "zod";
import { gateIdSchema, personIdSchema } from "#kernel/ids";
import { gateRecordSchema, type OpenGate } from "../runtime/run-records";

/** Open gates of one workspace that are looked at for one person; those with the nearest deadlines. */
export const OPEN_GATES_MAX = 5_000;
/** Openings kept in memory; an opening never changes. */
const KEPT_MAX = 20_000;

const termsSchema = gateRecordSchema.pick({
  role: true,
  people: true,
  excluded: true,
  escalateAt: true,
  escalateTo: true,
});
type Terms = z.infer<typeof termsSchema>;

const rowSchema = z.object({
  id: gateIdSchema,
  run_key: z.string(),
  opened_seq: z.int(),
  decide_by: z.number(),
  decisions: z.array(z.object({ by: personIdSchema, name: z.string(), for: personIdSchema.nullable() })),
});
type Row = z.infer<typeof rowSchema>;

const LIST = `
SELECT gates.id, gates.run_key::text, gates.opened_seq,
       (extract(epoch FROM gates.decide_by) * 1000)::float8 AS decide_by,
       COALESCE((SELECT json_agg(json_build_object('by', person_id, 'name', person_name, 'for', on_behalf_of_id))
                   FROM gate_decisions WHERE gate_id = gates.id), '[]'::json) AS decisions
  FROM gates WHERE workspace_id = $1 AND status = 'open' ORDER BY decide_by, id LIMIT $2`;

const OPENINGS = `
SELECT wanted.id, event.payload
  FROM unnest($1::text[], $2::bigint[], $3::int[]) AS wanted(id, run_key, seq)
  JOIN run_events AS event ON event.run_key = wanted.run_key AND event.seq = wanted.seq`;

/**
 * Who may sign what is open, read without folding a single run: the terms stand in the event that opened each gate, and
 * who has signed in a table. So the whole inbox can be looked through before the part that is shown is read in full.
 */
export class OpenGates {
  readonly #pool: Pool;
  readonly #terms = new Map<string, Terms>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** By deadline. */
  async list(workspaceId: string): Promise<readonly OpenGate[]> {
    const { rows } = await this.#pool.query(LIST, [workspaceId, OPEN_GATES_MAX]);
    const gates = rowSchema.array().parse(rows);
    await this.#read(gates.filter(({ id }) => !this.#terms.has(id)));
    return gates.flatMap(({ id, decide_by: decideBy, decisions }) => {
      const terms = this.#terms.get(id);
      if (terms === undefined) return [];
      return [
        {
          id,
          status: "open" as const,
          decideBy,
          ...terms,
          decisions: decisions.map((each) => ({
            by: { id: each.by, name: each.name },
            // Known by id here; the name stands in the gate itself.
            ...(each.for === null ? {} : { onBehalfOf: { id: each.for, name: each.for } }),
          })),
        },
      ];
    });
  }

  async #read(gates: readonly Row[]): Promise<void> {
    if (gates.length === 0) return;
    if (this.#terms.size + gates.length > KEPT_MAX) this.#terms.clear();
    const { rows } = await this.#pool.query<{ id: string; payload: string }>(OPENINGS, [
      gates.map(({ id }) => id),
      gates.map(({ run_key }) => run_key),
      gates.map(({ opened_seq }) => opened_seq),
    ]);
    for (const { id, payload } of rows) this.#terms.set(id, termsSchema.parse(JSON.parse(payload)));
  }
}
