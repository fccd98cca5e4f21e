/**
 * `npm test`: brings what the tests need, runs every suite, and ends with one line of true counts. Runs on Node alone.
 */
import { mkdirSync } from "node:fs";
import process from "node:process";
import { inCheckout } from "../server/setup/checkout.mjs";
import { installPackages } from "../server/setup/install-packages.mjs";
import { requireNode } from "../server/setup/node-version.mjs";
import { endCommands } from "../server/setup/run-command.mjs";

const quit = () => {
  endCommands();
  process.exit(130);
};
process.once("SIGINT", quit).once("SIGTERM", quit);

try {
  requireNode();
  await installPackages();
  mkdirSync(inCheckout("test-results"), { recursive: true });
  const { runSuites } = await import("./support/suites.mjs");
  const { passed, failed, skipped } = await runSuites(process.argv.slice(2));
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
} catch (error) {
  console.error(error.stack ?? error.message);
  console.log("\n0 passed, 1 failed");
  process.exit(1);
}
