import { describe, expect, it } from "vitest";
import { evaluateCondition } from "#kernel/run/condition";

const view = {
  output: (taskId: string) =>
    taskId === "a"
      ? ({ found: true, output: { n: 3, text: "x", list: [1], none: null } } as const)
      : ({ found: false, reason: "none" } as const),
  status: (taskId: string) => (taskId === "a" ? "succeeded" : undefined),
};
const holds = (condition: Parameters<typeof evaluateCondition>[0]) => evaluateCondition(condition, view);
const output = (pointer: string) => ({ $output: `a#${pointer}` });

describe("R6 conditions", () => {
  it("compares a referenced value with a literal and with another reference", () => {
    expect(holds({ value: output("/n"), equals: 3 })).toBe(true);
    expect(holds({ value: output("/n"), equals: "3" })).toBe(false);
    expect(holds({ value: output("/list"), equals: [1] })).toBe(true);
    expect(holds({ value: output("/n"), equals: output("/n") })).toBe(true);
    expect(holds({ value: output("/n"), notEquals: 4 })).toBe(true);
  });

  it("wants every comparison of one condition to hold", () => {
    expect(holds({ value: output("/n"), greaterThan: 2, lessThan: 4 })).toBe(true);
    expect(holds({ value: output("/n"), greaterThan: 3, lessThan: 4 })).toBe(false);
    expect(holds({ value: output("/text"), greaterThan: 0 })).toBe(false);
  });

  it("treats what cannot be resolved as not being there, and never fails", () => {
    expect(holds({ value: output("/missing"), exists: false })).toBe(true);
    expect(holds({ value: { $output: "b" }, exists: true })).toBe(false);
    expect(holds({ value: { $output: "b" }, equals: null })).toBe(false);
    expect(holds({ value: { $output: "b" }, notEquals: 1 })).toBe(true);
    expect(holds({ value: output("/none"), exists: true })).toBe(true);
  });

  it("combines conditions and statuses", () => {
    expect(holds({ all: [true, { not: false }, { any: [false, true] }] })).toBe(true);
    expect(holds({ status: "a", is: "succeeded" })).toBe(true);
    expect(holds({ status: "b", is: "succeeded" })).toBe(false);
    expect(holds({ value: output("/n") })).toBe(true);
    expect(holds({ value: output("/none") })).toBe(false);
  });
});
