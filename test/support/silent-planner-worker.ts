import { capabilityExecutor } from "../../server/capabilities/executor";
import { testImplementations } from "../../server/capabilities/testing";
import { openPool } from "../../server/pool";
import { startWorker } from "../../server/worker-services";

/** A worker whose planner is asked and never answers, there to be killed. It ends with its parent. */
const [, , url = "", ledgerFile = ""] = process.argv;
process.once("disconnect", () => process.exit(0));
const quiet = (): void => {};
await startWorker({
  database: { pool: openPool(url, { connectionsMax: 4 }), url },
  executor: capabilityExecutor(testImplementations(ledgerFile)),
  log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  leaseMs: 2_000,
  replanner: {
    knows: () => true,
    propose: () => {
      process.send?.("asked");
      return new Promise(() => {});
    },
  },
});
