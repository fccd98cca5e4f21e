import { formatCost, formatCount, formatDuration } from "#kernel/view/format";
import type { Frame } from "#kernel/view/frame";
import { classNames } from "../ui/class-names";
import { type BudgetRow, budgetRows } from "./budget-rows";

/** What the run may use and has used; the tick is the forecast at the end. */
export function BudgetsPanel({ frame }: { readonly frame: Frame }) {
  const rows = budgetRows(frame);
  return (
    <section aria-labelledby="budgets-heading" className="border-t border-hairline">
      <header className="panel-header">
        <h2 id="budgets-heading" className="flex-1">
          Budgets
        </h2>
        <span className="label">used / limit</span>
      </header>
      {rows.length === 0 ? (
        <p className="px-3 py-3 text-small text-fg-3">
          This plan sets no budget. Budgets are set in the plan and enforced at run time.
        </p>
      ) : (
        <dl className="grid grid-cols-[auto_minmax(40px,1fr)_auto] items-center gap-x-2.5 gap-y-2 px-3 py-2.5 text-small">
          {rows.map((row) => (
            <Budget key={row.key} row={row} ended={frame.state.status === "finished"} />
          ))}
        </dl>
      )}
    </section>
  );
}

function Budget({ row, ended }: { readonly row: BudgetRow; readonly ended: boolean }) {
  const share = row.limit === 0 ? 1 : row.used / row.limit;
  const forecast = row.forecast === undefined || row.limit === 0 ? undefined : row.forecast / row.limit;
  // All of a budget used is no fault of a run that has ended; of one that goes on it is the next stop.
  const over = (share >= 1 && !ended) || share > 1 || (forecast ?? 0) > 1;
  const percent = (value: number) => `${Math.min(100, value * 100)}%`;
  const title = `${Math.round(share * 100)} % used${forecast === undefined ? "" : `, forecast ${Math.round(forecast * 100)} %`}`;
  return (
    <>
      <dt className="text-fg-2">{row.label}</dt>
      <dd title={title} className="relative h-1.5 rounded-full" style={{ background: "var(--n-4)" }}>
        <span
          className="absolute inset-y-0 left-0 rounded-full"
          style={{ width: percent(share), background: over ? "var(--st-stopped-budget-bd)" : "var(--text-2)" }}
        />
        {forecast === undefined ? null : (
          <span
            className="absolute -top-0.5 h-2.5 w-0.5"
            style={{ left: `min(${percent(forecast)}, calc(100% - 2px))`, background: "var(--text)" }}
          />
        )}
      </dd>
      <dd className="text-right whitespace-nowrap">
        <span className={classNames(over && "tone-budget font-medium text-tone")}>{formatAmount(row, row.used)}</span>{" "}
        <span className="text-fg-3">/ {formatAmount(row, row.limit)}</span>
      </dd>
    </>
  );
}

function formatAmount(row: BudgetRow, value: number): string {
  switch (row.unit) {
    case "usd":
      return formatCost(value);
    case "ms":
      return formatDuration(value);
    case "count":
      return formatCount(value);
  }
}
