import { defineConfig } from "vitest/config";

const kernel = { find: /^#kernel\/(.*)$/, replacement: `${import.meta.dirname}/server/kernel/$1.ts` };

/** One project a suite: `unit` needs nothing, `integration` needs Postgres, which its global set-up brings. */
export default defineConfig({
  resolve: { alias: [kernel] },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts", "test/unit/**/*.test.tsx"],
          /** Nothing here leaves anything behind, and loading the modules anew for each file took longer than the tests. */
          isolate: false,
          /** Properties are thousands of small checks: seconds here, a minute on a machine that is busy. */
          testTimeout: 240_000,
        },
      },
      { extends: true, test: { name: "corpus", include: ["test/corpus/**/*.test.ts"], testTimeout: 120_000 } },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts", "test/contract/**/*.test.ts"],
          globalSetup: ["test/support/postgres-setup.ts"],
          setupFiles: ["test/support/invariants-setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: "chaos",
          include: ["test/chaos/**/*.test.ts"],
          globalSetup: ["test/support/postgres-setup.ts"],
          setupFiles: ["test/support/invariants-setup.ts"],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
