import { IMPORT_LIMITS } from "../formats/limits";
import type { CommandIo } from "./command";

/** The streams of this process. */
export const processIo = (checkout: string): CommandIo => ({
  checkout,
  async readStdin() {
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of process.stdin) {
      const bytes: Uint8Array = part;
      parts.push(bytes);
      length += bytes.length;
      // Enough to be refused as too large; the rest is not worth the memory.
      if (length > IMPORT_LIMITS.bytes) break;
    }
    const whole = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  },
  print: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
});
