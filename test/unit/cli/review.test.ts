import { expect, test } from "vitest";
import { REVIEW_QUESTIONS } from "#kernel/view/review/answer";
import { runInProcess } from "../../support/command-line";

const plan = (extra: object = {}): string =>
  JSON.stringify({
    format: "planwright/v1",
    name: "a plan",
    tasks: [{ id: "a", capability: "text.join", arguments: { parts: ["x"] } }],
    ...extra,
  });

const bounded = {
  completion: [{ check: "json_schema", task: "a", schema: { type: "object" } }],
  budgets: { deadlineSeconds: 60, toolCalls: 5 },
};

test("a sound plan is reviewed with 0, although a file shows no runs and no baseline", async () => {
  const { code, stdout, stderr } = await runInProcess(["review", "-", "--json"], plan(bounded));
  expect(stderr).toBe("");
  const review = JSON.parse(stdout);
  expect(review.answers.map(({ id }: { id: string }) => id)).toEqual(Object.keys(REVIEW_QUESTIONS));
  expect(review.answers.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
    "yes",
    "yes",
    "yes",
    "yes",
    "yes",
    "yes",
    "not_measured",
    "not_measured",
  ]);
  expect(code).toBe(0);
});

test("--strict counts what was not measured", async () => {
  expect((await runInProcess(["review", "-", "--strict"], plan(bounded))).code).toBe(1);
});

test("what stands against a plan is printed with what to do, and ends with 1", async () => {
  const { code, stdout } = await runInProcess(["review", "-"], plan());
  expect(code).toBe(1);
  expect(stdout).toContain("NO            Are all budgets enforced outside the model?");
  expect(stdout).toContain("- a plan: Bounds neither in the plan nor by a ceiling: deadlineSeconds, toolCalls.");
  expect(stdout).toContain("To do: Set the budgets named");
});

test("a file that is no plan is refused with where it is wrong", async () => {
  const { code, stdout } = await runInProcess(["review", "-", "--json"], "{");
  expect(code).toBe(1);
  expect(JSON.parse(stdout).error.code).toBe("input_bad");
});

test("a name that is no file is a workspace, which takes a server", async () => {
  const { code, stderr } = await runInProcess(["review", "Some workspace"]);
  expect(code).toBe(1);
  expect(stderr).toContain("There is no file Some workspace, and no workspace can be asked");
});
