import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { anyFreePort } from "../free-port";
import { messageOf, PlainError } from "../plain-error";
import { isAlive } from "../process-table";
import { postgresBinaries } from "./binaries";
import { type DatabaseUser, databaseUser } from "./database-user";
import { findPostmaster, lockFile } from "./postmaster";

export interface EmbeddedPostgres {
  /** Superuser of the server, database `postgres`. Holds the password: never log it. */
  readonly url: string;
  readonly port: number;
  /** The server was running already, left by a supervisor that was killed. */
  readonly adopted: boolean;
  /** Starts the server again, on the same port, if it has died. True: it had. */
  revive(): Promise<boolean>;
  /** Ends it as a crash would, without a checkpoint, and starts it again on the same port: it recovers from its log. */
  restartAtOnce(): Promise<void>;
  /** Ends the server: sessions are cut, nothing committed is lost. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Made when missing. Holds the cluster, its password and its log. */
  readonly folder: string;
  /** False: no fsync. For tests, whose data nobody wants back after a power cut. */
  readonly durable?: boolean;
}

const HOST = "127.0.0.1";
const SUPERUSER = "planwright";

/**
 * A real Postgres server on the binaries that npm brought. It outlives its starter on purpose: whoever comes after a
 * kill -9 adopts it, or lets Postgres recover from its log.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const user = databaseUser();
  const cluster = new Cluster(options.folder, postgresBinaries(user !== undefined), user);
  await cluster.create(options.durable ?? true);
  const running = await cluster.adopt();
  const port = running ?? (await cluster.start());
  return {
    url: cluster.url(port),
    port,
    adopted: running !== undefined,
    async revive() {
      if (cluster.isRunning()) return false;
      await cluster.start(port);
      return true;
    },
    restartAtOnce: () => cluster.restartAtOnce(port),
    stop: () => cluster.stop(),
  };
}

/** Where the server of `folder` can be reached; undefined while none runs. */
export function runningDatabaseUrl(folder: string): string | undefined {
  const postmaster = existsSync(path.join(folder, "data")) ? findPostmaster(path.join(folder, "data")) : undefined;
  if (postmaster === undefined || postmaster.port === 0) return undefined;
  return urlOf(readFileSync(path.join(folder, "password"), "utf8").trim(), postmaster.port);
}

/** Ends the server of `folder`, if one runs. For what a killed owner left behind. */
export async function stopEmbeddedPostgres(folder: string): Promise<void> {
  const user = databaseUser();
  await new Cluster(folder, postgresBinaries(user !== undefined), user).stop();
}

const urlOf = (password: string, port: number): string =>
  `postgresql://${SUPERUSER}:${password}@${HOST}:${port}/postgres`;

class Cluster {
  private readonly data: string;
  private readonly log: string;
  private readonly passwordFile: string;

  constructor(
    private readonly folder: string,
    private readonly binaries: string,
    private readonly user: DatabaseUser | undefined,
  ) {
    this.data = path.join(folder, "data");
    this.log = path.join(folder, "server.log");
    this.passwordFile = path.join(folder, "password");
  }

  url(port: number): string {
    return urlOf(readFileSync(this.passwordFile, "utf8").trim(), port);
  }

  /** Makes the cluster beside its place and moves it there, so that a killed first start leaves no half cluster. */
  async create(durable: boolean): Promise<void> {
    if (existsSync(path.join(this.data, "PG_VERSION"))) return;
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    this.own(this.folder);
    const aside = path.join(this.folder, "new");
    rmSync(aside, { recursive: true, force: true });
    writeFileSync(this.passwordFile, randomBytes(24).toString("hex"), { mode: 0o600 });
    this.own(this.passwordFile);
    await this.run("initdb", [
      ["--pgdata", aside],
      ["--username", SUPERUSER],
      ["--pwfile", this.passwordFile],
      ["--auth", "scram-sha-256"],
      ["--encoding", "UTF8"],
      ["--locale", "C"],
      ["--no-instructions"],
      durable ? [] : ["--no-sync"],
    ]);
    appendFileSync(
      path.join(aside, "postgresql.conf"),
      [
        "",
        `listen_addresses = '${HOST}'`,
        "unix_socket_directories = ''",
        "max_connections = 200",
        // A web process that dies with a transaction open must not hold its locks for long.
        "idle_in_transaction_session_timeout = '60s'",
        ...(durable ? [] : ["fsync = off", "full_page_writes = off"]),
        "",
      ].join("\n"),
    );
    renameSync(aside, this.data);
  }

  /** The port of a server that already runs on this data and lets us in. */
  async adopt(): Promise<number | undefined> {
    // One that is just starting or stopping gets time to make up its mind.
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const postmaster = findPostmaster(this.data);
      if (!postmaster) return undefined;
      if (postmaster.port > 0 && (await this.answers(postmaster.port))) return postmaster.port;
      await delay(100);
    }
    throw new PlainError(`A Postgres server holds ${this.data} but does not answer. See ${this.log}.`);
  }

  isRunning(): boolean {
    return findPostmaster(this.data) !== undefined;
  }

  /** @param wanted the port it must have; otherwise a free one. */
  async start(wanted?: number): Promise<number> {
    // Nothing alive owns it (see findPostmaster), yet Postgres believes any live process with that number.
    rmSync(lockFile(this.data), { force: true });
    let failure = "";
    // Between choosing a port and taking it somebody else may take it.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const port = wanted ?? (await anyFreePort(HOST));
      try {
        await this.run("pg_ctl", [
          ["start", "--wait", "--timeout", "60"],
          ["--pgdata", this.data],
          ["--log", this.log],
          ["--options", `-p ${port}`],
        ]);
        return port;
      } catch (error) {
        failure = `${messageOf(error)}\n${this.lastLog()}`;
        if (!/in use|could not create any TCP/i.test(failure)) break;
        await delay(200);
      }
    }
    throw new PlainError(`The embedded Postgres did not start. ${failure}`);
  }

  async restartAtOnce(port: number): Promise<void> {
    await this.run("pg_ctl", [
      ["stop", "--wait", "--timeout", "30", "--mode", "immediate"],
      ["--pgdata", this.data],
    ]);
    await this.start(port);
  }

  async stop(): Promise<void> {
    const postmaster = findPostmaster(this.data);
    if (!postmaster) return;
    // Immediate after four seconds: recovery at the next start loses nothing that was committed.
    try {
      await this.run("pg_ctl", [
        ["stop", "--wait", "--timeout", "4", "--mode", "fast"],
        ["--pgdata", this.data],
      ]);
    } catch (error) {
      if (!isAlive(postmaster.pid)) return;
      await this.run("pg_ctl", [
        ["stop", "--wait", "--timeout", "5", "--mode", "immediate"],
        ["--pgdata", this.data],
      ]);
      if (isAlive(postmaster.pid)) throw error;
    }
  }

  private async answers(port: number): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url(port), connectionTimeoutMillis: 2_000 });
    client.on("error", () => {});
    try {
      await client.connect();
      const { rows } = await client.query("SELECT current_setting('data_directory') AS folder");
      return rows[0]?.folder === this.data;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => {});
    }
  }

  private own(file: string): void {
    chmodSync(file, statSync(file).isDirectory() ? 0o700 : 0o600);
    if (this.user) chownSync(file, this.user.uid, this.user.gid);
  }

  private lastLog(): string {
    return existsSync(this.log) ? readFileSync(this.log, "utf8").slice(-1_000) : "";
  }

  private async run(program: "initdb" | "pg_ctl", options: readonly (readonly string[])[]): Promise<void> {
    // A server that pg_ctl starts keeps the pipes it inherits, so nothing may wait for them to close: it has a log.
    const starts = options[0]?.[0] === "start";
    const child = spawn(path.join(this.binaries, "bin", program), options.flat(), {
      ...this.user,
      cwd: this.folder,
      // Nothing else: PGDATA, PGPORT and the like would change what is run.
      env: { NODE_ENV: process.env.NODE_ENV, PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "ignore", starts ? "ignore" : "pipe"],
      // Ctrl-C goes to a terminal's whole group: the database is stopped by us, after those who use it.
      detached: true,
    });
    const { code, stderr } = await ended(child);
    if (code !== 0) throw new Error(`${program} ended with ${code}. ${stderr.trim()}`);
  }
}

function ended(child: ChildProcess): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    let stderr = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stderr }));
  });
}
