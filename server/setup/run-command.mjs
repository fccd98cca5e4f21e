import { spawn } from "node:child_process";
import { ROOT } from "./checkout.mjs";

/**
 * Runs a program in the checkout until it ends, its output kept unless it fails.
 * @param {string} program
 * @param {readonly string[]} words
 * @param {{ env?: NodeJS.ProcessEnv, show?: boolean }} [options] `show`: print as it comes
 * @returns {Promise<void>}
 */
export function runCommand(program, words, { env = process.env, show = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      cwd: ROOT,
      env,
      stdio: ["ignore", show ? "inherit" : "pipe", show ? "inherit" : "pipe"],
    });
    let output = "";
    const keep = (chunk) => {
      output += chunk;
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${[program, ...words].join(" ")} ended with ${code}.\n${output.slice(-4_000)}`));
    });
  });
}
