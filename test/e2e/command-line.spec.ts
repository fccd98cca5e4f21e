import { writeFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { runProcess } from "../support/command-line";
import { planFixturePath } from "../support/plan-fixture";

/** The command line with the keys that the start of the server under test wrote. */
const planwright = (...args: string[]) =>
  runProcess(args, { env: { PLANWRIGHT_STATE: process.env.PLANWRIGHT_E2E_STATE ?? "" } });

const typesOf = (log: string): string[] =>
  log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).type);

test("the command line runs a plan to its end, and its log replays to the same state", async () => {
  const run = await planwright("run", planFixturePath("brief.json"), "--json");
  expect(run.stderr).toMatch(/^Run \S+: http/);
  expect(run.code).toBe(0);
  expect(typesOf(run.stdout).at(-1)).toBe("run_finished");

  const log = test.info().outputPath("log.jsonl");
  writeFileSync(log, run.stdout);
  const runId = JSON.parse(run.stdout.split("\n")[0] ?? "").runId;
  const [fromFile, fromServer] = await Promise.all([
    planwright("replay", log, "--json"),
    planwright("replay", runId, "--json"),
  ]);
  expect(JSON.parse(fromFile.stdout)).toMatchObject({
    status: "finished",
    outcome: "completed",
    counts: { succeeded: 4 },
  });
  expect(JSON.parse(fromServer.stdout)).toEqual(JSON.parse(fromFile.stdout));
});

test("the command line signs as the second person, and never runs a plan that is not valid", async () => {
  const gated = await planwright("run", planFixturePath("gated.yaml"), "--approve-all", "--json");
  expect(gated.code).toBe(0);
  expect(typesOf(gated.stdout)).toContain("approval_decided");
  const decided = gated.stdout.split("\n").find((line) => line.includes('"approval_decided"'));
  expect(JSON.parse(decided ?? "{}")).toMatchObject({ decision: "approve", by: { name: "Approver" } });

  const invalid = await planwright("run", planFixturePath("slip.llmcompiler.txt"));
  expect(invalid.code).toBe(1);
  expect(invalid.stderr).toMatch(/slip\.llmcompiler\.txt:2:1 error unknown_capability/);
});

test("the command line finds the database of the running product, and its audit intact", async () => {
  const { code, stdout, stderr } = await planwright("verify-audit", "--json");
  expect(code, stderr).toBe(0);
  const { intact, workspaces } = JSON.parse(stdout);
  expect(intact).toBe(true);
  expect(workspaces[0].entries).toBeGreaterThan(0);
});
