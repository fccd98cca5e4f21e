import { describe, expect, it } from "vitest";
import { importPlan } from "../../../server/formats/import-plan";
import { edges, imported, refused } from "./expect-import";

describe("a plan in YAML", () => {
  const plan = (value: string) => `format: planwright/v1
name: Quoted
tasks:
  - id: say
    capability: test.echo
    arguments:
      value: |
${value.replaceAll(/^/gm, "        ")}
`;

  it("is read whatever banner of comments stands before it", () => {
    for (const banner of ["#".repeat(80), "# \n".repeat(60), `# ${"/".repeat(80)}`]) {
      expect(imported(`${banner}\n${plan("hello")}`).plan.name).toBe("Quoted");
    }
  });

  it("is never taken for what it quotes", () => {
    for (const quoted of ["1. search(foo)\n2. join()", "flowchart TD\n  a --> b", "digraph { a -> b }"]) {
      expect(imported(plan(quoted)).plan).toMatchObject({ name: "Quoted", tasks: [{ id: "say" }] });
    }
  });

  it("is the only one of its file", () => {
    const answer = importPlan(plan("hello"), { plan: 3 });
    expect(answer.ok ? [] : answer.error.map(({ message }) => message)).toEqual([
      "There is no plan 3: the file holds 1 plan.",
    ]);
  });
});

describe("a drawing in DOT", () => {
  it("keeps the directions that its defaults give", () => {
    expect(edges(imported("digraph { edge [dir=back]; build -> test; test -> deploy }"))).toEqual([
      "deploy>test",
      "test>build",
    ]);
  });

  it("joins the members of a subgraph that is named again", () => {
    expect(edges(imported("digraph { subgraph s { a b } c -> subgraph s }"))).toEqual(["c>a", "c>b"]);
  });
});

describe("a flowchart in Mermaid", () => {
  it("is refused at a shape that is not closed in its line, instead of losing the next node in it", () => {
    expect(refused("flowchart TD\n  A[Fetch\n  B[Parse] --> C[Load]\n")[0]).toMatchObject({ line: 2 });
  });
});

describe("a workflow", () => {
  const state = (type: string, more: object = {}) => ({ Type: type, ...more });
  const machine = (states: object) => JSON.stringify({ StartAt: "first", States: states });

  it("of States Language is refused where two states have one name", () => {
    const branch = (resource: string) => ({
      StartAt: "Work",
      States: { Work: state("Task", { Resource: resource, End: true }) },
    });
    const text = machine({ first: state("Parallel", { Branches: [branch("left"), branch("right")], End: true }) });
    expect(refused(text).map(({ message }) => message)).toEqual([
      "Another state of this machine has the same name already.",
    ]);
  });

  it("of States Language keeps a time limit of more than a year as a year", () => {
    const text = machine({ first: state("Task", { Resource: "left", TimeoutSeconds: 99_999_999, End: true }) });
    expect(imported(text).plan.tasks[0]?.timeoutSeconds).toBe(31_536_000);
  });

  it("of Tekton says what it leaves of a file with several pipelines, and takes none for the one that a run names", () => {
    const pipeline = (name: string) =>
      `apiVersion: tekton.dev/v1\nkind: Pipeline\nmetadata: {name: ${name}}\nspec: {tasks: [{name: t, taskRef: {name: x}}]}\n`;
    const run =
      "apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata: {name: r}\nspec: {pipelineRef: {name: gone}}\n";
    expect(imported(`${pipeline("a")}---\n${pipeline("b")}`).diagnostics.map(({ message }) => message)).toContain(
      "This is another pipeline, which has no place in the same plan.",
    );
    expect(refused(`${pipeline("a")}---\n${run}`)).not.toEqual([]);
  });

  it("of Conductor says which entries are no tasks, and waits for a fork without branches", () => {
    const text = JSON.stringify({
      name: "w",
      schemaVersion: 2,
      tasks: [
        { name: "f", taskReferenceName: "fork", type: "FORK_JOIN", forkTasks: [] },
        { name: "lost", type: "SIMPLE" },
        { name: "s", taskReferenceName: "behind", type: "SIMPLE" },
      ],
    });
    expect(edges(imported(text))).toEqual(["fork>behind"]);
    expect(imported(text).diagnostics.map(({ message }) => message)).toContain(
      "This is no task: it has no taskReferenceName. It is left out.",
    );
  });
});
