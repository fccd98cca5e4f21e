import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { testCount, testEcho, testFail, testFlaky, testPoll, testSleep } from "#kernel/capability/built-in/testing";
import { type ErrorCategory, errorCategorySchema, snapshotCapability } from "#kernel/capability/capability";
import { committed, type Implementation, retryable, succeeded, terminal } from "./definition";
import { sleep } from "./sleep";

const testEchoImplementation: Implementation = {
  capability: snapshotCapability(testEcho),
  call: ({ value = null }) => succeeded({ value }),
};

const testSleepImplementation: Implementation = {
  capability: snapshotCapability(testSleep),
  async call({ ms, value = null }, { signal }) {
    await sleep(Number(ms), signal);
    return succeeded({ value });
  },
};

const testFlakyImplementation: Implementation = {
  capability: snapshotCapability(testFlaky),
  call({ failures, kind, retryAfterSeconds }, { attempt }) {
    if (attempt > Number(failures)) return succeeded({ attempt });
    const failure = { errorCategory: "unavailable" as const, message: `Failure ${attempt} of ${String(failures)}.` };
    if (kind === "terminal") return terminal(failure);
    return retryable(typeof retryAfterSeconds === "number" ? { ...failure, retryAfterSeconds } : failure);
  },
};

const testPollImplementation: Implementation = {
  capability: snapshotCapability(testPoll),
  call: ({ polls }, { attempt }) => succeeded({ status: attempt > Number(polls) ? "done" : "pending" }),
};

const isCategory = (text: unknown): text is ErrorCategory => errorCategorySchema.safeParse(text).success;

const testFailImplementation: Implementation = {
  capability: snapshotCapability(testFail),
  call: ({ category, message = "Failed as asked." }) =>
    terminal({ errorCategory: isCategory(category) ? category : "internal", message: String(message) }),
};

/**
 * A ledger outside the product: one line a call, appended in one write. The key makes a repeated call harmless, so
 * the count is of distinct keys; the lines still show every call.
 */
const testCountImplementation = (ledgerFile: string): Implementation => ({
  capability: snapshotCapability(testCount),
  async call({ key }, { idempotencyKey }) {
    await mkdir(dirname(ledgerFile), { recursive: true });
    const known = await readFile(ledgerFile, "utf8").catch(() => "");
    const keys = new Set(linesOf(known, String(key)));
    const repeated = keys.has(idempotencyKey);
    await appendFile(ledgerFile, `${JSON.stringify([key, idempotencyKey])}\n`);
    keys.add(idempotencyKey);
    return committed({ key: String(key), count: keys.size }, !repeated);
  },
});

const linesOf = (ledger: string, key: string): string[] =>
  ledger
    .split("\n")
    .filter((line) => line.length > 0)
    .map((line) => JSON.parse(line) as [string, string])
    .filter(([name]) => name === key)
    .map(([, idempotencyKey]) => idempotencyKey);

/** The test family; `ledgerFile` is where `test.count` writes. */
export const testImplementations = (ledgerFile: string): readonly Implementation[] => [
  testEchoImplementation,
  testSleepImplementation,
  testFlakyImplementation,
  testPollImplementation,
  testCountImplementation(ledgerFile),
  testFailImplementation,
];
