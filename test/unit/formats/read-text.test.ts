import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readText } from "../../../server/formats/read-text";

const bytes = (...parts: (string | number[])[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))));

const utf16 = (text: string, { mark }: { mark: boolean }): Buffer =>
  Buffer.from(mark ? `\uFEFF${text}` : text, "utf16le");

describe("readText", { timeout: 30_000 }, () => {
  it.each([
    ["UTF-8", bytes("a→b")],
    ["UTF-8 with a mark", bytes([0xef, 0xbb, 0xbf], "a→b")],
    ["UTF-16 little-endian with a mark", new Uint8Array(utf16("a→b", { mark: true }))],
    ["UTF-16 big-endian with a mark", new Uint8Array(utf16("a→b", { mark: true }).swap16())],
    ["gzip", new Uint8Array(gzipSync("a→b"))],
  ])("reads %s", async (_, given) => {
    expect(await readText(given)).toEqual({ ok: true, value: "a→b" });
  });

  it("reads UTF-16 without a mark by its zero bytes", async () => {
    expect(await readText(new Uint8Array(utf16('{"a":1}', { mark: false })))).toEqual({ ok: true, value: '{"a":1}' });
  });

  it.each([
    ["bytes that are no text", bytes("ab\nc", [0xff]), { line: 2, column: 2 }],
    ["a binary file", bytes("PK", [3, 4, 0, 0, 0, 8]), { line: 1, column: 5 }],
    ["gzip that is cut off", new Uint8Array(gzipSync("a".repeat(1_000)).subarray(0, 15)), {}],
    ["gzip that is damaged", bytes([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), {}],
  ])("refuses %s", async (_, given, place) => {
    const result = await readText(given);
    expect(result).toMatchObject({ ok: false, error: [{ code: "syntax", ...place }] });
  });

  it("refuses a gzip bomb without unpacking it", async () => {
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(80 * 1024 * 1024)));
    expect(bomb.length).toBeLessThan(100_000);
    expect(await readText(bomb)).toMatchObject({ ok: false, error: [{ code: "limit_exceeded" }] });
  });
});
