import { durationsOf } from "#kernel/plan/durations";
import type { Plan } from "#kernel/plan/plan";
import { readySet } from "#kernel/plan/ready";
import { type Analysis, analyzePlan, workerBound } from "#kernel/plan/schedule";
import { simulate } from "#kernel/plan/simulate";
import { diagnose } from "../formats/diagnose";
import { type Command, commaList, onlyPositional, optionText, positiveInteger, UsageError } from "./command";
import { displayName } from "./load-plan";
import { loadSoundPlan } from "./load-sound-plan";
import { printable } from "./print-diagnostics";
import { refuse } from "./refuse";
import { REGISTRY_HELP, REGISTRY_OPTION, registryFor } from "./registry-option";

const WORKERS_DEFAULT = "1,2,4,8";

/** The answer of `analyze --json`; all times in seconds. */
interface AnalysisReport {
  readonly name: string;
  readonly tasks: number;
  readonly edges: number;
  readonly roots: readonly string[];
  readonly sinks: readonly string[];
  readonly work: number;
  readonly lowerBound: number;
  readonly criticalPath: readonly string[];
  readonly width: number;
  /** False: the plan is too large for the exact width, and `width` is its largest level. */
  readonly widthExact: boolean;
  readonly levels: readonly (readonly string[])[];
  readonly ready: readonly string[];
  readonly slack: Readonly<Record<string, number>>;
  /** By number of workers: no schedule is shorter. */
  readonly bounds: Readonly<Record<string, number>>;
  /** By number of workers: critical path first. */
  readonly simulations: Readonly<Record<string, { readonly makespan: number }>>;
}

export const analyzeCommand: Command = {
  help: `planwright analyze FILE [--workers N,N] [--registry FILE] [--json]

Work, longest path, width, levels, slack and the tasks that may start, with a bound and a simulated schedule for each
number of workers. Times are in seconds: a task's estimate, else its capability's, else 1 s.

  --workers N,N     numbers of workers; ${WORKERS_DEFAULT} by default
${REGISTRY_HELP}`,
  options: { workers: { type: "string" }, ...REGISTRY_OPTION },

  async run(invocation) {
    const file = onlyPositional(invocation, "FILE");
    const workers = commaList(optionText(invocation.values, "workers") ?? WORKERS_DEFAULT).map((text) =>
      positiveInteger(text, "--workers"),
    );
    if (workers.length === 0) throw new UsageError("--workers names no number.");
    const registry = await registryFor(invocation);
    if (!registry.ok) return refuse(invocation, String(invocation.values.registry), registry.error);
    const loaded = await loadSoundPlan(file, invocation.io);
    if (!loaded.ok) return refuse(invocation, displayName(file), loaded.error);
    const { plan } = loaded.value;
    const analysis = analyzePlan(plan, durationsOf(plan, { registry: registry.value }));
    if (analysis === undefined) {
      return refuse(invocation, displayName(file), [diagnose({ code: "cycle", message: "The plan has a cycle." })]);
    }
    const report = reportOf(plan, analysis, workers);
    if (invocation.json) invocation.io.print(JSON.stringify(report, null, 2));
    else for (const line of describeReport(report)) invocation.io.print(printable(line));
    return 0;
  },
};

function reportOf(plan: Plan, analysis: Analysis, workers: readonly number[]): AnalysisReport {
  const { graph } = analysis;
  return {
    name: plan.name,
    tasks: graph.size,
    edges: graph.edgeCount,
    roots: analysis.roots,
    sinks: analysis.sinks,
    work: analysis.work,
    lowerBound: analysis.lowerBound,
    criticalPath: analysis.criticalPath,
    width: analysis.width,
    widthExact: analysis.widthExact,
    levels: analysis.levels,
    ready: readySet(graph, new Set()),
    // Task ids begin with a letter or digit, so no id is `__proto__`.
    slack: Object.fromEntries(graph.ids.map((id, index) => [id, analysis.slack[index] ?? 0])),
    bounds: Object.fromEntries(workers.map((number) => [number, workerBound(analysis, number)])),
    simulations: Object.fromEntries(
      workers.map((number) => [
        number,
        { makespan: simulate(graph, analysis.durations.seconds, { workers: number, plan })?.makespan ?? 0 },
      ]),
    ),
  };
}

const LISTED_MAX = 12;

function describeReport(report: AnalysisReport): string[] {
  const rows: [string, string][] = [
    ["tasks", `${report.tasks}, edges ${report.edges}, levels ${report.levels.length}`],
    ["work", seconds(report.work)],
    ["lower bound", `${seconds(report.lowerBound)} (longest path)`],
    ["critical path", list(report.criticalPath, " → ")],
    ["width", `${report.width}${report.widthExact ? "" : " (largest level; too many tasks for the exact width)"}`],
    ["roots", list(report.roots)],
    ["sinks", list(report.sinks)],
    ["ready", list(report.ready)],
  ];
  for (const [workers, { makespan }] of Object.entries(report.simulations)) {
    rows.push([
      `${workers} worker${workers === "1" ? "" : "s"}`,
      `${seconds(makespan)}, bound ${seconds(report.bounds[workers] ?? 0)}`,
    ]);
  }
  return [report.name, ...rows.map(([label, value]) => `  ${label.padEnd(15)}${value}`)];
}

const list = (ids: readonly string[], separator = ", "): string =>
  ids.length <= LISTED_MAX
    ? ids.join(separator)
    : `${ids.slice(0, LISTED_MAX).join(separator)} … ${ids.length - LISTED_MAX} more`;

const seconds = (value: number): string => `${Number(value.toFixed(3))} s`;
