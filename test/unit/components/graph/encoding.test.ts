import { describe, expect, it } from "vitest";
import { sideEffectSchema } from "#kernel/capability/capability";
import { runOutcomeSchema } from "#kernel/run/event";
import { runStatusSchema, taskStatusSchema } from "#kernel/run/status";
import {
  displayStatusOf,
  RUN_ENCODING,
  SIDE_EFFECT_ENCODING,
  STATUS_ENCODING,
} from "../../../../components/graph/encoding";

describe("encoding table", () => {
  it("says every task status with a tone, an icon and a word", () => {
    for (const status of taskStatusSchema.options) {
      const { tone, icon, word } = STATUS_ENCODING[displayStatusOf(status)];
      expect([tone, icon, word].every((part) => part.length > 0)).toBe(true);
    }
  });

  it("gives no two statuses the same icon, so that colour is never the only difference", () => {
    const icons = Object.values(STATUS_ENCODING).map((encoding) => encoding.icon);
    expect(new Set(icons).size).toBe(icons.length);
    const words = Object.values(STATUS_ENCODING).map((encoding) => encoding.word);
    expect(new Set(words).size).toBe(words.length);
  });

  it("shows a ready task that something stops as held, and one that waits for a person as awaiting approval", () => {
    expect(displayStatusOf("ready", "rate_limit")).toBe("held");
    expect(displayStatusOf("ready", "approval")).toBe("awaiting_approval");
    expect(displayStatusOf("ready")).toBe("ready");
    expect(displayStatusOf("dispatched")).toBe("running");
  });

  it("covers every run status, outcome and side effect", () => {
    for (const status of runStatusSchema.options) if (status !== "finished") expect(RUN_ENCODING[status]).toBeDefined();
    for (const outcome of runOutcomeSchema.options) expect(RUN_ENCODING[outcome]).toBeDefined();
    for (const effect of sideEffectSchema.options) expect(SIDE_EFFECT_ENCODING[effect]).toBeDefined();
  });
});
