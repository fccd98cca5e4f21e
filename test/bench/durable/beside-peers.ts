import type { ReportInput, Sample } from "./sample";
import { median, quantile } from "./statistics";
import { PEERS } from "./system";
import type { Workload } from "./workload";

interface Measure {
  readonly title: string;
  readonly of: (sample: Sample) => number;
}

/** What a chain shows is how long one task waits for the next; what the others show is when all is done. */
const timeOf = ({ name }: Workload): Measure =>
  name.startsWith("W2")
    ? { title: "dispatch p50", of: ({ dispatchMs }) => quantile(dispatchMs, 0.5) }
    : { title: "time", of: ({ elapsedMs }) => elapsedMs };

const CPU: Measure = { title: "CPU", of: ({ nodeCpuMs, storeCpuMs }) => nodeCpuMs + storeCpuMs };

/**
 * Prints how many times a peer needs what we need. Each ratio is of two passes that ran next to each other; median, and
 * the least and the most of all passes. Processor time (node and Postgres together) hardly depends on who else is busy.
 */
export function printBesidePeers({ workloads, samples }: ReportInput): void {
  const peers = PEERS.filter((peer) => workloads.some(({ name }) => samples.has(`${name}/${peer}`)));
  if (peers.length === 0 || !workloads.some(({ name }) => samples.has(`${name}/planwright`))) return;
  console.log("\nPeer ÷ Planwright, pass by pass: median (least to most). Above 1: Planwright needs less.");
  console.log(row("", ...peers));
  for (const workload of workloads) {
    const ours = samples.get(`${workload.name}/planwright`) ?? [];
    for (const { title, of } of [timeOf(workload), CPU]) {
      const cells = peers.map((peer) => {
        const theirs = samples.get(`${workload.name}/${peer}`) ?? [];
        return spread(theirs.flatMap((sample, pass) => ratio(of(sample), ours[pass], of)));
      });
      console.log(row(`${workload.name} ${title}`, ...cells));
    }
  }
}

const ratio = (theirs: number, ours: Sample | undefined, of: Measure["of"]): number[] =>
  ours === undefined ? [] : [theirs / of(ours)];

const spread = (ratios: readonly number[]): string =>
  ratios.length === 0
    ? "–"
    : `${median(ratios).toFixed(1)} (${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)})`;

const row = (name: string, ...cells: readonly string[]): string =>
  `${name.padEnd(22)}${cells.map((cell) => cell.padStart(24)).join("")}`;
