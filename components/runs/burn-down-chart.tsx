import type { BurnPoint } from "#kernel/view/burn-down";

export interface BurnDownChartProps {
  readonly points: readonly BurnPoint[];
  readonly limit: number;
  /** From the start of the run to the later of now and its expected end, epoch milliseconds. */
  readonly from: number;
  readonly now: number;
  readonly to: number;
  /** Use at the end if the rest goes as planned. */
  readonly forecast: number | undefined;
  /** What the chart shows, in a sentence. */
  readonly label: string;
}

const WIDTH = 300;
const HEIGHT = 56;
const POINTS_MAX = 400;

/** What is left of a budget over time: spent, reserved by calls in progress, and where it is going. */
export function BurnDownChart({ points, limit, from, now, to, forecast, label }: BurnDownChartProps) {
  const span = Math.max(1, to - from);
  const x = (at: number) => Math.max(0, Math.min(WIDTH, ((at - from) / span) * WIDTH));
  const y = (used: number) => HEIGHT - 2 - (Math.max(0, limit - used) / Math.max(limit, 1e-12)) * (HEIGHT - 4);
  const every = Math.ceil(points.length / POINTS_MAX);
  const shown = points.filter(
    (point, index) => point.at <= now && (index % every === 0 || index === points.length - 1),
  );
  const last = shown.at(-1);
  const steps = (of: (point: BurnPoint) => number) =>
    shown.map((point) => `H${x(point.at).toFixed(1)}V${y(of(point)).toFixed(1)}`).join("");
  const spent = `M0 ${y(0)}${steps((point) => point.spent)}H${x(now).toFixed(1)}`;
  const taken = `M0 ${y(0)}${steps((point) => point.spent + point.reserved)}H${x(now).toFixed(1)}`;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="block h-14 w-full"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path
        d={`M0 ${HEIGHT - 2}H${WIDTH}`}
        stroke="var(--st-stopped-budget-bd)"
        strokeDasharray="3 3"
        vectorEffect="non-scaling-stroke"
      />
      <path d={`${spent}V${HEIGHT - 2}H0Z`} fill="var(--n-4)" stroke="none" />
      <path d={taken} fill="none" stroke="var(--text-3)" strokeDasharray="2 2" vectorEffect="non-scaling-stroke" />
      <path d={spent} fill="none" stroke="var(--text-2)" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
      {forecast === undefined || to <= now ? null : (
        <path
          d={`M${x(now).toFixed(1)} ${y(last?.spent ?? 0).toFixed(1)}L${WIDTH} ${y(forecast).toFixed(1)}`}
          fill="none"
          stroke={forecast > limit ? "var(--st-stopped-budget-bd)" : "var(--accent-bd)"}
          strokeDasharray="4 3"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
