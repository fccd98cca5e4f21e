import { describe, expect, it } from "vitest";
import { CAPABILITY_REFERENCE_PATTERN } from "#kernel/ids";
import { Placeholders } from "../../../server/formats/placeholders";

describe("Placeholders", () => {
  it("keep a name that a capability may have and rewrite any other, never two tools onto one", () => {
    const placeholders = new Placeholders();
    const tools = [
      "web.search",
      "Image Search (by Image)",
      "Image Search by Image",
      "web.search",
      "検索",
      "__proto__",
      "",
    ];
    const names = tools.map((tool) => placeholders.nameFor(tool));
    expect(names).toEqual([
      "web.search",
      "Image-Search-by-Image",
      "Image-Search-by-Image-2",
      "web.search",
      "tool",
      "proto__",
      "tool-2",
    ]);
    expect(names.every((name) => CAPABILITY_REFERENCE_PATTERN.test(name))).toBe(true);
    expect(placeholders.list[0]).toEqual({ capability: "web.search", tool: "web.search", tasks: 2 });
  });

  it("stay linear for a hundred thousand tools that look alike", () => {
    const placeholders = new Placeholders();
    for (let index = 0; index < 100_000; index++) placeholders.nameFor(String.fromCodePoint(0x4e00 + index));
    expect(new Set(placeholders.list.map(({ capability }) => capability)).size).toBe(100_000);
  });
});
