import { defineConfig } from "@playwright/test";
import { findBrowser } from "./test/support/browser.mjs";

const root = process.getuid?.() === 0;

/**
 * The whole product in a real browser: `test/support/e2e-setup.ts` starts it as `npm start` does, on a database and a
 * port of its own, and says where it is in the environment.
 */
export default defineConfig({
  testDir: "test/e2e",
  outputDir: "test-results/e2e",
  globalSetup: "./test/support/e2e-setup.ts",
  // One browser at a time: the tests share one server, and measure it.
  workers: 1,
  fullyParallel: false,
  forbidOnly: process.env.CI !== undefined,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["json", { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? "test-results/e2e.json" }]],
  use: {
    baseURL: process.env.PLANWRIGHT_E2E_URL,
    browserName: "chromium",
    locale: "en-GB",
    timezoneId: "UTC",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: findBrowser(),
      // The browser's own sandbox does not start as root.
      args: root ? ["--no-sandbox"] : [],
    },
  },
});
