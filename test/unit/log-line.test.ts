import fc from "fast-check";
import { expect, test } from "vitest";
import { createLogger } from "../../server/log";
import { LINE_BYTES_MAX, shortLine } from "../../server/log-line";

function lineOf(fields: object, message: string): string {
  let line = "";
  createLogger("test", "info", { write: (text) => (line += text) }).info(fields, message);
  return line;
}

test("no line is longer than 2 kB, whatever a service answered", () => {
  const huge = [
    "x".repeat(1_000_000),
    "\u0000".repeat(100_000),
    "\ud800".repeat(50_000),
    "\\".repeat(1_000_000),
    "\u001b[31m".repeat(50_000),
    "é€😀".repeat(50_000),
  ];
  for (const text of huge) {
    const failure = new Error(text, { cause: new Error(text) });
    for (const line of [
      lineOf({ observation: { output: text, deep: [{ text }] } }, text),
      lineOf({ err: failure }, text),
    ]) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(LINE_BYTES_MAX);
      expect(JSON.parse(line)).toMatchObject({ level: "info", cut: true });
      expect(line.endsWith("\n")).toBe(true);
    }
  }
});

test("a short line is written as it is", () => {
  expect(JSON.parse(lineOf({ runId: "r" }, "fine"))).toMatchObject({ runId: "r", msg: "fine" });
  expect(lineOf({}, "fine")).not.toContain("cut");
});

test("any object comes out short and as one line of JSON", () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 4, maxKeys: 30 }), fc.string(), (fields, message) => {
      const line = shortLine(`${JSON.stringify({ ...fields, msg: message.repeat(500) })}\n`);
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(LINE_BYTES_MAX);
      expect(() => JSON.parse(line)).not.toThrow();
      expect(line.trimEnd()).not.toContain("\n");
    }),
  );
});
