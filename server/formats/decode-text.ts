import type { Diagnostic } from "#kernel/plan/diagnostic";
import { err, ok, type Result } from "#kernel/result";
import { diagnose } from "./diagnose";

/** UTF-8, or UTF-16 by its mark or its zero bytes; without the mark. Bytes that are no text are an error at a line. */
export function decodeText(bytes: Uint8Array): Result<string, Diagnostic[]> {
  const encoding = guessEncoding(bytes);
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const readable = new TextDecoder(encoding).decode(bytes);
    const bad = readable.indexOf("\uFFFD");
    const before = readable.slice(0, bad === -1 ? 0 : bad).split("\n");
    const position = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    return err([diagnose({ code: "syntax", message: `This is not a text in ${encoding.toUpperCase()}.` }, position)]);
  }
  const nul = text.indexOf("\0");
  if (nul !== -1) {
    const before = text.slice(0, nul).split("\n");
    const position = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    return err([diagnose({ code: "syntax", message: "This is a binary file, not a text." }, position)]);
  }
  return ok(text);
}

function guessEncoding(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  // Every format of ours begins with ASCII, whose other byte is zero in UTF-16.
  if (bytes.length >= 4 && first !== 0 && second === 0 && bytes[2] !== 0 && bytes[3] === 0) return "utf-16le";
  if (bytes.length >= 4 && first === 0 && second !== 0 && bytes[2] === 0 && bytes[3] !== 0) return "utf-16be";
  return "utf-8";
}
