import { describe, expect, it } from "vitest";
import { validatePlan } from "#kernel/plan/validate";
import { planFixture } from "../../support/plan-fixture";
import { edges, imported, places, refused } from "./expect-import";

const taskOf = (name: string, id: string) => imported(planFixture(name)).plan.tasks.find((task) => task.id === id);

describe("GitHub Actions", () => {
  const file = "nightly.github.yml";

  it("reads jobs and needs, and nothing in a step is taken for a reference of ours", () => {
    const plan = imported(planFixture(file));
    expect(edges(plan)).toEqual(["changes>release", "changes>test", "release>report", "test>release", "test>report"]);
    const step = { run: 'echo "${item#/node} of ${changes#/outputs/code} $${HOME}"' };
    expect(taskOf(file, "test")?.arguments).toEqual({ "runs-on": { $output: "item#/os" }, steps: [step] });
    expect(validatePlan(plan.plan).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("reads conditions, matrices, limits and failure policies", () => {
    const { plan } = imported(planFixture(file));
    expect(plan.pools).toEqual({ "matrix:test": 2, "concurrency:release": 1 });
    expect(taskOf(file, "test")).toMatchObject({
      title: "Tests",
      timeoutSeconds: 300,
      onFailure: "continue",
      uses: { "matrix:test": 1 },
      forEach: [
        { os: "linux", node: 20 },
        { os: "linux", node: 22 },
        { os: "mac", node: 22 },
      ],
      when: {
        any: [
          { value: { $output: "changes#/outputs/code" }, equals: "true" },
          { value: { $output: "changes#/outputs/code" }, equals: true },
        ],
      },
    });
    expect(taskOf(file, "release")?.join).toBe("all_done");
    expect(taskOf(file, "report")).toMatchObject({
      join: "all_done",
      when: { not: { status: "test", is: "succeeded" } },
    });
  });

  it("says at its line which part of a condition is not known", () => {
    expect(places(imported(planFixture(file)).diagnostics)).toEqual(["14:9 not_carried_over"]);
  });
});

describe("Argo Workflows", () => {
  const file = "coin.argo.yaml";

  it("reads a DAG with the steps of the templates that it calls", () => {
    const { plan, report } = imported(planFixture(file));
    expect(plan).toMatchObject({ name: "coin", maxParallel: 3, budgets: { deadlineSeconds: 600 } });
    expect(edges(imported(planFixture(file)))).toEqual([
      "flip>mend",
      "flip>won.first",
      "flip>won.second",
      "won.first>won.second",
      "won.second>each",
    ]);
    expect(report.placeholders.map(({ capability }) => capability)).toEqual(["argo.flip", "argo.say"]);
  });

  it("reads conditions, loops, retries, limits and what a failure leads to", () => {
    expect(taskOf(file, "flip")).toMatchObject({
      onFailure: "continue",
      timeoutSeconds: 90,
      retry: { maxAttempts: 3, backoffSeconds: 5, backoffFactor: 2 },
    });
    expect(taskOf(file, "mend")).toMatchObject({ join: "all_done", when: { status: "flip", is: "failed" } });
    expect(taskOf(file, "won.first")).toMatchObject({
      arguments: { text: "won ${flip#/result} $${x}" },
      when: { value: { $output: "flip#/result" }, equals: "heads" },
    });
    expect(taskOf(file, "each")).toMatchObject({
      forEach: [1, 2],
      arguments: { text: { $output: "item" } },
      join: "none_failed",
    });
  });

  it("templates that call each other without end, or double at every level, end in a located warning", () => {
    const calls = (name: string, called: string) =>
      `  - {name: ${name}, dag: {tasks: [{name: a, template: ${called}}, {name: b, template: ${called}}]}}\n`;
    const head = "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec:\n entrypoint: t0\n templates:\n";
    const levels = Array.from({ length: 40 }, (_, level) => calls(`t${level}`, `t${level + 1}`)).join("");
    const doubled = imported(head + levels);
    expect(doubled.plan.tasks.length).toBeLessThan(20_001);
    expect(doubled.diagnostics[0]?.line).toBeGreaterThan(5);
    const recursive = imported(head + calls("t0", "t0"));
    expect(recursive.plan.tasks).toHaveLength(2);
    expect(places(recursive.diagnostics)).toHaveLength(2);
  });
});

describe("Tekton", () => {
  const file = "sum.tekton.yaml";

  it("reads the pipeline that the run of the same file names, with its values", () => {
    const { plan, diagnostics } = imported(planFixture(file));
    expect(plan).toMatchObject({ name: "sum", budgets: { deadlineSeconds: 3_600 } });
    expect(edges(imported(planFixture(file)))).toEqual(["first>second", "second>third", "third>tell"]);
    expect(taskOf(file, "first")?.arguments).toEqual({ params: { x: "7", y: "$(params.missing)" } });
    expect(places(diagnostics)).toEqual(["10:3 not_carried_over"]);
  });

  it("reads guards, retries, results, workspaces and what runs in the end", () => {
    expect(taskOf(file, "first")).toMatchObject({ timeoutSeconds: 60, retry: { maxAttempts: 3 } });
    expect(taskOf(file, "second")).toMatchObject({
      arguments: { params: { x: "${first#/results/sum}0" } },
      reads: ["workspace:shared"],
    });
    expect(taskOf(file, "third")?.join).toBe("none_failed");
    expect(taskOf(file, "tell")).toMatchObject({ join: "all_done", when: { status: "third", is: "failed" } });
  });
});

describe("Amazon States Language", () => {
  const file = "order.asl.json";

  it("reads states and transitions, those of branches before the state that gathers them", () => {
    const plan = imported(planFixture(file));
    expect(edges(plan)).toEqual([
      "Bill>Both",
      "Enough>Bill",
      "Enough>Send",
      "Enough>Wait",
      "Look-up>Enough",
      "Look-up>Stop",
      "Send>Both",
      "Wait>Look-up",
    ]);
    expect(plan.plan.budgets).toEqual({ deadlineSeconds: 900 });
    expect(plan.report.placeholders.map(({ capability }) => capability)).toEqual([
      "aws.lambda.invoke",
      "aws.lambda.send",
    ]);
  });

  it("reads choices, what catches a failure, retries and limits", () => {
    expect(taskOf(file, "Look-up")).toMatchObject({
      title: "Look up",
      arguments: { FunctionName: "$${Lookup}" },
      timeoutSeconds: 20,
      onFailure: "continue",
      retry: { maxAttempts: 3, backoffSeconds: 3, backoffFactor: 2 },
    });
    const enough = { value: { $output: "Enough#/result/$.stock" }, greaterThan: 0 };
    const chosen = { status: "Enough", is: "succeeded" };
    expect(taskOf(file, "Send")?.when).toEqual({ all: [chosen, enough] });
    expect(taskOf(file, "Wait")?.when).toEqual({ all: [chosen, { not: enough }] });
    expect(taskOf(file, "Stop")).toMatchObject({ join: "all_done", when: { status: "Look-up", is: "failed" } });
  });

  it("draws a loop of states, and validation names it", () => {
    const { plan, locate } = imported(planFixture(file));
    const cycle = validatePlan(plan).diagnostics.find(({ code }) => code === "cycle");
    expect(cycle?.message).toContain("“Look-up” → “Enough” → “Wait”");
    expect(locate([cycle?.pointer ?? ""]).get(cycle?.pointer ?? "")?.line).toBeGreaterThan(1);
  });
});

describe("Common Workflow Language", () => {
  const file = "count.cwl";

  it("reads steps, sources, conditions and scatters, and says what is left out", () => {
    const plan = imported(planFixture(file));
    expect(edges(plan)).toEqual(["count>add", "count>look", "look>add"]);
    expect(taskOf(file, "count")).toMatchObject({ capability: "cwl.count", arguments: { file: "a.txt" } });
    expect(taskOf(file, "look")).toMatchObject({
      forEach: { $output: "count#/parts" },
      arguments: { part: { $output: "item" }, word: null },
    });
    expect(taskOf(file, "add")).toMatchObject({
      capability: "cwl.sum-up",
      when: { value: { $output: "count#/lines" }, greaterThan: 3 },
    });
    expect(places(plan.diagnostics)).toEqual(["22:14 not_carried_over", "4:3 not_carried_over"]);
  });
});

describe("Conductor", () => {
  const file = "order.conductor.json";

  it("reads forks, joins and decisions as tasks, in their order", () => {
    const plan = imported(planFixture(file));
    expect(edges(plan)).toEqual([
      "bill>join",
      "drop>tell",
      "fork>bill",
      "fork>send",
      "join>tell",
      "look>tell",
      "look>which",
      "send>join",
      "which>drop",
      "which>fork",
      "which>tell",
    ]);
    expect(plan.plan.budgets).toEqual({ deadlineSeconds: 60 });
    expect(places(plan.diagnostics)).toEqual(["9:26 not_carried_over", "34:89 not_carried_over"]);
  });

  it("reads cases, optional tasks, retries and references", () => {
    expect(taskOf(file, "look")).toMatchObject({ timeoutSeconds: 30, retry: { maxAttempts: 3, backoffSeconds: 5 } });
    const big = { value: { $output: "which#/result/case" }, equals: "big" };
    expect(taskOf(file, "which")?.arguments).toMatchObject({ input: { case: { $output: "look#/kind" } } });
    expect(taskOf(file, "fork")?.when).toEqual(big);
    expect(taskOf(file, "drop")?.when).toEqual({ not: big });
    expect(taskOf(file, "bill")?.onFailure).toBe("continue");
    expect(taskOf(file, "join")?.join).toBe("all_done");
    expect(taskOf(file, "tell")).toMatchObject({
      join: "none_failed",
      arguments: { text: "Done: ${look#/names/0} $${look.output..x}" },
    });
  });
});

describe("workflow engines", () => {
  it("keep a cycle, a parent that is not there, and names that reach for a prototype", () => {
    const { plan, locate } = imported(
      "on: push\njobs:\n  a: {runs-on: x, needs: b}\n  b: {runs-on: x, needs: [a, gone]}\n  __proto__: {runs-on: x}\n",
    );
    const problems = validatePlan(plan).diagnostics.filter(({ severity }) => severity === "error");
    expect(problems.map(({ code }) => code).sort()).toEqual(["cycle", "missing_dependency"]);
    const missing = problems.find(({ code }) => code === "missing_dependency")?.pointer ?? "";
    expect(locate([missing]).get(missing)).toEqual({ line: 4, column: 30 });
    expect(plan.tasks.map(({ title }) => title)).toContain("__proto__");
  });

  it("refuse a short file that stands for more edges than a plan may have", () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `s${index}`);
    const rule = { Variable: "$.a", IsPresent: true, Next: "all" };
    const choices = names.map((name) => [name, { Type: "Choice", Choices: [rule] }]);
    const branch = (name: string) => ({
      StartAt: `in-${name}`,
      States: { [`in-${name}`]: { Type: "Pass", End: true } },
    });
    const all = { Type: "Parallel", Branches: names.map(branch), End: true };
    const machine = { StartAt: "s0", States: Object.fromEntries([...choices, ["all", all]]) };
    expect(refused(JSON.stringify(machine))[0]?.message).toContain("more transitions");
    const spec = { tasks: names.map((name) => ({ name })), finally: names.map((name) => ({ name: `end-${name}` })) };
    const pipeline = { apiVersion: "tekton.dev/v1", kind: "Pipeline", spec };
    expect(refused(JSON.stringify(pipeline))[0]?.message).toContain("more edges");
    const groups = [0, 1].map((group) => names.map((name) => ({ name: `${name}-${group}`, template: "x" })));
    const workflow = { entrypoint: "m", templates: [{ name: "m", steps: groups }] };
    const argo = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", spec: workflow };
    expect(refused(JSON.stringify(argo))[0]?.message).toContain("edges");
  });

  it("read a text full of openings that never close as text", () => {
    const run = "${{ '".repeat(20_000);
    const { plan } = imported(JSON.stringify({ on: "push", jobs: { a: { "runs-on": "x", steps: [{ run }] } } }));
    expect(JSON.stringify(plan.tasks[0]?.arguments).length).toBeGreaterThan(run.length);
  });

  it.each([
    ["jobs: {}\non: push\n", ["1:1 schema"]],
    ["apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec: {entrypoint: a}\n", ["3:7 schema"]],
    ["cwlVersion: v1.2\nclass: CommandLineTool\n", ["1:1 schema"]],
    ['{"StartAt":"a","States":{}}', ["1:1 schema"]],
    ["apiVersion: tekton.dev/v1\nkind: Task\n", ["1:1 schema"]],
    ["apiVersion: tekton.dev/v1\nkind: Pipeline\nspec: {tasks: []}\n", ["1:1 schema"]],
    ["on: push\njobs: {a: {runs-on: x}}\n---\na: b\n", ["3:1 syntax"]],
  ])("refuse %j at its place", (text, expected) => {
    expect(places(refused(text))).toEqual(expected);
  });
});
