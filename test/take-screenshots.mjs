import process from "node:process";
import { inCheckout } from "../server/setup/checkout.mjs";
import { runCommand } from "../server/setup/run-command.mjs";
import { bringBrowser } from "./support/browser.mjs";

/** `npm run screenshots`: runs the browser tests, which write the pictures of the documentation as they go. */
process.env.CHROME_PATH = bringBrowser();
await runCommand(process.execPath, [inCheckout("node_modules", "@playwright", "test", "cli.js"), "test"], {
  env: { ...process.env, PLANWRIGHT_SCREENSHOTS: "1" },
  show: true,
});
