import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { fold } from "#kernel/run/reduce";
import { capabilityExecutor } from "../../../server/capabilities/executor";
import { testImplementations } from "../../../server/capabilities/testing";
import { ROOT } from "../../../server/setup/checkout.mjs";
import { startWorker } from "../../../server/worker-services";
import { bundleForNode } from "../../support/bundle";
import { brokenInvariants } from "../../support/invariants";
import { planOf } from "../../support/run-fixture";
import { SCRIPTED, ScriptedReplanner } from "../../support/scripted-replanner";
import { createRun, creatorOf, openStore } from "../../support/stored-runs";
import { openTestDatabase } from "../../support/test-database";
import { until } from "../../support/until";

const quiet = (): void => {};

it("asks a planner again whose question a killed worker took with it, and charges the lost turn", async () => {
  const database = await openTestDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), "planwright-"));
  const ledger = path.join(folder, "ledger.jsonl");
  const bundle = await bundleForNode(path.join(ROOT, "test", "support", "silent-planner-worker.ts"));
  const victim = fork(bundle.script, [database.url, ledger], { stdio: "ignore" });
  const plan = planOf(
    [
      { id: "a", capability: "test.flaky", arguments: { failures: 1, kind: "terminal" } },
      { id: "b", dependsOn: ["a"] },
    ],
    { replanning: { planner: SCRIPTED } },
  );
  const asked = once(victim, "message");
  const runId = await createRun(creatorOf(database), plan);
  await asked;
  const gone = once(victim, "exit");
  victim.kill("SIGKILL");
  await gone;
  const replanner = new ScriptedReplanner({
    plan: { tasks: [{ id: "b", capability: "test.echo", arguments: { value: "mended" } }] },
  });
  const worker = await startWorker({
    database,
    executor: capabilityExecutor(testImplementations(ledger)),
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    replanner,
  });
  const store = await openStore(database);
  const stateOf = async () => fold(await store.log.read(runId));
  await until("the run ends", async () => (await stateOf()).status === "finished", 60_000);
  const state = await stateOf();
  expect(replanner.questions).toHaveLength(1);
  expect(state).toMatchObject({ outcome: "completed", revision: 2, budgetUse: { iterations: 2 } });
  expect(state.tasks.get("b")?.output).toEqual({ value: "mended" });
  expect(state.tasks.get("a")?.attempts).toHaveLength(1);
  await worker.stop();
  await store.close();
  expect(await brokenInvariants(database.pool)).toEqual([]);
  await database.close();
  bundle.remove();
  await rm(folder, { recursive: true, force: true });
}, 120_000);
