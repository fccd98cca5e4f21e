import { printBesidePeers } from "./beside-peers";
import { type Figures, figuresOf } from "./figures";
import { printGoals } from "./goals";
import type { ReportInput } from "./sample";
import { quantile } from "./statistics";
import { SYSTEMS } from "./system";

/** Prints a table for each workload, then the goals. Ratios are within this run: the machine's own speed cancels. */
export function printReport(input: ReportInput): void {
  const { workloads, repeats } = input;
  const commits = [...input.samples.values()].flat().map((sample) => sample.commitMs);
  const spread = [0.1, 0.5, 0.9].map((share) => quantile(commits, share).toFixed(2)).join(", ");
  console.log(`\nOne commit: ${spread} ms (10th, 50th, 90th percentile). Medians of ${repeats} interleaved passes.`);
  const figures = new Map<string, Figures>();
  for (const workload of workloads) {
    console.log(`\n${workload.name}: ${workload.title}`);
    console.log(
      row(
        "",
        "tasks/s",
        "dispatch p50",
        "p50, p95 ÷ c.",
        "÷ bound",
        "÷ calls'",
        "commits",
        "rows",
        "WAL B",
        "node ms",
        "store ms",
        "RSS MB",
      ),
    );
    for (const system of SYSTEMS) {
      const samples = input.samples.get(`${workload.name}/${system}`);
      if (samples === undefined) continue;
      const figure = figuresOf(workload, samples);
      figures.set(`${workload.name}/${system}`, figure);
      console.log(
        row(
          system,
          figure.tasksPerSecond.toFixed(0),
          `${figure.dispatchP50.toFixed(2)} ms`,
          `${figure.dispatchP50Commits.toFixed(2)} ${figure.dispatchP95Commits.toFixed(2)}`,
          Number.isFinite(figure.makespan) ? figure.makespan.toFixed(3) : "–",
          Number.isFinite(figure.makespanOfCalls) ? figure.makespanOfCalls.toFixed(3) : "–",
          figure.commits.toFixed(3),
          figure.rows.toFixed(2),
          figure.walBytes.toFixed(0),
          figure.nodeCpuMs.toFixed(3),
          figure.storeCpuMs.toFixed(3),
          figure.rssMegabytes.toFixed(0),
        ),
      );
    }
  }
  printBesidePeers(input);
  printGoals(figures);
}

const WIDTHS = [16, 9, 13, 16, 8, 8, 8, 7, 7, 9, 9, 7];
const row = (...cells: readonly string[]): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(WIDTHS[0] ?? 0) : cell.padStart(WIDTHS[index] ?? 0))).join(" ");
