import path from "node:path";
import { runMigrations } from "graphile-worker";
import { applyMigrations } from "../../../server/migrations/apply-migrations";
import { readMigrations } from "../../../server/migrations/migration-files";
import { createScratchDatabase } from "../../../server/postgres/scratch-database";
import { ROOT } from "../../../server/setup/checkout.mjs";
import { planwright } from "./planwright";
import { taskCount, WORKLOADS } from "./workload";

/** `BENCH_DATABASE_URL=… node --cpu-prof --import tsx test/bench/durable/profile.ts W4 10`: our passes alone. */
const [, , name = "W4", passes = "10"] = process.argv;
const database = await createScratchDatabase(process.env.BENCH_DATABASE_URL ?? "", "profile");
await applyMigrations(database.url, readMigrations(path.join(ROOT, "prisma", "migrations")));
await runMigrations({ connectionString: database.url });
const workload = WORKLOADS.find((each) => each.name === name) ?? WORKLOADS[0];
const system = await planwright(database.url);
for (let pass = 0; pass < Number(passes) && workload !== undefined; pass++) {
  const cpu = process.cpuUsage();
  const { elapsedMs, callsBoundMs, beforeFirstCallMs, afterLastCallMs } = await system.run(workload);
  const used = process.cpuUsage(cpu);
  const cpuMs = (used.user + used.system) / 1000;
  const parts = [
    `${elapsedMs.toFixed(0)} ms`,
    `${(elapsedMs / callsBoundMs).toFixed(3)} × the bound of its calls`,
    `${beforeFirstCallMs.toFixed(1)} ms before the first call`,
    `${afterLastCallMs.toFixed(1)} ms after the last`,
    `${(cpuMs / taskCount(workload)).toFixed(3)} CPU ms a task`,
  ];
  console.log(parts.join(", "));
}
await system.stop();
await database.drop();
