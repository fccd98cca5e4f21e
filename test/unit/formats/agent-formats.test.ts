import { describe, expect, it } from "vitest";
import { validatePlan } from "#kernel/plan/validate";
import { planFixture } from "../../support/plan-fixture";
import { edges, imported, places, refused } from "./expect-import";

const tasksOf = (text: string) => imported(text).plan.tasks;
const errorsOf = (text: string) =>
  validatePlan(imported(text).plan).diagnostics.filter(({ severity }) => severity === "error");

describe("ReWOO plan text", () => {
  it("turns evidence into tasks and references into edges", () => {
    const plan = imported(planFixture("bridges.rewoo.txt"));
    expect(edges(plan)).toEqual(["E1>E3", "E1>E4", "E2>E3", "E2>E4", "E3>E4"]);
    expect(plan.plan.objective).toBe("Which of the two bridges is longer, and by how much?");
    expect(plan.plan.tasks[1]?.arguments).toEqual({ input: "length of the second bridge (main span)" });
    expect(plan.plan.tasks[2]).toMatchObject({
      title: "Take one from the other.",
      capability: "Calculator",
      arguments: { input: "abs(${E1} - ${E2})" },
    });
    expect(plan.plan.tasks[3]?.arguments).toEqual({
      input: "Which bridge is longer?\nLengths: ${E1}, ${E2}; difference: ${E3}",
    });
    expect(plan.diagnostics).toEqual([]);
  });

  it("keeps the type of a result that is the whole input", () => {
    expect(tasksOf("Plan: a\n#E1 = A[x]\nPlan: b\n#E2 = B[#E1]")[1]?.arguments).toEqual({ input: { $output: "E1" } });
  });

  it("keeps a reference to evidence that nobody gathers, so that it is an error at its line", () => {
    expect(errorsOf("Plan: a\n#E1 = A[#E7]").map(({ code }) => code)).toEqual(["reference_missing_task"]);
  });

  it("reads a step without a closing bracket and names what it leaves out", () => {
    const plan = imported("Plan: a\n#E1 = A[open\nPlan: b\n#E2 = B[x] and more\nGood luck.");
    expect(plan.plan.tasks.map((task) => task.arguments)).toEqual([{ input: "open" }, { input: "x" }]);
    expect(places(plan.diagnostics)).toEqual(["2:1 syntax", "4:1 not_carried_over", "5:1 not_carried_over"]);
  });

  it("refuses evidence gathered twice", () => {
    expect(places(refused("#E1 = A[x]\n#E1 = B[y]"))).toEqual(["2:1 duplicate_task_id"]);
  });
});

describe("NESTFUL call sequence", () => {
  it("turns labels into tasks, field paths into pointers and the result into a task", () => {
    const plan = imported(planFixture("trip.nestful.json"));
    expect(edges(plan)).toEqual(["var1>var2", "var1>var3", "var2>var3", "var2>var_result", "var3>var_result"]);
    expect(plan.plan.tasks[1]?.arguments).toEqual({
      area: { $output: "var1#/places/0/Area Code" },
      note: "paid in $ only",
    });
    expect(plan.plan.tasks[2]?.arguments).toEqual({ text: "Rooms near ${var1#/name}: ${var2}" });
    expect(plan.plan.tasks[3]).toMatchObject({ capability: "json.transform" });
    expect(plan.report.placeholders.map(({ tool }) => tool)).toEqual(["FindAirport", "FindHotels", "Describe"]);
    expect(plan.diagnostics).toEqual([]);
  });

  it("reads a bare list of calls, and labels with their mark", () => {
    const text =
      '[{"name":"f","label":"$var_1","arguments":{}},{"name":"g","label":"$var_2","arguments":{"x":"$var_1.result$"}}]';
    expect(edges(imported(text))).toEqual(["var_1>var_2"]);
  });

  it("keeps a reference to a label that is not there, so that it is an error at its call", () => {
    const text = '[{"name":"f","label":"var1","arguments":{"x":"$var9.a$"}}]';
    expect(errorsOf(text).map(({ code }) => code)).toEqual(["reference_missing_task"]);
  });

  it("refuses a label given twice, at the second", () => {
    const text = '[{"name":"f","label":"var1","arguments":{}},\n{"name":"g","label":"var1","arguments":{}}]';
    expect(places(refused(text))).toEqual(["2:21 duplicate_task_id"]);
  });
});

describe("TaskBench plan", () => {
  it("takes edges from references and from links, and says where they disagree", () => {
    const plan = imported(planFixture("still.taskbench.json"));
    expect(edges(plan)).toEqual(["node-0>node-1", "node-1>node-2", "node-2>node-3"]);
    expect(plan.plan.tasks[2]?.arguments).toEqual({ input1: { $output: "node-1" }, input2: "any" });
    expect(plan.plan.tasks[3]?.arguments).toEqual({ topic: "the still" });
    expect(plan.plan.tasks[2]?.capability).toBe("Image-Search-by-Image");
    expect(places(plan.diagnostics)).toEqual(["14:5 missing_dependency", "8:55 reference_not_upstream"]);
  });

  it("marks a node that uses its own result", () => {
    const text =
      '{"task_nodes":[{"task":"A","arguments":["x"]},{"task":"B","arguments":["<node-1>"]}],"task_links":[{"source":"A","target":"B"}]}';
    expect(edges(imported(text))).toContain("node-0>node-1");
    expect(errorsOf(text).map(({ code }) => code)).toEqual(["self_dependency"]);
  });

  it("tells two nodes of one tool apart by what they use, else by their order", () => {
    const nodes = '[{"task":"A"},{"task":"A"},{"task":"B","arguments":["<node-1>"]}]';
    const links = '[{"source":"A","target":"A"},{"source":"A","target":"B"}]';
    expect(edges(imported(`{"task_nodes":${nodes},"task_links":${links}}`))).toEqual([
      "node-0>node-1",
      "node-1>node-2",
    ]);
  });
});

describe("HuggingGPT task list", () => {
  it("takes edges from dep and from what the arguments use", () => {
    const plan = imported(planFixture("sheep.hugginggpt.json"));
    expect(edges(plan)).toEqual(["0>2", "1>2", "1>3", "2>3"]);
    expect(plan.plan.tasks[2]?.arguments).toEqual({ image: { $output: "0" }, text: "How many sheep? ${1}" });
    expect(plan.plan.tasks[3]?.dependsOn).toEqual(["1"]);
    expect(places(plan.diagnostics)).toEqual(["4:71 reference_not_upstream"]);
  });

  it("keeps a dependency on a task that is not there, so that it is an error at its place", () => {
    expect(errorsOf('[{"task":"a","id":0,"dep":[5],"args":{}}]').map(({ code }) => code)).toEqual([
      "missing_dependency",
    ]);
  });

  it("refuses broken JSON at its place", () => {
    expect(places(refused('[{"task":"a","id":0,"dep":[-1],"args":{}}}]'))).toEqual(["1:42 syntax"]);
  });
});

describe("n8n workflow", () => {
  it("makes tasks of nodes and edges of connections of every kind", () => {
    const plan = imported(planFixture("answer.n8n.json"));
    expect(edges(plan)).toEqual([
      "Is-it-urgent>Answer",
      "Is-it-urgent>File-it",
      "Letter-comes>Is-it-urgent",
      "Model>Answer",
    ]);
    expect(plan.plan.tasks[2]).toMatchObject({
      capability: "n8n/n8n-nodes-langchain.agent",
      arguments: { text: "Dear $${name}" },
      retry: { maxAttempts: 4, backoffSeconds: 2, backoffFactor: 1 },
      position: { x: 400, y: 0 },
    });
    expect(plan.plan.tasks[4]?.onFailure).toBe("continue");
    expect(places(plan.diagnostics)).toEqual([
      "13:34 not_carried_over",
      "13:86 not_carried_over",
      "13:137 missing_dependency",
      "8:141 not_carried_over",
    ]);
    expect(plan.report.notes.join(" ")).toMatch(/1 sticky note left out.*Credentials of 1 node left out/s);
    expect(JSON.stringify(plan.plan)).not.toContain("openAiApi");
  });

  it("refuses a workflow whose connections all lead nowhere, and names each", () => {
    const text =
      '{"nodes":[{"name":"a","type":"t"},{"name":"b","type":"t"}],"connections":{"a":{"main":[[{"node":"x"}]]},"y":{"main":[]}}}';
    expect(refused(text).map(({ code }) => code)).toEqual(Array(3).fill("missing_dependency"));
  });

  it("draws a loop and marks it", () => {
    const text =
      '{"nodes":[{"name":"a","type":"t"},{"name":"b","type":"t"}],"connections":{"a":{"main":[[{"node":"b"}]]},"b":{"main":[[{"node":"a"}]]}}}';
    expect(edges(imported(text))).toEqual(["a>b", "b>a"]);
    expect(errorsOf(text).map(({ code }) => code)).toEqual(["cycle"]);
  });

  it("lets no name reach a prototype", () => {
    const text =
      '{"nodes":[{"name":"__proto__","type":"constructor"},{"name":"b","type":"t","parameters":{"__proto__":{"x":1}}}],"connections":{"__proto__":{"main":[[{"node":"b"}]]}}}';
    const plan = imported(text);
    expect(edges(plan)).toEqual(["proto__>b"]);
    expect(Object.keys(plan.plan.tasks[1]?.arguments ?? {})).toEqual(["__proto__"]);
    expect({}).not.toHaveProperty("x");
  });
});

describe("Flowise flow", () => {
  it("makes tasks of nodes, edges of edges, and marks the way back of a loop", () => {
    const plan = imported(planFixture("draft.flowise.json"));
    expect(edges(plan)).toEqual([
      "humanInputAgentflow_0>loopAgentflow_0",
      "llmAgentflow_0>humanInputAgentflow_0",
      "startAgentflow_0>llmAgentflow_0",
    ]);
    expect(plan.plan.tasks[1]).toMatchObject({ title: "Draft", capability: "llmAgentflow" });
    expect(places(plan.diagnostics)).toEqual(["13:5 not_carried_over", "14:5 missing_dependency", "7:5 cycle"]);
    expect(plan.diagnostics[2]?.message).toContain('"Again" goes back to "Draft", at most 5 times');
  });
});
