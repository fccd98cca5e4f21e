import { expect, test } from "vitest";
import { countPlaywright, countVitest } from "../../support/test-counts.mjs";

test("a file that cannot be loaded counts as a failure, though it has no failed test", () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [
      { status: "passed", assertionResults: [{ status: "passed" }] },
      { status: "failed", assertionResults: [{ status: "failed" }] },
      { status: "failed", assertionResults: [] },
    ],
  };
  expect(countVitest(report)).toEqual({ passed: 3, failed: 2, skipped: 1 });
});

test("a browser run that broke before its first test counts as a failure", () => {
  const report = { stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 2 }, errors: [{ message: "no server" }] };
  expect(countPlaywright(report)).toEqual({ passed: 0, failed: 1, skipped: 2 });
});

test("no report is no count", () => {
  expect([countVitest(undefined), countPlaywright(undefined)]).toEqual([undefined, undefined]);
});
