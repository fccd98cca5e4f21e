import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { createFirstPeople, type FirstPerson, newPasswords } from "../auth/first-people";
import { type Database, openDatabase } from "../db";
import { firstFreePort } from "../free-port";
import { messageOf, PlainError } from "../plain-error";
import { holdBuild, productionBuild } from "../setup/production-build.mjs";
import { openStateFolder } from "../state-folder";
import { authSecret, secretKey, writeCommandLineAccess } from "./local-secrets";
import { readableLine } from "./log-lines";
import { type PreparedDatabase, prepareDatabase } from "./prepare-database";
import { RunFile } from "./run-file";
import type { StartRole } from "./start-role";
import { type ProcessPlan, SupervisedProcess } from "./supervised-process";
import { WORKER_FLAGS } from "./worker-flags";

export interface StartOptions {
  readonly root: string;
  /** Hot reload: the processes run from the sources. */
  readonly development: boolean;
  /** Default: everything. */
  readonly role?: StartRole;
  readonly environment: NodeJS.ProcessEnv;
  /** Gives the local people new passwords, for whoever lost theirs. */
  readonly newPasswords?: boolean;
}

/** How long web and worker get to end by themselves. With the database after them, all is over within five seconds. */
const GRACE_MS = 2_500;
const HEALTHY_WITHIN_MS = 90_000;
const DATABASE_WATCH_MS = 1_000;
const DEFAULT_PORT = 3_000;

/** Starts everything that belongs to a checkout and keeps it running until it is stopped. */
export class Supervisor {
  private readonly runFile: RunFile;
  private readonly statePath: string;
  private readonly postgresPath: string;
  private processes: SupervisedProcess[] = [];
  private databaseStart: Promise<PreparedDatabase> | undefined;
  private databaseWatch: NodeJS.Timeout | undefined;
  private reviving: Promise<void> | undefined;
  private stopping: Promise<void> | undefined;

  constructor(private readonly options: StartOptions) {
    const state = openStateFolder(options.root);
    this.statePath = state.path;
    this.postgresPath = state.postgresPath;
    this.runFile = new RunFile(state.path, this.role);
  }

  private get role(): StartRole {
    return this.options.role ?? "all";
  }

  /** Settles once everything answers. Undefined: another supervisor runs this checkout, which was said. */
  async start(): Promise<{ url: string } | undefined> {
    const { environment, development } = this.options;
    const other = await this.runFile.claim();
    if (other) {
      console.log(`Planwright runs already${other.url ? `: ${other.url}` : ""} (process ${other.pid}).`);
      return undefined;
    }
    const building = development ? undefined : productionBuild();
    // Waited for below: until then a failure of it must not count as unhandled.
    building?.catch(() => {});
    this.databaseStart = prepareDatabase(environment.DATABASE_URL, this.postgresPath);
    const database = await this.databaseStart;
    const build = await building;
    if (this.stopping) return undefined;

    const host = environment.HOST || "127.0.0.1";
    const port = this.role === "worker" ? DEFAULT_PORT : await choosePort(environment.PORT, host);
    const url =
      environment.PLANWRIGHT_URL || `http://${host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host}:${port}`;
    const people = this.role === "worker" ? [] : await this.preparePeople(database.url, url);

    const processEnvironment: NodeJS.ProcessEnv = {
      ...environment,
      NODE_ENV: development ? "development" : "production",
      NEXT_TELEMETRY_DISABLED: "1",
      DATABASE_URL: database.url,
      HOST: host,
      PORT: String(port),
      PLANWRIGHT_URL: url,
      PLANWRIGHT_STATE: this.statePath,
      AUTH_SECRET: environment.AUTH_SECRET || authSecret(this.statePath),
      PLANWRIGHT_SECRET_KEY: environment.PLANWRIGHT_SECRET_KEY || secretKey(this.statePath),
      ...(build && { PLANWRIGHT_BUILD: build.folder }),
    };
    this.watchDatabase(database);
    if (build) holdBuild(build.folder);
    const startedAt = Date.now();
    for (const { name, words } of processPlans(build?.processes)) {
      if (this.role !== "all" && this.role !== name) continue;
      const process_ = new SupervisedProcess({ name, words, env: processEnvironment }, this.news());
      this.processes.push(process_);
      process_.start();
    }
    if (this.role === "worker") await this.untilWorkerBeats(database.url, startedAt);
    else await this.untilHealthy(`http://${host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host}:${port}`);
    if (this.stopping) return undefined;
    this.runFile.noteUrl(url);
    if (this.role === "worker") console.log("\nA worker takes runs.\n\nCtrl-C stops it; its runs go on elsewhere.");
    else announce(url, people);
    return { url };
  }

  /** Stops the processes, then the database. May be called at any time, and more than once. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  private async stopAll(): Promise<void> {
    await Promise.all(this.processes.map((process_) => process_.stop(GRACE_MS)));
    clearTimeout(this.databaseWatch);
    await this.reviving;
    const database = await this.databaseStart?.catch(() => undefined);
    await database?.stop();
    this.runFile.release();
  }

  /** Starts a database that died again. The processes' pools find it by themselves: it has the same address. */
  private watchDatabase(database: PreparedDatabase): void {
    this.databaseWatch = setTimeout(async () => {
      this.reviving = revive(database);
      await this.reviving;
      if (!this.stopping) this.watchDatabase(database);
    }, DATABASE_WATCH_MS);
  }

  private async preparePeople(databaseUrl: string, url: string): Promise<FirstPerson[]> {
    const database = openDatabase(databaseUrl, { connectionsMax: 3 });
    try {
      const first = await createFirstPeople(database);
      const people = first.length === 0 && this.options.newPasswords ? await newPasswords(database) : first;
      await writeCommandLineAccess(database, this.statePath, url);
      await seedWhenEmpty(database, this.options.root, this.statePath);
      return people;
    } finally {
      await database.close();
    }
  }

  private news() {
    const readable = process.stdout.isTTY === true;
    return {
      onLine: (name: string, line: string) => console.log(readable ? readableLine(name, line) : line),
      onCrash: (name: string, how: string, delayMs: number) => {
        console.log(`The ${name} process ended (${how}); it starts again in ${delayMs / 1_000} s.`);
      },
      onStart: (name: string, pid: number) => this.runFile.noteProcess(name, pid),
    };
  }

  /** A worker of this machine has been seen since it was started. Clocks may differ, so its age decides. */
  private async untilWorkerBeats(databaseUrl: string, startedAt: number): Promise<void> {
    const database = openDatabase(databaseUrl, { connectionsMax: 1 });
    try {
      while (!this.stopping) {
        const { rows } = await database.pool.query(
          `SELECT FROM worker_heartbeats WHERE worker_id LIKE $1
             AND started_at > clock_timestamp() - $2::float8 * interval '1 ms'`,
          [`${hostname()}/%`, Date.now() - startedAt],
        );
        if (rows.length > 0) return;
        if (Date.now() - startedAt > HEALTHY_WITHIN_MS) {
          throw new PlainError("The worker does not say that it lives. Its last lines say why.");
        }
        await delay(100);
      }
    } finally {
      await database.close();
    }
  }

  private async untilHealthy(address: string): Promise<void> {
    const deadline = Date.now() + HEALTHY_WITHIN_MS;
    while (!this.stopping) {
      if (await answersWell(`${address}/api/health`)) return;
      if (Date.now() > deadline) throw new PlainError("The web process does not answer. Its last lines say why.");
      await delay(100);
    }
  }
}

/** Loads what makes the examples only where they are wanted: it is half of the server. */
async function seedWhenEmpty(database: Database, root: string, statePath: string): Promise<void> {
  if ((await database.prisma.plan.count()) > 0) return;
  const { seedFirstWorkspace } = await import("../services");
  await seedFirstWorkspace(database, root, statePath);
}

async function revive(database: PreparedDatabase): Promise<void> {
  try {
    if (await database.revive()) console.log("The database had ended; it runs again.");
  } catch (error) {
    console.error(messageOf(error));
  }
}

async function choosePort(wanted: string | undefined, host: string): Promise<number> {
  const first = wanted
    ? z.coerce.number().int().min(1).max(65_535).safeParse(wanted)
    : { success: true, data: DEFAULT_PORT };
  if (!first.success || first.data === undefined) throw new PlainError(`PORT is "${wanted}", which is not a port.`);
  const port = await firstFreePort(first.data, host);
  if (port === undefined) throw new PlainError(`Every port from ${first.data} on is taken. Set PORT to a free one.`);
  if (port !== first.data) console.log(`Port ${first.data} is taken; using ${port}.`);
  return port;
}

/** In production each process is one bundled file; in development the sources, watched. */
function processPlans(built: Record<"web" | "worker", string> | undefined): Omit<ProcessPlan, "env">[] {
  return built
    ? [
        { name: "web", words: [built.web] },
        { name: "worker", words: [...WORKER_FLAGS, built.worker] },
      ]
    : [
        { name: "web", words: ["--import", "tsx", "server/web.ts"] },
        {
          name: "worker",
          words: ["node_modules/tsx/dist/cli.mjs", "watch", "--clear-screen=false", "server/worker.ts"],
        },
      ];
}

async function answersWell(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    return response.ok;
  } catch {
    return false;
  }
}

function announce(url: string, people: readonly FirstPerson[]): void {
  const lines = [
    "",
    `Planwright is ready: ${url}`,
    "",
    ...(people.length > 0
      ? [
          "Sign in as one of these people. Their passwords are shown this once:",
          ...people.map(({ name, email, password }) => `  ${name.padEnd(10)} ${email.padEnd(28)} ${password}`),
        ]
      : ["Sign in with the passwords of the first start (lost? npm start -- --new-passwords)."]),
    "",
    "Ctrl-C stops everything.",
  ];
  console.log(lines.join("\n"));
}
