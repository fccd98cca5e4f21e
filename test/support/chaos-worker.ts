import { capabilityExecutor } from "../../server/capabilities/executor";
import { testImplementations } from "../../server/capabilities/testing";
import { openPool } from "../../server/pool";
import { startWorker } from "../../server/worker-services";

/** A worker process that is there to be killed: `node main.mjs DATABASE_URL LEDGER_FILE`. It ends with its parent. */
const [, , url = "", ledgerFile = ""] = process.argv;
process.once("disconnect", () => process.exit(0));
const quiet = (): void => {};
const say = (fields: unknown, message: string): void => console.error(message, fields);
await startWorker({
  database: { pool: openPool(url, { connectionsMax: 8 }), url },
  executor: capabilityExecutor(testImplementations(ledgerFile)),
  log: { debug: quiet, info: quiet, warn: process.env.CHAOS_VERBOSE ? say : quiet, error: say },
});
process.send?.("ready");
