/**
 * Counts of a Vitest JSON report. A file that could not even be loaded has no tests to fail: it counts as one failure.
 * @param {any} report
 */
export function countVitest(report) {
  if (!report) return undefined;
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((result) => result.status === "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * Counts of a Playwright JSON report. Errors outside any test count as one failure each.
 * @param {any} report
 */
export function countPlaywright(report) {
  if (!report) return undefined;
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected + flaky, failed: unexpected + report.errors.length, skipped };
}
