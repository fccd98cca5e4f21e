import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPositionFinder } from "../../../server/formats/position";

describe("createPositionFinder", { timeout: 30_000 }, () => {
  it("agrees with counting the lines before the offset", () => {
    const line = fc.string({ maxLength: 3 }).map((text) => `${text}\n`);
    fc.assert(
      fc.property(fc.array(line), fc.nat(40_000), fc.nat(), (lines, repeats, place) => {
        const text = lines.join("").repeat(Math.min(repeats, 10_000));
        const offset = place % (text.length + 1);
        const before = text.slice(0, offset).split("\n");
        expect(createPositionFinder(text)(offset)).toEqual({
          line: before.length,
          column: (before.at(-1)?.length ?? 0) + 1,
        });
      }),
    );
  });

  it("counts right where a stretch of the text ends", () => {
    const text = "\n".repeat(65_536 * 2);
    const positionAt = createPositionFinder(text);
    for (const offset of [32_767, 32_768, 32_769, 65_536, 131_072])
      expect(positionAt(offset)).toEqual({ line: offset + 1, column: 1 });
  });
});
