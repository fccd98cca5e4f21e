import type { ClientBase, Pool } from "pg";
import { amountFor } from "../runtime/permits/grant-permits";
import type { Ceiling, Permit } from "../runtime/permits/permit";
import type { PermitEnd } from "../runtime/permits/permit-book";

interface CeilingRow {
  readonly id: string;
  readonly person_id: string;
  readonly period: Ceiling["period"];
  readonly budget: Ceiling["budget"];
  readonly limit: number;
  readonly spent: number;
}

/** The first day of the period that a ceiling counts now, in UTC. */
const PERIOD_START = "date_trunc(ceilings.period, clock_timestamp() AT TIME ZONE 'UTC')::date";

/** The ceilings of a workspace with what this period has used. */
export async function readCeilings(client: ClientBase | Pool, workspaceId: string): Promise<readonly Ceiling[]> {
  const result = await client.query<CeilingRow>({
    name: "read_ceilings",
    text: `SELECT ceilings.id, person_id, period, budget, ceilings."limit", coalesce(uses.spent, 0) AS spent
           FROM ceilings LEFT JOIN ceiling_uses AS uses ON uses.ceiling_id = ceilings.id
             AND uses.period_start = ${PERIOD_START}
           WHERE workspace_id = $1 ORDER BY person_id, period, budget`,
    values: [workspaceId],
  });
  return result.rows.map((row) => ({
    id: row.id,
    ...(row.person_id === "" ? {} : { personId: row.person_id }),
    period: row.period,
    budget: row.budget,
    limit: row.limit,
    spent: row.spent,
    reserved: 0,
  }));
}

/** Charges calls that have ended: what they reported, and where they reported nothing the most they could use. */
export async function chargeCeilings(
  client: ClientBase,
  ceilings: readonly Ceiling[],
  calls: readonly { readonly permit: Permit; readonly usage?: PermitEnd["usage"] }[],
): Promise<void> {
  const charged: { id: string; amount: number }[] = [];
  for (const ceiling of ceilings) {
    let amount = 0;
    for (const { permit, usage } of calls) {
      const most = amountFor(ceiling, permit);
      if (most === undefined) continue;
      const reported =
        ceiling.budget === "tokens" ? usage?.tokens : ceiling.budget === "costUsd" ? usage?.costUsd : undefined;
      amount += reported ?? most;
    }
    if (amount > 0) charged.push({ id: ceiling.id, amount });
  }
  if (charged.length > 0) await addToCeilings(client, charged);
}

export async function addToCeilings(
  client: ClientBase | Pool,
  charged: readonly { readonly id: string; readonly amount: number }[],
): Promise<void> {
  await client.query(
    `INSERT INTO ceiling_uses (ceiling_id, period_start, spent)
     SELECT ceilings.id, ${PERIOD_START}, charged.amount
     FROM unnest($1::text[], $2::float8[]) AS charged(id, amount) JOIN ceilings ON ceilings.id = charged.id
     ON CONFLICT (ceiling_id, period_start) DO UPDATE SET spent = ceiling_uses.spent + excluded.spent`,
    [charged.map(({ id }) => id), charged.map(({ amount }) => amount)],
  );
}
