import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { ROOT } from "../../server/setup/checkout.mjs";

export interface Bundle {
  /** What Node runs. */
  readonly script: string;
  remove(): void;
}

/**
 * One file out of `entry`, so that a process starts as fast as the product's own do. It lies where packages are found:
 * beside those of `packagesOf`, the checkout by default.
 */
export async function bundleForNode(entry: string, packagesOf = ROOT): Promise<Bundle> {
  const folder = mkdtempSync(path.join(packagesOf, "node_modules", ".bundle-"));
  const script = path.join(folder, "main.mjs");
  await build({
    entryPoints: [entry],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    sourcemap: "inline",
  });
  return { script, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
