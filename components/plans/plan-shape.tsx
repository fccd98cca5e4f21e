/** Columns drawn at most; a deeper plan is drawn to its first ones and a dash that says there is more. */
const COLUMNS_MAX = 18;
const ROWS_MAX = 5;
const STEP = 6;

/** The plan in miniature: a column for every step of its depth, a dot for every task of that step. */
export function PlanShape({ levels }: { readonly levels: readonly number[] }) {
  const columns = levels.slice(0, COLUMNS_MAX);
  const height = ROWS_MAX * STEP;
  const depth = levels.length === 1 ? "1 level deep" : `${levels.length} levels deep`;
  return (
    <svg
      width={COLUMNS_MAX * STEP + 6}
      height={height}
      role="img"
      aria-label={depth}
      fill="currentColor"
      className="block text-fg-3"
    >
      {columns.map((count, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
        <Column key={column} count={count} x={column * STEP} height={height} />
      ))}
      {levels.length > COLUMNS_MAX ? <rect x={COLUMNS_MAX * STEP} y={height / 2 - 0.5} width={5} height={1} /> : null}
    </svg>
  );
}

interface ColumnProps {
  readonly count: number;
  readonly x: number;
  readonly height: number;
}

/** More tasks than dots fit: the last dot fades. */
function Column({ count, x, height }: ColumnProps) {
  const dots = Math.min(count, ROWS_MAX);
  const top = (height - dots * STEP) / 2;
  return Array.from({ length: dots }, (_, row) => (
    <rect
      // biome-ignore lint/suspicious/noArrayIndexKey: a dot is its place
      key={row}
      x={x}
      y={top + row * STEP + 1}
      width={4}
      height={4}
      rx={1}
      opacity={count > ROWS_MAX && row === ROWS_MAX - 1 ? 0.4 : 1}
    />
  ));
}
