import type { Frame } from "#kernel/view/frame";

export interface BudgetRow {
  readonly key: string;
  readonly label: string;
  readonly unit: "count" | "usd" | "ms";
  readonly used: number;
  readonly limit: number;
  /** Use at the end of the run if the rest goes as planned. */
  readonly forecast?: number;
}

/** The budgets that the plan sets, each with what is used; the tightest first. */
export function budgetRows(frame: Frame): readonly BudgetRow[] {
  const budgets = frame.state.plan?.budgets;
  if (budgets === undefined) return [];
  const use = frame.state.budgetUse;
  const finished = frame.state.status === "finished";
  const open = frame.total - frame.ended - frame.state.inFlight.size;
  const rows: BudgetRow[] = [];
  const add = (row: Omit<BudgetRow, "limit">, limit: number | undefined) => {
    if (limit === undefined) return;
    const { forecast, ...rest } = row;
    rows.push({ ...rest, limit, ...(finished || forecast === undefined ? {} : { forecast }) });
  };
  add(
    { key: "deadline", label: "Deadline", unit: "ms", used: frame.elapsedMs, forecast: frame.forecastMs },
    budgets.deadlineSeconds === undefined ? undefined : budgets.deadlineSeconds * 1_000,
  );
  add(
    { key: "cost", label: "Cost", unit: "usd", used: use.costUsd, forecast: use.costUsd + expectedCost(frame) },
    budgets.costUsd,
  );
  add({ key: "tokens", label: "Tokens", unit: "count", used: use.tokens }, budgets.tokens);
  add(
    { key: "toolCalls", label: "Tool calls", unit: "count", used: use.toolCalls, forecast: use.toolCalls + open },
    budgets.toolCalls,
  );
  add({ key: "retries", label: "Retries", unit: "count", used: use.retries }, budgets.retries);
  add(
    {
      key: "sideEffects",
      label: "Side effects",
      unit: "count",
      used: use.sideEffects,
      forecast: use.sideEffects + expectedEffects(frame),
    },
    budgets.sideEffects,
  );
  add({ key: "planRevisions", label: "Revisions", unit: "count", used: use.planRevisions }, budgets.planRevisions);
  add({ key: "iterations", label: "Iterations", unit: "count", used: use.iterations }, budgets.iterations);
  for (const [capability, limit] of Object.entries(budgets.toolCallsPerCapability ?? {})) {
    add(
      {
        key: `calls:${capability}`,
        label: capability,
        unit: "count",
        used: use.toolCallsPerCapability.get(capability) ?? 0,
      },
      limit,
    );
  }
  return rows;
}

function expectedEffects(frame: Frame): number {
  return notBegun(frame, (effect) => (effect?.sideEffect === "write" || effect?.sideEffect === "destructive" ? 1 : 0));
}

const expectedCost = (frame: Frame): number => notBegun(frame, (capability) => capability?.costUsd ?? 0);

function notBegun(
  frame: Frame,
  amount: (capability: ReturnType<Frame["state"]["capabilities"]["get"]>) => number,
): number {
  let sum = 0;
  for (const task of frame.state.tasks.values()) {
    const open = task.status === "pending" || task.status === "ready" || task.status === "awaiting_approval";
    if (open && task.removedInRevision === undefined) sum += amount(frame.state.capabilities.get(task.task.capability));
  }
  return sum;
}
