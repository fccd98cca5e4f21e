import { parseArgs } from "node:util";
import { parsePlan } from "#kernel/plan/parse";
import { analyzePlan } from "#kernel/plan/schedule";
import { validatePlan } from "#kernel/plan/validate";
import { BARE, CONTENDERS, type Findings, GRAPHOLOGY, OURS, planOfText } from "./contenders";
import { planText } from "./graph-input";

/**
 * The graph kernel beside its floor and its peers, in one run. Every round runs all of them on fresh strings; the
 * medians of their processor time are compared as ratios, so that who else is busy hardly matters.
 */
const { values } = parseArgs({
  options: {
    tasks: { type: "string", default: "100000" },
    edges: { type: "string", default: "250000" },
    rounds: { type: "string", default: "5" },
    quick: { type: "boolean", default: false },
  },
});
const tasks = Number(values.tasks);
const edges = Number(values.edges);
const rounds = Number(values.rounds);
const text = planText(tasks, edges);

const collect = (): void => (globalThis as { gc?: () => void }).gc?.();

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

function timed<Value>(times: Map<string, number[]>, name: string, run: () => Value): Value {
  collect();
  const before = process.cpuUsage();
  const value = run();
  const { user, system } = process.cpuUsage(before);
  const list = times.get(name) ?? [];
  list.push((user + system) / 1_000);
  times.set(name, list);
  return value;
}

const contenders = values.quick ? CONTENDERS.slice(0, 2) : CONTENDERS;
const times = new Map<string, number[]>();
const failures = new Map<string, string>();
let expected: Findings | undefined;
/** The first round warms up and is not counted. */
for (let round = 0; round <= rounds; round++) {
  for (const contender of contenders) {
    if (failures.has(contender.name)) continue;
    const run = contender.prepare(text);
    try {
      const found = timed(round === 0 ? new Map() : times, contender.name, run);
      expected ??= found;
      if (found.lowerBound !== expected.lowerBound || found.drained !== expected.drained) {
        failures.set(contender.name, "found something else");
      }
    } catch (problem) {
      failures.set(contender.name, problem instanceof Error ? problem.message.slice(0, 60) : String(problem));
    }
  }
}

const stages = new Map<string, number[]>();
for (let round = 0; round <= rounds; round++) {
  const kept = round === 0 ? new Map<string, number[]>() : stages;
  const document: unknown = JSON.parse(text);
  timed(kept, "parse", () => parsePlan(document));
  const plan = planOfText(text);
  const validation = timed(kept, "validate", () => validatePlan(plan));
  timed(kept, "analyse", () => analyzePlan(plan, undefined, validation.graph));
}

const of = (name: string): number => median(times.get(name) ?? []);
const row = (cells: readonly string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(22) : cell.padStart(14))).join("");
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

print(`${tasks} tasks, ${edges} edges, from strings; medians of ${rounds} interleaved rounds`);
print(row(["", "CPU ms", "ns per edge", "× bare"]));
for (const { name } of contenders) {
  const failure = failures.get(name);
  if (failure !== undefined) print(row([name, "–", "–", failure]));
  else print(row([name, of(name).toFixed(1), ((of(name) * 1e6) / edges).toFixed(0), (of(name) / of(BARE)).toFixed(2)]));
}
print("");
const verdict = (good: boolean): string => (good ? "yes" : "no");
const ratio = of(OURS) / of(BARE);
print(row(["goal", "measured", "must", "stretch"]));
print(row(["kernel ÷ bare", ratio.toFixed(2), `≤ 1.3: ${verdict(ratio <= 1.3)}`, `≤ 1.1: ${verdict(ratio <= 1.1)}`]));
if (!values.quick && !failures.has(GRAPHOLOGY)) {
  const faster = of(GRAPHOLOGY) / of(OURS);
  print(row(["graphology ÷ kernel", faster.toFixed(1), `≥ 8: ${verdict(faster >= 8)}`, ""]));
}
print("");
const stage = (name: string): number => median(stages.get(name) ?? []);
const total = stage("validate") + stage("analyse");
for (const name of stages.keys()) print(row([name, stage(name).toFixed(1)]));
print(row(["validate + analyse", total.toFixed(1), `< 1500: ${verdict(total < 1_500)}`]));
