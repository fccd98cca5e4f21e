/**
 * `npm start`, and with `--development` `npm run dev`. Runs on Node alone: it brings the packages, then hands over.
 */
import process from "node:process";
import { installPackages } from "../setup/install-packages.mjs";
import { requireNode } from "../setup/node-version.mjs";
import { endCommands } from "../setup/run-command.mjs";

const words = process.argv.slice(2);
const development = words[0] === "--development";

// Until the supervisor takes over there is nothing to stop but commands of ours.
const quit = () => {
  endCommands();
  process.exit(130);
};
process.once("SIGINT", quit).once("SIGTERM", quit);

try {
  requireNode();
  await installPackages();
  const { register } = await import("tsx/esm/api");
  register();
  const { main } = await import("./main.ts");
  process.off("SIGINT", quit).off("SIGTERM", quit);
  await main(development ? words.slice(1) : words, development);
} catch (error) {
  console.error(error.name === "PlainError" || !error.stack ? error.message : error.stack);
  process.exit(1);
}
