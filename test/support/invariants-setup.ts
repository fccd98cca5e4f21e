import { afterAll, expect } from "vitest";
import { judgeTestDatabases } from "./test-database";

// Hooks end in the reverse order of their making: this one after all of the file's own.
afterAll(async () => {
  expect(await judgeTestDatabases(), "invariants, after all tests of the file").toEqual([]);
}, 120_000);
