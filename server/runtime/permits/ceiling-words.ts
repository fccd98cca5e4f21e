import type { CallDemand } from "#kernel/run/call-demand";
import type { Ceiling } from "./permit";

type Named = Pick<Ceiling, "personId" | "period" | "budget">;

/** What a stop calls a ceiling: `workspace.day.costUsd`, `person.month.toolCalls`. */
export const ceilingName = ({ personId, period, budget }: Named): string =>
  `${personId === undefined ? "workspace" : "person"}.${period}.${budget}`;

const BUDGET_WORDS: Readonly<Record<Ceiling["budget"], string>> = {
  toolCalls: "calls",
  sideEffects: "side effects",
  tokens: "tokens",
  costUsd: "USD",
  runs: "runs",
};

/** Why a ceiling stops a run, in words. */
export function ceilingMessage({ personId, period, budget, limit, spent }: Ceiling, demand?: CallDemand): string {
  const whose = personId === undefined ? "The workspace's ceiling" : "The ceiling of whoever started the run,";
  const most = demand?.charges.find(([name]) => name === budget)?.[1];
  const more = most === undefined || budget === "runs" ? "" : `, and one more call may take ${most}`;
  return `${whose} of ${limit} ${BUDGET_WORDS[budget]} a ${period} has no room: ${rounded(spent)} used${more}.`;
}

const rounded = (amount: number): number => Math.round(amount * 1e4) / 1e4;
