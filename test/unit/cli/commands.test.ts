import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runInProcess } from "../../support/command-line";
import { planFixture, planFixturePath } from "../../support/plan-fixture";

const brief = planFixturePath("brief.json");
const diamond = planFixturePath("diamond.yaml");
const folder = mkdtempSync(path.join(tmpdir(), "planwright-cli-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const place = path.join(folder, name);
  writeFileSync(place, text);
  return place;
}

const cyclic = () =>
  file(
    "cyclic.yaml",
    "format: planwright/v1\nname: x\ntasks:\n  - id: a\n    capability: test.echo\n    dependsOn: [b]\n  - id: b\n    capability: test.echo\n    dependsOn: [a]\n",
  );

async function json(...args: string[]) {
  const result = await runInProcess([...args, "--json"]);
  return { ...result, answer: JSON.parse(result.stdout) };
}

describe("validate", () => {
  it("answers with counts and no problems for a sound plan", async () => {
    const { code, answer } = await json("validate", brief);
    expect(code).toBe(0);
    expect(answer).toEqual({ file: brief, valid: true, tasks: 4, edges: 3, format: "planwright", diagnostics: [] });
  });

  it("names every problem at its line and ends with 1", async () => {
    const { code, answer } = await json("validate", cyclic());
    expect(code).toBe(1);
    expect(answer.valid).toBe(false);
    expect(answer.diagnostics.find(({ code }: { code: string }) => code === "cycle")).toMatchObject({
      severity: "error",
    });
    expect(answer.diagnostics.every(({ line }: { line?: number }) => line !== undefined)).toBe(true);
  });

  it("checks arguments against the built-in capabilities", async () => {
    const plan = file(
      "arguments.yaml",
      "format: planwright/v1\nname: x\ntasks:\n  - id: a\n    capability: wait.sleep\n    arguments: { seconds: soon }\n",
    );
    const { code, stdout } = await runInProcess(["validate", plan]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/arguments\.yaml:6:27 error arguments_invalid/);
  });

  it.each([
    ["a file that is not there", path.join(folder, "none.json")],
    ["a folder", folder],
  ])("says that %s cannot be read", async (_, place) => {
    const { code, answer } = await json("validate", place);
    expect(code).toBe(1);
    expect(answer).toMatchObject({ valid: false, tasks: 0, edges: 0, diagnostics: [{ severity: "error" }] });
  });

  it("reads standard input", async () => {
    const result = await runInProcess(["validate", "-"], planFixture("brief.json"));
    expect(result).toMatchObject({ code: 0, stdout: "standard input: valid: 4 tasks, 3 edges, no problems\n" });
  });

  it("lets no file move the cursor of the terminal", async () => {
    const plan = file(
      "escape.json",
      '{"format":"planwright/v1","name":"x","tasks":[{"id":"\\u001b[2Ja","capability":"b"}]}',
    );
    const { stdout } = await runInProcess(["validate", plan]);
    expect(stdout).not.toContain("\u001b");
  });
});

describe("analyze", () => {
  it("gives the numbers of the worked example: serial 23, lower bound 12", async () => {
    const { code, answer } = await json("analyze", brief, "--workers", "1,2,3");
    expect(code).toBe(0);
    expect(answer).toMatchObject({
      tasks: 4,
      edges: 3,
      roots: ["summary-a", "summary-b", "summary-c"],
      sinks: ["synthesis"],
      work: 23,
      lowerBound: 12,
      criticalPath: ["summary-a", "synthesis"],
      width: 3,
      levels: [["summary-a", "summary-b", "summary-c"], ["synthesis"]],
      ready: ["summary-a", "summary-b", "summary-c"],
      slack: { "summary-a": 0, "summary-b": 2, "summary-c": 3, synthesis: 0 },
      bounds: { 1: 23, 2: 12, 3: 12 },
      simulations: { 1: { makespan: 23 }, 2: { makespan: 15 }, 3: { makespan: 12 } },
    });
  });

  it("refuses a cycle with its place", async () => {
    const { code, answer } = await json("analyze", cyclic());
    expect(code).toBe(1);
    expect(answer.error.code).toBe("input_bad");
    expect(answer.diagnostics[0]).toMatchObject({ code: "cycle" });
  });

  it("analyses a plan whose capabilities are not registered", async () => {
    const { code, answer } = await json("analyze", planFixturePath("lookup.llmcompiler.txt"));
    expect(code).toBe(0);
    expect(answer).toMatchObject({ tasks: 4, edges: 3, ready: ["1", "2"] });
  });
});

describe("ready", () => {
  it("gives B and C once A is done", async () => {
    expect((await json("ready", diamond, "--done", "A")).answer).toEqual({ ready: ["B", "C"] });
    expect((await json("ready", diamond)).answer).toEqual({ ready: ["A"] });
    expect((await json("ready", diamond, "--done", "A, B")).answer).toEqual({ ready: ["C"] });
  });

  it("refuses a name that is no task, since the answer would be wrong", async () => {
    expect(await json("ready", diamond, "--done", "A,Z")).toMatchObject({
      code: 1,
      answer: { error: { code: "input_bad" } },
    });
  });
});

describe("simulate", () => {
  it("gives every task a worker and a time", async () => {
    const { code, answer } = await json("simulate", brief, "--workers", "2");
    expect(code).toBe(0);
    expect(answer.makespan).toBe(15);
    expect(answer.schedule).toContainEqual({ task: "summary-a", start: 0, end: 8, worker: 0 });
    expect(answer.schedule).toHaveLength(4);
  });

  it("takes the policy that was asked for", async () => {
    const plan = file(
      "policy.yaml",
      "format: planwright/v1\nname: x\ntasks:\n  - { id: a, capability: test.echo, estimate: { seconds: 1 } }\n  - { id: b, capability: test.echo, estimate: { seconds: 1 } }\n  - { id: c, capability: test.echo, estimate: { seconds: 5 } }\n",
    );
    expect((await json("simulate", plan, "--workers", "2")).answer.makespan).toBe(5);
    expect((await json("simulate", plan, "--workers", "2", "--policy", "fifo")).answer.makespan).toBe(6);
  });
});

describe("convert", () => {
  it.each(["planwright", "yaml"])("writes %s that reads back as the same plan", async (format) => {
    const { stdout, code } = await runInProcess(["convert", planFixturePath("five.stg"), "--to", format]);
    expect(code).toBe(0);
    const again = await runInProcess(["analyze", "-", "--json"], stdout);
    expect(JSON.parse(again.stdout)).toMatchObject({ tasks: 5, edges: 5, work: 11, lowerBound: 9 });
  });

  it("writes Mermaid and DOT", async () => {
    expect((await runInProcess(["convert", diamond, "--to", "mermaid"])).stdout).toContain("  B --> D\n");
    expect((await runInProcess(["convert", diamond, "--to", "dot"])).stdout).toContain('  "B" -> "D";\n');
  });

  it("prints the plan, what came across and every diagnostic as one JSON value", async () => {
    const slip = await runInProcess([
      "convert",
      planFixturePath("slip.llmcompiler.txt"),
      "--to",
      "planwright",
      "--json",
    ]);
    expect(slip.code).toBe(0);
    const answer = JSON.parse(slip.stdout);
    expect(answer.plan.tasks).toHaveLength(4);
    expect(answer.report.placeholders).toEqual([{ capability: "search", tool: "search", tasks: 2 }]);
    expect(answer.diagnostics).toMatchObject([{ code: "syntax", severity: "warning", line: 2, column: 38 }]);
  });

  it("draws a plan with a cycle and says where it is", async () => {
    const cycle = await runInProcess(["convert", "-", "--to", "planwright", "--json"], '1. a("$2")\n2. b("$1")\n');
    expect(cycle.code).toBe(0);
    const answer = JSON.parse(cycle.stdout);
    expect(answer.plan.tasks).toHaveLength(2);
    expect(answer.diagnostics).toMatchObject([{ code: "cycle", severity: "error", line: 1 }]);
  });

  it("ends with 1 and a located diagnostic when the file is no plan", async () => {
    const refused = await runInProcess(["convert", "-", "--to", "planwright", "--json"], '{"tasks": [');
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout).diagnostics).toMatchObject([{ code: "syntax", severity: "error", line: 1 }]);
  });
});

describe("the call itself", () => {
  it.each([
    [[]],
    [["fly"]],
    [["validate"]],
    [["validate", brief, diamond]],
    [["validate", brief, "--fast"]],
    [["simulate", brief]],
    [["simulate", brief, "--workers", "0"]],
    [["simulate", brief, "--workers", "2", "--policy", "lifo"]],
    [["analyze", brief, "--workers", "two"]],
    [["convert", brief]],
    [["convert", brief, "--to", "pdf"]],
    [["replay", "x", "--at", "last"]],
  ])("ends with 2 and the help for %j", async (args) => {
    const { code, stdout, stderr } = await runInProcess(args);
    expect(code).toBe(2);
    expect(stdout + stderr).toMatch(/planwright/);
  });

  it.each(["validate", "analyze", "ready", "simulate", "convert", "run", "replay"])("explains %s", async (name) => {
    const { code, stdout } = await runInProcess([name, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^planwright ${name} `));
  });
});
