import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { inCheckout } from "./checkout.mjs";
import { withLock } from "./lock.mjs";
import { runCommand } from "./run-command.mjs";

/**
 * Installs what package-lock.json says, when it is not what node_modules holds. Uses the package registry alone.
 * @param {string} folder of the package, relative to the checkout; the checkout itself by default
 */
export async function installPackages(folder = "") {
  const isCurrent = () => holdsEveryPackage(folder);
  if (isCurrent()) return;
  await withLock(`install${folder.replaceAll("/", "-")}`, async () => {
    if (isCurrent()) return;
    console.log(existsSync(inCheckout(folder, "node_modules")) ? "Updating packages …" : "Installing packages …");
    // npm names its own entry point to the scripts it runs; its shell wrapper differs from system to system.
    const npm = process.env.npm_execpath;
    const words = ["ci", "--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"];
    if (folder !== "") words.push("--prefix", inCheckout(folder));
    // A person's own NODE_ENV=production would leave out what the build needs.
    const env = { ...process.env };
    for (const name of ["NODE_ENV", "npm_config_production", "npm_config_omit"]) delete env[name];
    try {
      if (npm?.endsWith(".js")) await runCommand(process.execPath, [npm, ...words], { env });
      else await runCommand("npm", words, { env });
    } catch (error) {
      throw new Error(`The packages could not be installed. Is the package registry reachable?\n${error.message}`);
    }
  });
}

/** npm writes down what it installed: it must be every package of the lock file that is not optional. */
function holdsEveryPackage(folder) {
  const installed = packagesOf(inCheckout(folder, "node_modules", ".package-lock.json"));
  const wanted = packagesOf(inCheckout(folder, "package-lock.json"));
  if (!installed || !wanted) return false;
  return Object.entries(wanted).every(([name, entry]) => {
    if (name === "") return true;
    const found = installed[name];
    return found ? found.version === entry.version : entry.optional === true;
  });
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}
