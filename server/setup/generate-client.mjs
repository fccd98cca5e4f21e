import { existsSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { inCheckout } from "./checkout.mjs";
import { fingerprint } from "./fingerprint.mjs";
import { withLock } from "./lock.mjs";
import { runCommand } from "./run-command.mjs";

const STAMP = inCheckout("prisma", "generated", ".fingerprint");

/** Writes the database client from the Prisma schema, when it is missing or of another schema. */
export async function generateClient() {
  if (isCurrent()) return;
  await withLock("generate", async () => {
    if (isCurrent()) return;
    await runCommand(process.execPath, [inCheckout("node_modules", "prisma", "build", "index.js"), "generate"], {
      env: {
        ...process.env,
        CHECKPOINT_DISABLE: "1",
        // Generating never runs the schema engine, but looks for it, and would fetch it from a host of its own.
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      },
    });
    writeFileSync(STAMP, current());
  });
}

const current = () => fingerprint(["prisma/schema", "prisma.config.ts", "node_modules/prisma/package.json"]);
const isCurrent = () => existsSync(STAMP) && readFileSync(STAMP, "utf8") === current();

if (process.argv[1] === import.meta.filename) await generateClient();
