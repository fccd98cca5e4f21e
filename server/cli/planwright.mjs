import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Starts the command line from a bundle, which is there in a third of the time that translating the sources takes.
 * The bundle lies in node_modules/.cache under a name made of the sources' times and sizes, so it is never stale;
 * where it cannot be written, the sources are translated as they load.
 */
const checkout = path.resolve(import.meta.dirname, "../..");
const sources = path.join(checkout, "server");
const cache = path.join(checkout, "node_modules/.cache/planwright-cli");

/** Names the state of every source that may be in the bundle. */
function sourceState() {
  const hash = createHash("sha256").update(process.version);
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .sort()
    .map((name) => path.join(sources, name));
  for (const file of [...files, path.join(checkout, "package-lock.json")]) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file}\0${mtimeMs}\0${size}\0`);
  }
  return hash.digest("hex").slice(0, 24);
}

/** Builds beside the final place and renames, so that two calls at once cannot see half a bundle. */
async function build(/** @type {string} */ folder) {
  const { build: bundle } = await import("esbuild");
  const draft = `${folder}.${process.pid}`;
  await bundle({
    entryPoints: [path.join(sources, "cli/main.ts")],
    outdir: draft,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    tsconfig: path.join(checkout, "tsconfig.json"),
    logLevel: "silent",
    legalComments: "none",
    // Packages written as CommonJS ask for Node's own modules at run time.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  });
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** Bundles of earlier sources; one that another call still reads stays open to it. */
function removeOthers(/** @type {string} */ folder) {
  const hourAgo = Date.now() - 3_600_000;
  for (const name of readdirSync(cache)) {
    const other = path.join(cache, name);
    if (other !== folder && statSync(other).mtimeMs < hourAgo) rmSync(other, { recursive: true, force: true });
  }
}

async function loadBundle() {
  const folder = path.join(cache, sourceState());
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    await build(folder);
    removeOthers(folder);
  }
  return import(pathToFileURL(path.join(folder, "main.mjs")).href);
}

async function loadSources() {
  const { tsImport } = await import("tsx/esm/api");
  return tsImport("./main.ts", import.meta.url);
}

if (existsSync(path.join(checkout, "node_modules/esbuild"))) {
  const { main } = await loadBundle().catch(loadSources);
  await main(process.argv.slice(2), checkout);
} else {
  console.error("The packages are not installed yet. npm start brings them, or npm ci.");
  process.exitCode = 1;
}
