import type { ArgumentRow } from "#kernel/view/gate-arguments";
import { Origin } from "../graph/origin";
import { inlineJson } from "../ui/json-text";

export interface ArgumentListProps {
  readonly rows: readonly ArgumentRow[];
  /** What "plan" means here: "plan v6". */
  readonly planLabel: string;
}

/** Name, value and where the value came from. */
export function ArgumentList({ rows, planLabel }: ArgumentListProps) {
  if (rows.length === 0) return <p className="text-small text-fg-3">This call takes no arguments.</p>;
  return (
    <dl className="grid grid-cols-[minmax(60px,auto)_minmax(0,1fr)] gap-x-3 gap-y-2 text-small">
      {rows.map((row) => (
        <div key={row.pointer} className="contents">
          <dt className="text-fg-2">{row.name === "" ? "value" : row.name}</dt>
          <dd className="min-w-0">
            <code
              className="line-clamp-3 font-mono text-[11px] leading-4 font-medium break-all"
              title={inlineJson(row.value)}
            >
              {inlineJson(row.value)}
            </code>
            <span className="mt-0.5 flex flex-wrap gap-1">
              {row.from.map((origin) => (
                <Origin key={origin} origin={origin} planLabel={planLabel} />
              ))}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
