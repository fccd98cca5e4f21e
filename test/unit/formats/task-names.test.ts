import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTaskId } from "#kernel/ids";
import { TaskNames } from "../../../server/formats/task-names";

describe("TaskNames", { timeout: 30_000 }, () => {
  it("gives distinct, lawful ids and leaves lawful ones alone", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[a-z-]{1,3}$/))),
        (foreign) => {
          const names = new TaskNames(foreign);
          const ids = foreign.map((id) => names.idFor(id));
          expect(new Set(ids).size).toBe(foreign.length);
          expect(ids.every(isTaskId)).toBe(true);
          for (const id of foreign.filter(isTaskId)) expect(names.idFor(id)).toBe(id);
        },
      ),
    );
  });

  it("stays readable", () => {
    const names = new TaskNames(["Zürich / über", "a b", "a-b", "日本"]);
    expect(["Zürich / über", "a b", "a-b", "日本"].map((id) => names.idFor(id))).toEqual([
      "Zurich-uber",
      "a-b-2",
      "a-b",
      "task",
    ]);
  });

  it("stays linear for a hundred thousand ids that look alike", () => {
    const foreign = Array.from(
      { length: 100_000 },
      (_, index) =>
        "東".repeat((index % 7) + 1) +
        "\u0301".repeat(index % 5) +
        String.fromCodePoint(0x4e00 + (index % 20_000)) +
        " ".repeat(index % 3),
    );
    expect(new TaskNames(foreign).renamed.length).toBeGreaterThan(50_000);
  });
});
