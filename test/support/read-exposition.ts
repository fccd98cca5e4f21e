/** One metric as a scraper understands it. */
export interface ReadMetric {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly {
    readonly name: string;
    readonly labels: ReadonlyMap<string, string>;
    readonly value: number;
  }[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/s;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy;

/** Reads the Prometheus text format and refuses whatever a scraper would: written from its description, not from ours. */
export function readExposition(text: string): ReadonlyMap<string, ReadMetric> {
  if (!text.endsWith("\n")) throw new Error("The last line has no end");
  const metrics = new Map<string, { type: string; help: string; samples: ReadMetric["samples"][number][] }>();
  let current: string | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/s.exec(line);
    if (comment !== null) {
      const [, kind, name = "", rest = ""] = comment;
      if (!NAME.test(name)) throw new Error(`No name: ${line}`);
      const metric = metrics.get(name) ?? { type: "", help: "", samples: [] };
      if (kind === "HELP" && metrics.has(name)) throw new Error(`${name} comes twice`);
      metrics.set(name, metric);
      if (kind === "HELP") metric.help = rest;
      else metric.type = rest;
      current = name;
      continue;
    }
    const sample = SAMPLE.exec(line);
    if (sample === null || current === undefined) throw new Error(`Not a sample: ${line}`);
    const [, name = "", labels = "", value = ""] = sample;
    const metric = metrics.get(current);
    const base = metric?.type === "histogram" ? name.replace(/_(bucket|sum|count)$/, "") : name;
    if (base !== current || metric === undefined) throw new Error(`${name} stands below ${current}`);
    metric.samples.push({ name, labels: readLabels(labels), value: readValue(value) });
  }
  return metrics;
}

function readLabels(text: string): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const match = LABEL.exec(text);
    if (match === null) throw new Error(`Not labels: ${text}`);
    labels.set(
      match[1] ?? "",
      (match[2] ?? "").replaceAll(/\\(.)/g, (_, char) => (char === "n" ? "\n" : char)),
    );
  }
  return labels;
}

function readValue(text: string): number {
  const value = text === "+Inf" ? Number.POSITIVE_INFINITY : text === "-Inf" ? Number.NEGATIVE_INFINITY : Number(text);
  if (Number.isNaN(value) && text !== "NaN") throw new Error(`Not a number: ${text}`);
  return value;
}
