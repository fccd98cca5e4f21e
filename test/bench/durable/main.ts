import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { runMigrations } from "graphile-worker";
import { applyMigrations } from "../../../server/migrations/apply-migrations";
import { readMigrations } from "../../../server/migrations/migration-files";
import { createScratchDatabase, databaseName } from "../../../server/postgres/scratch-database";
import { startTemporaryServer } from "../../../server/postgres/temporary-server";
import { inCheckout, ROOT } from "../../../server/setup/checkout.mjs";
import { installPackages } from "../../../server/setup/install-packages.mjs";
import { WORKER_FLAGS } from "../../../server/start/worker-flags";
import { type Bundle, bundleForNode } from "../../support/bundle";
import type { ChildReport } from "./child";
import { CommitMeter } from "./commit-meter";
import { DatabaseMeter } from "./database-meter";
import { printReport } from "./report";
import type { Sample } from "./sample";
import { INSTALLED_PEERS, PEERS, SYSTEMS, type SystemName } from "./system";
import { taskCount, WORKLOADS, type Workload } from "./workload";

/** Passes thrown away first: a compiler that is still cold is not what a worker that runs for days is like. */
const WARM_UP = 4;

/** Those of a peer, whose passes are long enough to warm it sooner. */
const WARM_UP_OF_PEER = 2;

const repeats = Number(process.env.BENCH_REPEATS ?? 7);
const chosen = process.env.BENCH_WORKLOADS?.split(",");
const systemsChosen = process.env.BENCH_SYSTEMS?.split(",");
const workloads = WORKLOADS.filter((workload) => chosen === undefined || chosen.includes(workload.name));

/**
 * `npm run bench`: every workload through every system, interleaved pass by pass on one Postgres with default
 * durability, medians printed beside the goals. `BENCH_DATABASE_URL` names another server, `BENCH_REPEATS` how often, and
 * `BENCH_WORKLOADS` and `BENCH_SYSTEMS` take some of them only.
 */
async function main(): Promise<void> {
  const given = process.env.BENCH_DATABASE_URL;
  const server = given ? { url: given, stop: async () => {} } : await startTemporaryServer(true);
  const names = SYSTEMS.filter((name) => systemsChosen === undefined || systemsChosen.includes(name));
  const isInstalledPeer = (name: SystemName): boolean => INSTALLED_PEERS.some((peer) => peer === name);
  const script = path.join(import.meta.dirname, "child.ts");
  const bundle = await bundleForNode(script);
  const peerBundle = names.some(isInstalledPeer) ? await bundlePeers(script) : bundle;
  const systems: MeasuredSystem[] = [];
  try {
    for (const name of names) {
      const { script } = isInstalledPeer(name) ? peerBundle : bundle;
      systems.push(await MeasuredSystem.open(name, server.url, script));
    }
    const commit = await CommitMeter.open(server.url);
    const samples = new Map<string, Sample[]>();
    for (const workload of workloads) {
      for (let pass = -WARM_UP; pass < repeats; pass++) {
        const commitMs = await commit.read();
        for (const system of systems) {
          if (pass < -WARM_UP_OF_PEER && PEERS.some((peer) => peer === system.name)) continue;
          const sample = await system.measure(workload, commitMs);
          const key = `${workload.name}/${system.name}`;
          const mark = pass < 0 ? "warm-up" : "measured";
          process.stderr.write(`${key} ${mark} ${sample.elapsedMs.toFixed(0)} ms\n`);
          if (pass >= 0) samples.set(key, [...(samples.get(key) ?? []), sample]);
        }
      }
    }
    await commit.close();
    printReport({ workloads, samples, repeats });
  } finally {
    for (const system of systems) await system.close();
    bundle.remove();
    peerBundle.remove();
    await server.stop();
  }
}

/** Peers are no dependencies of the product: their packages come when the bench first wants them. */
async function bundlePeers(script: string): Promise<Bundle> {
  const folder = path.join("test", "bench", "peers");
  await installPackages(folder);
  return bundleForNode(script, inCheckout(folder));
}

class MeasuredSystem {
  private constructor(
    readonly name: SystemName,
    private readonly child: ChildProcess,
    private readonly meter: DatabaseMeter,
    private readonly drop: () => Promise<void>,
  ) {}

  static async open(name: SystemName, serverUrl: string, script: string): Promise<MeasuredSystem> {
    const database = await createScratchDatabase(serverUrl, "bench");
    await applyMigrations(database.url, readMigrations(path.join(ROOT, "prisma", "migrations")));
    await runMigrations({ connectionString: database.url });
    const meter = new DatabaseMeter(serverUrl, databaseName(database.url));
    await meter.open();
    // LangGraph adds a listener a node to one signal, which Node warns of for each run.
    const env = { ...process.env, NODE_NO_WARNINGS: "1" };
    const child = fork(script, [name, database.url], { cwd: ROOT, execArgv: [...WORKER_FLAGS], env });
    const system = new MeasuredSystem(name, child, meter, database.drop);
    await system.message();
    return system;
  }

  async measure(workload: Workload, commitMs: number): Promise<Sample> {
    await this.ask({ settle: true });
    const before = await this.meter.read();
    const report = (await this.ask({ workload: workload.name })) as ChildReport;
    await this.ask({ settle: true });
    const after = await this.meter.read();
    const tasks = taskCount(workload);
    return {
      commitMs,
      elapsedMs: report.elapsedMs,
      dispatchMs: report.dispatchMs,
      callsBoundMs: report.callsBoundMs,
      commits: (after.commits - before.commits) / tasks,
      rows: (after.rows - before.rows) / tasks,
      walBytes: (after.walBytes - before.walBytes) / tasks,
      nodeCpuMs: report.cpuMs / tasks,
      storeCpuMs: (after.cpuMs - before.cpuMs) / tasks,
      rssBytes: report.rssBytes,
    };
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once("exit", resolve));
    if (this.child.exitCode === null) this.child.send({ stop: true });
    await gone;
    await this.meter.close();
    await this.drop();
  }

  private ask(request: object): Promise<unknown> {
    const answer = this.message();
    this.child.send(request);
    return answer;
  }

  private message(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null): void => reject(new Error(`${this.name} ended with code ${code}`));
      this.child.once("exit", onExit);
      this.child.once("message", (message) => {
        this.child.off("exit", onExit);
        resolve(message);
      });
    });
  }
}

await main();
