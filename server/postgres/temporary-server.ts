import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isAlive } from "../process-table";
import { MACHINE_FOLDER } from "../state-folder";
import { startEmbeddedPostgres, stopEmbeddedPostgres } from "./embedded-postgres";

export interface TemporaryServer {
  readonly url: string;
  /** Ends it as a crash would and starts it again at the same address. */
  restartAtOnce(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

const PREFIX = "temporary-";
const OWNER = "owner";

/**
 * A server of this process alone, whose data go with it. Before it starts, those of owners that were killed are
 * cleared away.
 */
export async function startTemporaryServer(durable = false): Promise<TemporaryServer> {
  const home =
    process.getuid?.() === 0 ? MACHINE_FOLDER : path.join(tmpdir(), `planwright-${process.getuid?.() ?? "me"}`);
  mkdirSync(home, { recursive: true, mode: 0o755 });
  await clearAbandoned(home);
  const folder = mkdtempSync(path.join(home, PREFIX));
  writeFileSync(path.join(folder, OWNER), String(process.pid));
  const server = await startEmbeddedPostgres({ folder, durable });
  return {
    url: server.url,
    restartAtOnce: () => server.restartAtOnce(),
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function clearAbandoned(home: string): Promise<void> {
  for (const name of readdirSync(home)) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = path.join(home, name);
    const owner = ownerOf(folder);
    // No owner written: it is just being made.
    if (owner === undefined || isAlive(owner)) continue;
    await stopEmbeddedPostgres(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function ownerOf(folder: string): number | undefined {
  try {
    return Number(readFileSync(path.join(folder, OWNER), "utf8")) || undefined;
  } catch {
    return undefined;
  }
}
