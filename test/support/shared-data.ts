import { existsSync } from "node:fs";
import path from "node:path";

/**
 * The folder of real data that is not part of the project: beside the checkout, or where an environment variable says
 * (PLANWRIGHT_DATA the folder itself, PLANWRIGHT_SHARED the one above it). Undefined where it is absent.
 */
export const sharedData = [
  process.env.PLANWRIGHT_DATA,
  process.env.PLANWRIGHT_SHARED === undefined ? undefined : path.join(process.env.PLANWRIGHT_SHARED, "data"),
  path.join(import.meta.dirname, "../../../shared/data"),
].find((folder) => folder !== undefined && existsSync(folder));

/** What a skipped test says. */
export const SHARED_DATA_MISSING = "the folder ../shared/data is absent; set PLANWRIGHT_DATA to its place";
