import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { err, type Result } from "#kernel/result";
import { count, diagnose } from "../formats/diagnose";
import { importPlan } from "../formats/import-plan";
import { IMPORT_LIMITS } from "../formats/limits";
import type { ImportedPlan } from "../formats/plan-format";
import { readText } from "../formats/read-text";
import type { CommandIo } from "./command";

/** How problems name what was read. */
export const displayName = (file: string): string => (file === "-" ? "standard input" : file);

/** The plan in a file, in any format we read; `-` is standard input. `file#3` is the third of a file that holds several. */
export async function loadPlan(file: string, io: CommandIo): Promise<Result<ImportedPlan, Diagnostic[]>> {
  const [, container, number] = existsSync(resolveFile(file)) ? [] : (/^(.+)#([1-9][0-9]{0,6})$/.exec(file) ?? []);
  const name = container ?? file;
  const text = await loadText(name, io);
  if (!text.ok) return text;
  return importPlan(text.value, {
    ...(name === "-" ? {} : { fileName: path.basename(name) }),
    ...(number === undefined ? {} : { plan: Number(number) }),
  });
}

/** The text in a file: unpacked, decoded, within limits. */
export async function loadText(file: string, io: CommandIo): Promise<Result<string, Diagnostic[]>> {
  if (file === "-") return readText(await io.readStdin());
  try {
    const place = resolveFile(file);
    const { size } = await stat(place);
    if (size > IMPORT_LIMITS.bytes) {
      const message = `The file has ${count(size, "byte")}; the limit is ${count(IMPORT_LIMITS.bytes, "byte")}.`;
      return err([diagnose({ code: "limit_exceeded", message })]);
    }
    const bytes = new Uint8Array(await readFile(place));
    return await readText(bytes);
  } catch (error) {
    return err([diagnose({ code: "syntax", message: `The file cannot be read: ${reasonOf(error)}.` })]);
  }
}

/**
 * npm starts scripts in the folder of package.json and leaves the caller's in INIT_CWD. A name that is not there is
 * meant from where the person stands.
 */
export function resolveFile(file: string): string {
  const from = process.env.INIT_CWD;
  if (from === undefined || path.isAbsolute(file) || existsSync(file)) return file;
  const there = path.resolve(from, file);
  return existsSync(there) ? there : file;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "it does not exist"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "no permission"],
  ["EPERM", "no permission"],
]);

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS.get(code) ?? (code === "" ? String(error) : code);
}
