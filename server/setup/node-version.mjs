import process from "node:process";

const OLDEST = [20, 19];

/** Says in plain words that this Node is too old, before anything fails in words that are not. */
export function requireNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new Error(`Planwright needs Node ${OLDEST.join(".")} or newer; this is ${version}.`);
}
