import { describe, expect, it } from "vitest";
import { planFixture } from "../../support/plan-fixture";
import { edges, imported, places, refused } from "./expect-import";

const task = (text: string, id: string) => imported(text).plan.tasks.find((candidate) => candidate.id === id);

describe("LLMCompiler plan text", () => {
  it("turns references into edges and join() into a task that waits for every result", () => {
    const plan = imported(planFixture("lookup.llmcompiler.txt"));
    expect(edges(plan)).toEqual(["1>3", "2>3", "3>4"]);
    expect(plan.plan.objective).toBe("Which of the two bridges is longer, and by how much?");
    expect(plan.diagnostics).toEqual([]);
  });

  it("joins every step when none uses another", () => {
    expect(edges(imported('1. search("a")\n2. search("b")\n3. join()'))).toEqual(["1>3", "2>3"]);
  });

  it("makes arithmetic a calculation and leaves a question in words to its own tool", () => {
    const text =
      '1. search("x")\n2. math("half of the height of x?", ["$1"])\n3. math("2 * ($2 + 1)")\n4. math("abs($3 - 1)")\n5. join()';
    expect(task(text, "2")).toMatchObject({
      capability: "math",
      arguments: { problem: "half of the height of x?", context: [{ $output: "1" }] },
    });
    expect(task(text, "3")).toMatchObject({ capability: "math.evaluate", arguments: { expression: "2 * (${2} + 1)" } });
    expect(task(text, "4")).toMatchObject({ arguments: { expression: "abs(${3#/result} - 1)" } });
  });

  it("imports a line without a closing parenthesis and names its line", () => {
    const plan = imported(planFixture("slip.llmcompiler.txt"));
    expect(places(plan.diagnostics)).toEqual(["2:38 syntax"]);
    expect(plan.plan.tasks[0]?.arguments).toEqual({ query: "height of the first tower" });
    expect(edges(plan)).toEqual(["1>3", "2>3", "3>4"]);
  });

  it("takes an argument that is no literal word for word", () => {
    expect(task("1. search(In Cold Blood (1967))\n2. join()", "1")?.arguments).toEqual({
      query: "In Cold Blood (1967)",
    });
  });

  it("keeps numbers, lists, keywords and escapes of a call", () => {
    const text = String.raw`1. book(flight="A\"1\"", seats=[1, -2.5], notes=None, meal=True, 'it\'s')`;
    expect(task(text, "1")?.arguments).toEqual({
      flight: 'A"1"',
      seats: [1, -2.5],
      notes: null,
      meal: true,
      input5: "it's",
    });
  });

  it("keeps a text that looks like a reference of ours as text", () => {
    expect(task('1. say("${HOME} and ${x}")', "1")?.arguments).toEqual({ input: "$${HOME} and $${x}" });
  });

  it("keeps an amount of money as text and says so", () => {
    const plan = imported('1. search("offers below $500")\n2. join()');
    expect(plan.plan.tasks[0]?.arguments).toEqual({ query: "offers below $500" });
    expect(places(plan.diagnostics)).toEqual(["1:1 reference_missing_task"]);
  });

  it("reads a text that goes over several lines", () => {
    const plan = imported('1. write("first\nsecond")\n2. join()');
    expect(plan.plan.tasks[0]?.arguments).toEqual({ input: "first\nsecond" });
    expect(plan.diagnostics).toEqual([]);
  });

  it("keeps the thought before a step as its note and tells which lines it leaves out", () => {
    const plan = imported('1. search("a")\nThought: enough\n2. join()\nSome more text.');
    expect(plan.plan.tasks[1]?.notes).toBe("enough");
    expect(places(plan.diagnostics)).toEqual(["4:1 not_carried_over"]);
  });

  it("reads nothing after the end mark", () => {
    expect(imported('1. search("a")\n2. join()<END_OF_PLAN>\n3. search("b")').plan.tasks).toHaveLength(2);
  });

  it("refuses a step number given twice", () => {
    expect(places(refused('1. search("a")\n1. search("b")'))).toEqual(["2:1 duplicate_task_id"]);
  });

  it("does not take a numbered list in prose for a plan", () => {
    refused("1. Buy milk (two litres)\n2. Go home\n");
  });
});
