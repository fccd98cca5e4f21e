import type { Diagnostic } from "#kernel/plan/diagnostic";
import { err, ok, type Result } from "#kernel/result";
import { decodeText } from "./decode-text";
import { diagnose } from "./diagnose";
import { IMPORT_LIMITS } from "./limits";

const megabytes = (bytes: number): number => bytes / 1024 / 1024;

const tooLarge = (unpacked: boolean): Diagnostic =>
  diagnose({
    code: "limit_exceeded",
    message: `The file is larger than ${megabytes(IMPORT_LIMITS.bytes)} MB${unpacked ? " once unpacked" : ""}.`,
  });

/**
 * The text of a file's bytes: unpacked where they are gzip (told by content, not by name), decoded, and never larger
 * than the limit: unpacking stops there, so a small file cannot fill the memory.
 */
export async function readText(bytes: Uint8Array<ArrayBuffer>): Promise<Result<string, Diagnostic[]>> {
  if (bytes.length > IMPORT_LIMITS.bytes) return err([tooLarge(false)]);
  if (!isGzip(bytes)) return decodeText(bytes);
  const unpacked = await gunzip(bytes);
  return unpacked.ok ? decodeText(unpacked.value) : unpacked;
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Result<Uint8Array, Diagnostic[]>> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.length;
      if (length > IMPORT_LIMITS.bytes) {
        await reader.cancel();
        return err([tooLarge(true)]);
      }
      parts.push(part.value);
    }
  } catch {
    return err([
      diagnose({
        code: "syntax",
        message: `The gzip data is damaged or cut off after ${length.toLocaleString("en-US")} unpacked bytes.`,
      }),
    ]);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return ok(whole);
}
