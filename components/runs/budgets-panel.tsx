import { useState } from "react";
import { BurnDown } from "#kernel/view/burn-down";
import { formatCost, formatCount, formatDuration } from "#kernel/view/format";
import type { Frame } from "#kernel/view/frame";
import type { RunHistory } from "#kernel/view/history";
import { classNames } from "../ui/class-names";
import { Select } from "../ui/select";
import { type BudgetRow, budgetRows } from "./budget-rows";
import { BurnDownChart } from "./burn-down-chart";

/** What the run may use and has used; the tick is the forecast at the end. */
export function BudgetsPanel({ frame, history }: { readonly frame: Frame; readonly history: RunHistory }) {
  const rows = budgetRows(frame);
  const [chosen, setChosen] = useState<string>();
  const [burnDown] = useState(() => new BurnDown());
  burnDown.take(history.events, history.tip);
  // The tightest budget that has a course to show, unless another was chosen.
  const charted = rows.filter((row) => row.key !== "deadline");
  const shown = charted.find((row) => row.key === chosen) ?? [...charted].sort((a, b) => shareOf(b) - shareOf(a))[0];
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
      {shown === undefined ? null : (
        <BurnDownBox frame={frame} row={shown} rows={charted} burnDown={burnDown} onChoose={setChosen} />
      )}
    </section>
  );
}

const shareOf = ({ used, limit }: BudgetRow): number => (limit === 0 ? 1 : used / limit);

interface BurnDownBoxProps {
  readonly frame: Frame;
  readonly row: BudgetRow;
  readonly rows: readonly BudgetRow[];
  readonly burnDown: BurnDown;
  readonly onChoose: (key: string) => void;
}

/** How one budget was used up, and where it is going. */
function BurnDownBox({ frame, row, rows, burnDown, onChoose }: BurnDownBoxProps) {
  const points = burnDown.seriesOf(seriesKey(row.key));
  const at = points.findLast((point) => point.at <= frame.at);
  const left = Math.max(0, row.limit - row.used);
  const reserved = at?.reserved ?? 0;
  const words = [
    `${formatAmount(row, left)} of ${formatAmount(row, row.limit)} left`,
    ...(reserved > 0 ? [`${formatAmount(row, reserved)} reserved by calls in progress`] : []),
    ...(row.forecast === undefined
      ? []
      : [`${formatAmount(row, row.forecast)} used at the end, if all goes as planned`]),
  ].join("; ");
  return (
    <div className="px-3 pb-3">
      <div className="mb-1 flex items-center gap-2 text-small text-fg-2">
        <span className="flex-1">What is left over time</span>
        {rows.length < 2 ? (
          <span className="font-medium">{row.label}</span>
        ) : (
          <Select
            label="Budget shown"
            quiet
            className="w-auto!"
            value={row.key}
            options={rows.map(({ key, label }) => ({ value: key, label }))}
            onValueChange={onChoose}
          />
        )}
      </div>
      <BurnDownChart
        points={points}
        limit={row.limit}
        from={frame.startedAt}
        now={frame.at}
        to={Math.max(frame.at, frame.startedAt + frame.forecastMs)}
        forecast={row.forecast}
        label={`${row.label}: ${words}`}
      />
      <p className="mt-1 text-small text-fg-3">{words}.</p>
    </div>
  );
}

/** The name under which the series of a row is kept. */
const seriesKey = (key: string): Parameters<BurnDown["seriesOf"]>[0] =>
  key === "cost" ? "costUsd" : (key as Parameters<BurnDown["seriesOf"]>[0]);

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
