import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parsePlan } from "#kernel/plan/parse";
import { runInProcess } from "../../support/command-line";

const folder = mkdtempSync(path.join(tmpdir(), "planwright-replay-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const place = path.join(folder, name);
  writeFileSync(place, text);
  return place;
}

const plan = () => {
  const task = (id: string, ...dependsOn: string[]) => ({ id, capability: "test.echo", dependsOn });
  const parsed = parsePlan({
    format: "planwright/v1",
    name: "diamond",
    tasks: [task("A"), task("B", "A"), task("C", "A"), task("D", "B", "C")],
  });
  if (!parsed.ok) throw new Error("The fixture is no plan.");
  return parsed.value;
};

const succeeded = (taskId: string, at: number) => ({
  type: "task_succeeded",
  taskId,
  attempt: 1,
  startedAt: at - 10,
  observation: { status: "ok", output: { value: taskId }, sideEffect: "none", latencyMs: 10 },
});

/** The log of a run of the diamond in which A and B have ended. */
const events = [
  {
    type: "run_created",
    runId: "run-1",
    name: "diamond",
    startedBy: { id: "p1", name: "Engineer" },
    policy: { budgetBeforeCompletion: false, fourEyes: true },
  },
  { type: "plan_accepted", revision: 1, plan: plan(), capabilities: [] },
  succeeded("A", 1_020),
  succeeded("B", 1_030),
].map((body, index) => ({ ...body, seq: index + 1, at: 1_000 + index * 10 }));

const lines = events.map((event) => JSON.stringify(event)).join("\n");

async function stateAt(at: string, text = lines) {
  const result = await runInProcess(["replay", file("log.jsonl", text), "--at", at, "--json"]);
  return { ...result, answer: JSON.parse(result.stdout) };
}

describe("replay", () => {
  it("gives the state at any event: with only A done, B and C are ready", async () => {
    const { code, answer } = await stateAt("3");
    expect(code).toBe(0);
    expect(answer).toMatchObject({
      runId: "run-1",
      seq: 3,
      ready: ["B", "C"],
      counts: { succeeded: 1, ready: 2, pending: 1 },
    });
    expect(answer.tasks.A).toMatchObject({ status: "succeeded", output: { value: "A" }, attempts: 1 });
  });

  it("gives the last state by default and the empty one before the first event", async () => {
    expect((await stateAt("end")).answer).toMatchObject({ seq: 4, tasks: { B: { status: "succeeded" } } });
    expect((await stateAt("0")).answer).toMatchObject({ seq: 0, status: "created", tasks: {} });
  });

  it("reads a JSON list of events and an object that holds one", async () => {
    expect((await stateAt("end", JSON.stringify(events, null, 2))).answer.seq).toBe(4);
    expect((await stateAt("end", JSON.stringify({ events }))).answer.seq).toBe(4);
  });

  it("answers in words", async () => {
    const { stdout, code } = await runInProcess(["replay", file("log.jsonl", lines)]);
    expect(code).toBe(0);
    expect(stdout).toContain("diamond: event 4 of 4");
    expect(stdout).toMatch(/ready +C/);
  });

  it.each([
    ["a line that is no JSON", `${lines}\n{"type":`, 5],
    ["a line that is no event", `${lines}\n{"type":"task_exploded","seq":5,"at":1}`, 5],
    ["a gap in the numbers", lines.replace('"seq":4', '"seq":6'), 4],
    ["an event that stands twice", `${lines}\n${JSON.stringify(events[3])}`, 5],
    ["a list with something else in it", `[\n${JSON.stringify(events[0])},\n7]`, 3],
  ])("refuses %s at its line", async (_, text, line) => {
    const { code, answer } = await stateAt("end", text);
    expect(code).toBe(1);
    expect(answer.diagnostics[0]).toMatchObject({ line });
  });

  it("refuses a place after the last event", async () => {
    expect(await stateAt("5")).toMatchObject({
      code: 1,
      answer: { error: { message: "There is no event 5; the last is 4." } },
    });
  });

  it("says that neither a file nor a server is there", async () => {
    const { code, stderr } = await runInProcess(["replay", "01999999-0000-7000-8000-000000000000"]);
    expect(code).toBe(1);
    expect(stderr).toContain("npm start");
  });
});
