import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { chromium } from "@playwright/test";
import { inCheckout } from "../../server/setup/checkout.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "/snap/bin/chromium",
];

/** The Chromium or Chrome to test with: the one at CHROME_PATH, an installed one, or Playwright's own. */
export function findBrowser() {
  const given = process.env.CHROME_PATH;
  if (given) {
    if (existsSync(given)) return given;
    throw new Error(`CHROME_PATH is ${given}, where there is no browser.`);
  }
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...PLACES, own()];
  return candidates.find((file) => file !== undefined && existsSync(file));
}

/** Finds a browser, or gets one: from Debian where we may install packages, else Playwright's own build. */
export function bringBrowser() {
  const found = findBrowser();
  if (found) return found;
  const attempts = [];
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    console.log("Installing Chromium with apt-get …");
    const quiet = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, timeout: 600_000 };
    attempts.push(attempt("apt-get", ["update"], quiet));
    attempts.push(attempt("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], quiet));
  } else {
    console.log("Downloading Playwright's Chromium …");
    const cli = inCheckout("node_modules", "@playwright", "test", "cli.js");
    attempts.push(attempt(process.execPath, [cli, "install", "chromium"], { timeout: 600_000 }));
  }
  const brought = findBrowser();
  if (brought) return brought;
  throw new Error(
    "There is no browser to test with. Install Chromium or Chrome, or set CHROME_PATH to one.\n" +
      attempts.filter(Boolean).join("\n"),
  );
}

/** Where Playwright keeps the build it was made for, there or not. */
function own() {
  try {
    return chromium.executablePath();
  } catch {
    return undefined;
  }
}

/** Runs a program; undefined when it went well, else what it said last. */
function attempt(program, words, options) {
  const { status, error, stderr } = spawnSync(program, words, { encoding: "utf8", ...options });
  return status === 0 ? undefined : `${program} ${words.join(" ")}: ${error?.message ?? stderr.slice(-600).trim()}`;
}
