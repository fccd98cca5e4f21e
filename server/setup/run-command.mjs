import { spawn } from "node:child_process";
import process from "node:process";
import { ROOT } from "./checkout.mjs";

/** Commands of ours that run now, to be ended with us. */
const running = new Set();

/**
 * Runs a program in the checkout until it ends. Its output is kept for the error, unless `show` prints it as it comes.
 * @param {string} program
 * @param {readonly string[]} words
 * @param {{ env?: NodeJS.ProcessEnv, show?: boolean }} [options]
 * @returns {Promise<string>} what it printed
 */
export function runCommand(program, words, { env = process.env, show = false } = {}) {
  const output = show ? "inherit" : "pipe";
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd: ROOT, env, stdio: ["ignore", output, output] });
    running.add(child);
    let text = "";
    const keep = (chunk) => {
      text += chunk;
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      running.delete(child);
      if (code === 0) resolve(text);
      else reject(new Error(`${[program, ...words].join(" ")} ended with ${code ?? signal}.\n${text.slice(-6_000)}`));
    });
  });
}

/** Ends the commands that run now. For somebody who stops the set-up halfway. */
export function endCommands() {
  for (const child of running) child.kill("SIGTERM");
}
