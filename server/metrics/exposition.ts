/** Labels of one sample, in the order they are written. */
export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
  /** `_bucket`, `_sum` or `_count` of a histogram. */
  readonly suffix?: "_bucket" | "_sum" | "_count";
}

/** All samples of one name. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

/** The content type of {@link renderMetrics}. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The Prometheus text format, version 0.0.4. A family without samples is left out: it has nothing to say. */
export function renderMetrics(families: readonly MetricFamily[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(
        ({ labels, value, suffix }) => `${name}${suffix ?? ""}${renderLabels(labels)} ${renderValue(value)}`,
      );
      return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...lines].join("\n");
    })
    .join("\n")
    .concat("\n");
}

function renderLabels(labels: Labels | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function renderValue(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  return String(value);
}

const escapeHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');
