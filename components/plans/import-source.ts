import type { ApiInputs } from "../trpc-client/context";

/** A file or a pasted text, as the server takes it. */
export type ImportSource = Pick<ApiInputs["plans"]["import"], "fileName" | "content">;

/** Bytes go as base64, since a file may be gzip or in any encoding: the server looks, the browser does not guess. */
export async function sourceOfFile(file: File): Promise<ImportSource> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const pieces: string[] = [];
  // In pieces, since a call with a million arguments overflows the stack.
  for (let start = 0; start < bytes.length; start += 0x8000) {
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + 0x8000)));
  }
  return { fileName: file.name || "file", content: { encoding: "base64", data: btoa(pieces.join("")) } };
}

export const sourceOfText = (text: string): ImportSource => ({
  fileName: "pasted text",
  content: { encoding: "text", data: text },
});
