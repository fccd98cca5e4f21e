import { describe, expect, it } from "vitest";
import type { Observation } from "#kernel/capability/observation";
import type { JsonValue } from "#kernel/json";
import { isInline, RunOutputs } from "../../../server/runtime/driver/run-outputs";
import { OUTPUT_BYTES_INLINE_MAX, OUTPUT_BYTES_MAX } from "../../../server/runtime/ports";
import { MemoryRun } from "../../support/memory-run";
import { SUCCESS } from "../../support/model-run";

/** A text whose JSON has exactly this many bytes. */
const ofBytes = (bytes: number): string => "x".repeat(bytes - 2);
const kept = async (output: JsonValue): Promise<{ fitted: Observation; run: MemoryRun }> => {
  const run = new MemoryRun([]);
  const fitted = await new RunOutputs(run, "run-1").fit({ ...SUCCESS, output }, { taskId: "t", attempt: 1 });
  return { fitted, run };
};

describe("the size of outputs", () => {
  it.each([
    ["a byte below the inline limit", OUTPUT_BYTES_INLINE_MAX - 1, "inline"],
    ["at the inline limit", OUTPUT_BYTES_INLINE_MAX, "inline"],
    ["a byte above it", OUTPUT_BYTES_INLINE_MAX + 1, "artifact"],
    ["a byte below the hard limit", OUTPUT_BYTES_MAX - 1, "artifact"],
    ["at the hard limit", OUTPUT_BYTES_MAX, "artifact"],
    ["a byte above it", OUTPUT_BYTES_MAX + 1, "refused"],
    ["twice the hard limit", OUTPUT_BYTES_MAX * 2, "refused"],
  ])("%s: %d bytes are kept as %s", async (_name, bytes, where) => {
    const output = ofBytes(bytes);
    const { fitted, run } = await kept(output);
    expect(isInline(output)).toBe(where === "inline");
    expect(fitted.output === undefined).toBe(where !== "inline");
    expect(run.outputs.size).toBe(where === "artifact" ? 1 : 0);
    if (where === "artifact") expect(await run.get("run-1", fitted.outputRef ?? "")).toBe(output);
    if (where === "refused") expect(fitted).toMatchObject({ status: "terminal", errorCategory: "output_too_large" });
  });

  it("counts bytes, not characters, and escapes as they are stored", async () => {
    expect(isInline("é".repeat(OUTPUT_BYTES_INLINE_MAX / 2))).toBe(false);
    expect(isInline("\u0000".repeat(OUTPUT_BYTES_INLINE_MAX / 4))).toBe(false);
    expect(isInline("\\".repeat(OUTPUT_BYTES_INLINE_MAX / 4))).toBe(true);
  });
});
