import { describe, expect, it } from "vitest";
import type { Observation } from "#kernel/capability/observation";
import type { JsonValue } from "#kernel/json";
import { normaliseObservation } from "../../../server/runtime/driver/normalise-observation";
import { SUCCESS } from "../../support/model-run";

const withOutput = (output: unknown): Observation => normaliseObservation({ ...SUCCESS, output: output as JsonValue });

describe("observations of any provider", () => {
  it("keeps JSON as it is, NUL, lone surrogates and odd keys included, without a copy", () => {
    const output = JSON.parse('{"__proto__":{"p":1},"constructor":1,"nul":"\\u0000","half":"\\ud800","n":[1,null]}');
    expect(withOutput(output).output).toBe(output);
    expect(({} as Record<string, unknown>).p).toBeUndefined();
  });

  it("makes JSON of what has a JSON form", () => {
    expect(withOutput({ at: new Date(0), gone: undefined }).output).toEqual({ at: "1970-01-01T00:00:00.000Z" });
    expect(withOutput(undefined).output).toBeNull();
    expect(withOutput([Number.NaN]).output).toEqual([null]);
  });

  it("ends a call whose output is not JSON, instead of failing the run's driver", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    for (const output of [10n, cycle, deep, () => 1, { n: 1n }]) {
      expect(withOutput(output)).toMatchObject({ status: "terminal", errorCategory: "output_invalid" });
    }
  });

  it("quotes a long message instead of storing it, and drops figures that are none", () => {
    const observation = normaliseObservation({
      status: "retryable",
      sideEffect: "none",
      latencyMs: Number.NaN,
      message: "<html>".repeat(100_000),
      retryAfterSeconds: -1,
      usage: { tokens: 1.4, costUsd: Number.POSITIVE_INFINITY },
    });
    expect(observation.message?.length).toBeLessThan(2_100);
    expect(observation).toMatchObject({ latencyMs: 0, usage: { tokens: 1 } });
    expect(observation).not.toHaveProperty("retryAfterSeconds");
    expect(observation.usage).not.toHaveProperty("costUsd");
  });
});
