import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { inCheckout } from "./checkout.mjs";

/**
 * SHA-256 over the names and contents of files, folders taken whole. Equal fingerprints: nothing needs doing again.
 * Contents, not times: a clone and a checkout of another branch touch every file.
 * @param {readonly string[]} names paths inside the checkout; missing ones count as missing
 */
export function fingerprint(names) {
  const hash = createHash("sha256");
  for (const name of [...names].sort()) {
    for (const file of filesOf(name))
      hash
        .update(`${file}\0`)
        .update(readFileSync(inCheckout(file)))
        .update("\0");
  }
  return hash.digest("hex");
}

function filesOf(name) {
  const found = statSync(inCheckout(name), { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [name];
  return readdirSync(inCheckout(name))
    .sort()
    .flatMap((child) => filesOf(path.posix.join(name, child)));
}
