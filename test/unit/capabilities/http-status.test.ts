import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyStatus } from "../../../server/capabilities/http-status";
import { retryAfterSeconds } from "../../../server/capabilities/retry-after";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const classify = (status: number, safe = false, headers: Record<string, string> = {}) =>
  classifyStatus({ status, headers }, { safe, output: null, now: NOW });

describe("HTTP statuses", () => {
  it.each([
    [200, "ok", undefined, "committed"],
    [204, "ok", undefined, "committed"],
    [304, "ok", undefined, "committed"],
    [400, "terminal", "invalid_arguments", "not_committed"],
    [401, "terminal", "forbidden", "not_committed"],
    [403, "terminal", "forbidden", "not_committed"],
    [404, "terminal", "not_found", "not_committed"],
    [405, "terminal", "invalid_arguments", "not_committed"],
    [407, "terminal", "forbidden", "not_committed"],
    [408, "retryable", "timeout", "unknown"],
    [409, "terminal", "conflict", "not_committed"],
    [410, "terminal", "not_found", "not_committed"],
    [412, "terminal", "conflict", "not_committed"],
    [422, "terminal", "invalid_arguments", "not_committed"],
    [425, "retryable", "unavailable", "not_committed"],
    [429, "retryable", "rate_limited", "not_committed"],
    [451, "terminal", "forbidden", "not_committed"],
    [500, "retryable", "unavailable", "unknown"],
    [501, "terminal", "invalid_arguments", "not_committed"],
    [502, "retryable", "unavailable", "unknown"],
    [503, "retryable", "unavailable", "not_committed"],
    [504, "retryable", "timeout", "unknown"],
    [599, "retryable", "unavailable", "unknown"],
  ])("reads %d of a write as %s %s, side effect %s", (status, verdict, errorCategory, sideEffect) => {
    expect(classify(status)).toMatchObject({ status: verdict, sideEffect, ...(errorCategory && { errorCategory }) });
  });

  it("has one verdict for every status, and never a retry of a refusal", () => {
    for (let status = 100; status < 600; status++) {
      const { status: verdict, errorCategory, sideEffect } = classify(status, true);
      expect(sideEffect).toBe("none");
      if (status >= 400) expect(errorCategory).toBeDefined();
      if (errorCategory === "forbidden" || errorCategory === "not_found") expect(verdict).toBe("terminal");
    }
  });
});

describe("Retry-After", () => {
  it.each([
    ["7", 7],
    [" 0 ", 0],
    ["Mon, 30 Nov 2026 12:00:30 GMT", 30],
    ["Monday, 30-Nov-26 12:01:00 GMT", 60],
    ["Mon Nov 30 12:00:05 2026", 5],
    ["Mon, 30 Nov 2026 11:00:00 GMT", 0],
    ["soon", undefined],
    ["-3", undefined],
    ["1.5", undefined],
    ["7 apples", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("reads %j as %j seconds", (header, seconds) => {
    expect(retryAfterSeconds(header, NOW)).toBe(seconds);
  });

  it("never throws, and never answers less than nothing", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(retryAfterSeconds(header, NOW) ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it("goes with what may be tried again, and with nothing else", () => {
    const headers = { "retry-after": "9" };
    expect(classify(429, false, headers)).toMatchObject({ retryAfterSeconds: 9 });
    expect(classify(403, false, headers)).not.toHaveProperty("retryAfterSeconds");
  });
});
