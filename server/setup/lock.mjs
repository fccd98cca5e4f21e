import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { inCheckout } from "./checkout.mjs";

/**
 * Runs `work` while no other process of this checkout runs work of the same name: `npm start` and `npm test` may be
 * called together. A holder that was killed is found out by its process id.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
  mkdirSync(inCheckout(".planwright"), { recursive: true, mode: 0o700 });
  const file = inCheckout(".planwright", `${name}.lock`);
  for (let told = false; !take(file); told = true) {
    if (!told) console.log(`Waiting for another start or test of this checkout (${name}).`);
    await delay(250);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (!isHeld(file)) rmSync(file, { force: true });
    return false;
  }
}

function isHeld(file) {
  try {
    const holder = Number(readFileSync(file, "utf8"));
    // Empty: its holder is writing it just now.
    if (!holder) return true;
    process.kill(holder, 0);
    return holder !== process.pid;
  } catch (error) {
    return error.code === "EPERM";
  }
}
