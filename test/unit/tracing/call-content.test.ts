import { expect, it } from "vitest";
import { spansOfRun } from "../../../server/tracing/run-spans";
import { DrivenRun } from "../../support/driven-run";
import { SUCCESS } from "../../support/model-run";
import { planOf } from "../../support/run-fixture";

it("tells the arguments that a call was made with, not the references of the plan", async () => {
  const plan = planOf([{ id: "a" }, { id: "b", capability: "test.echo", arguments: { value: { $output: "a" } } }]);
  const run = new DrivenRun(plan);
  run.executor.auto = () => ({ ...SUCCESS, output: "seen" });
  await run.drive();
  const argumentsOf = (captureContent: boolean) =>
    spansOfRun(run.log.events, { captureContent }).find(({ attributes }) => attributes["planwright.task.id"] === "b")
      ?.attributes["gen_ai.tool.call.arguments"];
  expect(argumentsOf(true)).toBe(JSON.stringify(run.executor.calls.at(-1)?.arguments));
  expect(argumentsOf(true)).toBe('{"value":"seen"}');
  expect(argumentsOf(false)).toBeUndefined();
});
