import { rmSync } from "node:fs";
import { messageOf, PlainError } from "../plain-error";
import { ROOT } from "../setup/checkout.mjs";
import { RunFile } from "../start/run-file";
import { openStateFolder } from "../state-folder";
import { stopEmbeddedPostgres } from "./embedded-postgres";

/** `npm run db:reset`: throws the local database of this checkout away. The next start makes a new one. */
async function resetDatabase(): Promise<void> {
  if (process.env.DATABASE_URL) throw new PlainError("DATABASE_URL is set: only the embedded database can be reset.");
  const state = openStateFolder(ROOT);
  const runFile = new RunFile(state.path);
  if (await runFile.claim()) throw new PlainError("Planwright runs. Stop it first.");
  await stopEmbeddedPostgres(state.postgresPath);
  rmSync(state.postgresPath, { recursive: true, force: true });
  runFile.release();
  console.log("The local database is gone. The next start makes a new one, with new people.");
}

resetDatabase().catch((error: unknown) => {
  console.error(error instanceof PlainError ? error.message : `Failed: ${messageOf(error)}`);
  process.exitCode = 1;
});
