import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { inCheckout } from "../../server/setup/checkout.mjs";
import { generateClient } from "../../server/setup/generate-client.mjs";
import { productionBuild } from "../../server/setup/production-build.mjs";
import { runCommand } from "../../server/setup/run-command.mjs";
import { bringBrowser } from "./browser.mjs";
import { countPlaywright, countVitest } from "./test-counts.mjs";

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ name: string, run: () => Promise<Counts> }} Suite
 */

const program = (name, file) => inCheckout("node_modules", ...name.split("/"), ...file.split("/"));
const BIOME = program("@biomejs/biome", "bin/biome");
const TSC = program("typescript", "bin/tsc");
const DEPCRUISE = program("dependency-cruiser", "bin/dependency-cruise.mjs");
const KNIP = program("knip", "bin/knip.js");
const VITEST = program("vitest", "vitest.mjs");
const PLAYWRIGHT = program("@playwright/test", "cli.js");

const node = (...words) => runCommand(process.execPath, words);

/** A check that passes or fails as a whole. */
const check = (name, ...commands) => ({
  name,
  async run() {
    for (const words of commands) await node(...words);
    return { passed: 1, failed: 0, skipped: 0 };
  },
});

const FOLDERS = ["app", "components", "server", "prisma", "test"];

/** Fast ones first: whoever broke the formatting need not wait for the browser to hear it. */
const SUITES = [
  check("format", [BIOME, "check", "--linter-enabled=false", "."]),
  check("lint", [BIOME, "lint", "--error-on-warnings", "."]),
  check("types", [TSC, "--noEmit"], [TSC, "--noEmit", "-p", "server/kernel/tsconfig.json"]),
  { name: "import rules", run: importRules },
  check("unused code", [KNIP]),
  vitest("unit", ["test/unit"]),
  vitest("corpus", ["test/corpus"]),
  vitest("integration", ["test/integration", "test/contract"]),
  vitest("chaos", ["test/chaos"]),
  { name: "browser", run: browser },
];

/**
 * Runs the suites called `names`, or all, one after the other.
 * @param {readonly string[]} names
 * @returns {Promise<Counts>}
 */
export async function runSuites(names) {
  const unknown = names.filter((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `No suite is called ${unknown.join(", ")}. There are: ${SUITES.map(({ name }) => name).join(", ")}.`,
    );
  }
  await generateClient();
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const suite of SUITES.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const startedAt = performance.now();
    const counts = await suite.run().catch((error) => {
      console.log(`\n${error.message}\n`);
      return { passed: 0, failed: 1, skipped: 0, ...error.counts };
    });
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const { passed, failed, skipped } = counts;
    console.log(
      `${failed > 0 ? "✗" : "✓"} ${suite.name.padEnd(14)} ${passed} passed, ${failed} failed` +
        `${skipped > 0 ? `, ${skipped} skipped` : ""}  (${seconds} s)`,
    );
    for (const key of Object.keys(total)) total[key] += counts[key];
  }
  return total;
}

/** The project of that name. Its counts come from its report; a run that ends badly with a good report failed too. */
function vitest(name, folders) {
  return {
    name,
    async run() {
      const report = inCheckout("test-results", `${name}.json`);
      rmSync(report, { force: true });
      const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
      const ended = await outcomeOf(node(VITEST, "run", "--project", name, ...reporters));
      return judged(name, countVitest(readReport(report)), testFiles(folders), ended);
    },
  };
}

/** The rules hold, and held for something: a tool that understood no file would find no fault either. */
async function importRules() {
  const text = await node(DEPCRUISE, ...FOLDERS, "--config", ".dependency-cruiser.cjs");
  const modules = Number(/\((\d+) modules/.exec(text)?.[1] ?? 0);
  if (modules < 100) throw new Error(`The import rules were checked for ${modules} modules only.\n${text}`);
  return { passed: 1, failed: 0, skipped: 0 };
}

async function browser() {
  const files = testFiles(["test/e2e"]);
  process.env.CHROME_PATH = bringBrowser();
  await productionBuild();
  const report = inCheckout("test-results", "browser.json");
  rmSync(report, { force: true });
  process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = report;
  const ended = await outcomeOf(node(PLAYWRIGHT, "test"));
  return judged("browser", countPlaywright(readReport(report)), files, ended);
}

/**
 * The counts, if they can be believed. Failures are thrown with the output, which the caller prints.
 * @param {Counts | undefined} counts
 * @param {number} files test files there are
 * @param {Error | undefined} ended why the run ended badly
 */
function judged(name, counts, files, ended) {
  const known = counts ?? { passed: 0, failed: 0, skipped: 0 };
  if (!ended && known.failed === 0 && (known.passed > 0 || files === 0)) return known;
  const failed = Math.max(known.failed, 1);
  const reason = ended ?? new Error(`The ${name} suite has ${files} files and ran no test.`);
  throw Object.assign(reason, { counts: { ...known, failed } });
}

const outcomeOf = (running) =>
  running.then(
    () => undefined,
    (error) => error,
  );

const readReport = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined);

function testFiles(folders) {
  return folders
    .filter((folder) => existsSync(inCheckout(folder)))
    .flatMap((folder) => readdirSync(inCheckout(folder), { recursive: true }))
    .filter((file) => /\.(test|spec)\.tsx?$/.test(path.basename(String(file)))).length;
}
