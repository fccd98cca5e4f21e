import path from "node:path";
import { builtInExecutor } from "./capabilities/built-in";
import { openApiProvider } from "./capabilities/openapi";
import { env } from "./env";
import { createLogger } from "./log";
import { openPool } from "./pool";
import { processAddressPolicy, requireKeyRing } from "./process-settings";
import { sealerOf } from "./secrets/sealer";
import { callAuthority } from "./store/call-authority";
import { createCapabilityRecords } from "./store/capability-records";
import { resealSecrets } from "./store/reseal-secrets";
import { createSecretReader } from "./store/secret-store";
import { capturesContent, openOtlpSink, tracesAreOn } from "./tracing/otlp-sink";
import { startWorker } from "./worker-services";
import { workspaceFolder } from "./workspace-folder";

/** Runs a worker until a signal ends it. Whoever starts the process sees to it that it ends with its parent. */
async function main(): Promise<void> {
  const { DATABASE_URL, PLANWRIGHT_STATE, LOG_LEVEL, PLANWRIGHT_SECRET_KEY } = env();
  const log = createLogger("worker", LOG_LEVEL);
  // Without Prisma, which the hot path does not use and which would be most of the process's memory.
  const pool = openPool(DATABASE_URL, {
    connectionsMax: 16,
    onIdleError: (error) => log.warn({ err: error }, "an idle connection broke"),
  });
  const addressPolicy = processAddressPolicy();
  const secretKeys = requireKeyRing(PLANWRIGHT_SECRET_KEY);
  const secrets = createSecretReader(pool, secretKeys);
  const records = createCapabilityRecords(pool);
  const executor = builtInExecutor({
    folderOf: (workspaceId) => workspaceFolder(PLANWRIGHT_STATE, workspaceId),
    ledgerFile: path.join(PLANWRIGHT_STATE, "ledger.jsonl"),
    addressPolicy,
    authorize: callAuthority(pool),
    registered: {
      records,
      providers: new Map([["http", openApiProvider({ policy: addressPolicy, secrets })]]),
    },
  });
  const traces = tracesAreOn(process.env)
    ? { sink: await openOtlpSink(), captureContent: capturesContent(process.env) }
    : undefined;
  const worker = await startWorker({
    database: { pool, url: DATABASE_URL },
    executor,
    log,
    registryOf: records.registryOf,
    ...(traces && { traces }),
    notifications: {
      sealer: sealerOf(secretKeys),
      policy: addressPolicy,
      baseUrl: env().PLANWRIGHT_URL.replace(/\/$/, ""),
    },
  });
  log.info({ worker: worker.id }, "the worker takes runs");
  if (secretKeys !== undefined)
    resealSecrets(pool, secretKeys).catch((error: unknown) => log.warn({ err: error }, "secrets keep their older key"));
  let stopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, "the worker lets go of its runs");
    await worker.stop();
    await pool.end();
    log.info({}, "the worker has stopped");
    process.exit(0);
  };
  process.on("SIGTERM", (signal) => void stop(signal));
  process.on("SIGINT", (signal) => void stop(signal));
}

await main();
