import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { inCheckout } from "./checkout.mjs";
import { fingerprint } from "./fingerprint.mjs";
import { withLock } from "./lock.mjs";
import { runCommand } from "./run-command.mjs";

const SOURCES = [
  "app",
  "components",
  "server",
  "prisma/schema",
  "public",
  "instrumentation-client.ts",
  "next.config.mjs",
  "postcss.config.mjs",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.base.json",
];

const PREFIX = "build-";
const DONE = "planwright-build-is-complete";

/** Processes that a build brings, each one file. */
const PROCESSES = ["web", "worker"];

/**
 * A production build of the sources as they are: made when there is none, in a folder named after their fingerprint.
 * A build that a running server uses is never touched, so `npm test` may build under it.
 * @returns {Promise<{ folder: string, processes: Record<"web" | "worker", string> }>} `folder` is relative to the checkout
 */
export async function productionBuild() {
  const folder = path.join(".next", `${PREFIX}${fingerprint(SOURCES).slice(0, 16)}`);
  const done = inCheckout(folder, DONE);
  if (!existsSync(done)) {
    await withLock("build", async () => {
      if (existsSync(done)) return;
      console.log("Building (once for every change of the sources; about a minute) …");
      removeUnused();
      await build(folder);
      writeFileSync(done, "");
    });
  }
  const at = (name) => inCheckout(folder, "processes", `${name}.mjs`);
  return { folder, processes: { web: at("web"), worker: at("worker") } };
}

async function build(folder) {
  rmSync(inCheckout(folder), { recursive: true, force: true });
  await runCommand(process.execPath, [inCheckout("node_modules", "next", "dist", "bin", "next"), "build"], {
    env: { ...process.env, NODE_ENV: "production", PLANWRIGHT_BUILD: folder, NEXT_TELEMETRY_DISABLED: "1" },
  });
  const { build: bundle } = await import("esbuild");
  await bundle({
    entryPoints: PROCESSES.map((name) => inCheckout("server", `${name}.ts`)),
    outdir: inCheckout(folder, "processes"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    sourcemap: "linked",
    logLevel: "error",
  });
}

/** Marks a build as used by this process, until it ends. */
export function holdBuild(folder) {
  const mark = inCheckout(folder, `in-use-by-${process.pid}`);
  writeFileSync(mark, "");
  process.once("exit", () => rmSync(mark, { force: true }));
}

function removeUnused() {
  mkdirSync(inCheckout(".next"), { recursive: true });
  for (const name of readdirSync(inCheckout(".next"))) {
    if (!name.startsWith(PREFIX) || isUsed(inCheckout(".next", name))) continue;
    rmSync(inCheckout(".next", name), { recursive: true, force: true });
  }
}

const isUsed = (folder) =>
  readdirSync(folder).some((name) => name.startsWith("in-use-by-") && isAlive(Number(name.split("-").at(-1))));

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}
