import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { TaskId } from "#kernel/ids";
import { type Join, joinSchema, onFailureSchema } from "#kernel/plan/plan";
import { joinVerdict, type ParentEnd } from "#kernel/run/join";
import { isTerminal, taskStatusSchema } from "#kernel/run/status";
import { ModelRun, SUCCESS } from "../../../support/model-run";
import { planOf } from "../../../support/run-fixture";

const WORDS = { run: "runs", skip: "skipped", cancel: "cancelled", block: "blocked" } as const;

/** Every way for one parent to end. */
const ENDS = taskStatusSchema.options
  .filter(isTerminal)
  .flatMap((status) =>
    onFailureSchema.options.map((onFailure): ParentEnd => ({ taskId: "p" as TaskId, status, onFailure })),
  );

/** The column of docs/joins.md that a parent's end belongs to. */
function kindOf({ status, onFailure }: ParentEnd): string {
  if (status === "succeeded" || status === "skipped") return status;
  if (status !== "failed") return "failed or cancelled";
  if (onFailure === "continue") return "failed, continue";
  return onFailure === "block_dependents" ? "failed, block" : "failed or cancelled";
}

/** The table of docs/joins.md: by the kinds that are there, what each join makes of it. */
function documentedTable(): Map<string, Map<Join, string>> {
  const text = readFileSync(new URL("../../../../docs/joins.md", import.meta.url), "utf8");
  const rows = text
    .slice(text.indexOf("| succeeded | skipped |"))
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const heads = rows[0] ?? [];
  const table = new Map<string, Map<Join, string>>();
  for (const cells of rows.slice(2)) {
    const kinds = heads.slice(0, 5).filter((_, index) => cells[index] === "✓");
    const verdicts = joinSchema.options.map((join): [Join, string] => [
      join,
      cells[heads.indexOf(`\`${join}\``)] ?? "",
    ]);
    table.set(kinds.sort().join("; "), new Map(verdicts));
  }
  return table;
}

function* parentLists(length: number): Generator<ParentEnd[]> {
  if (length === 0) yield [];
  else for (const rest of parentLists(length - 1)) for (const end of ENDS) yield [...rest, end];
}

describe("R7 joins", () => {
  it("documents every set of kinds of end", () => {
    expect(documentedTable().size).toBe(32);
  });

  it("does what the documented table says for every join and up to three parents, however each ended", () => {
    const table = documentedTable();
    for (const length of [0, 1, 2, 3]) {
      for (const parents of parentLists(length)) {
        const row = table.get([...new Set(parents.map(kindOf))].sort().join("; "));
        for (const join of joinSchema.options) {
          const verdict = WORDS[joinVerdict(join, parents).type];
          if (verdict !== row?.get(join))
            expect({ join, parents, verdict }).toEqual({ join, parents, verdict: row?.get(join) });
        }
      }
    }
  });

  it("waits for a parent that still runs although another was skipped at once, in both orders", () => {
    for (const parents of [
      ["skipped", "slow"],
      ["slow", "skipped"],
    ]) {
      const run = new ModelRun(
        planOf([
          { id: "skipped", when: false },
          { id: "slow" },
          { id: "join", join: "any_succeeded", dependsOn: parents },
        ]),
      ).decide();
      expect(run.statusOf("skipped")).toBe("skipped");
      expect(run.statusOf("join")).toBe("pending");
      expect(run.answer("slow").statusOf("join")).toBe("dispatched");
    }
  });

  it("skips the child of a skipped task, and opens no gate for it", () => {
    const run = new ModelRun(
      planOf([{ id: "a" }, { id: "b", when: false, dependsOn: ["a"] }, { id: "c", dependsOn: ["b"], approval: {} }]),
    );
    run.decide().answer("a");
    expect(run.state.tasks.get("c")).toMatchObject({
      status: "skipped",
      cause: { code: "upstream_skipped", taskId: "b" },
    });
    expect(run.state.gates.size).toBe(0);
    expect(run.state.outcome).toBe("completed");
  });

  it("waits for every branch although one of them holds a condition, and never reads a missing output", () => {
    const run = new ModelRun(
      planOf([
        { id: "s" },
        { id: "x", dependsOn: ["s"] },
        { id: "c1", dependsOn: ["s"] },
        { id: "y", dependsOn: ["c1"], when: { value: { $output: "c1#/v" }, equals: 1 } },
        { id: "j", arguments: { value: "${x#/v}${y#/v}" } },
      ]),
    ).decide();
    run
      .answer("s")
      .answer("c1", { ...SUCCESS, output: { v: 1 } })
      .answer("y", { ...SUCCESS, output: { v: "y" } });
    expect(run.statusOf("j")).toBe("pending");
    run.answer("x", { ...SUCCESS, output: { v: "x" } });
    expect(run.calls.get("j")?.arguments).toEqual({ value: "xy" });
  });

  it("does not park a run at the gate of a skipped task", () => {
    const run = new ModelRun(
      planOf([
        { id: "g", approval: {}, when: false },
        { id: "b", dependsOn: ["g"], join: "all_done" },
      ]),
    ).decide();
    expect(run.state.gates.size).toBe(0);
    expect(run.answer("b").state.outcome).toBe("completed");
  });

  it("ends when a failure and a skip meet", () => {
    const run = new ModelRun(
      planOf([
        { id: "u" },
        { id: "v", when: false, dependsOn: ["u"] },
        { id: "w", dependsOn: ["u"] },
        { id: "z", dependsOn: ["v", "w"] },
      ]),
    ).decide();
    run.answer("u", { status: "terminal", sideEffect: "none", latencyMs: 1 });
    expect(run.state.outcome).toBe("stop_terminal_failure");
    expect(run.statusOf("z")).toBe("cancelled");
  });

  it("fails a task whose reference leads to a skipped parent, before any call", () => {
    const reference = { value: { $output: "b#/v" } };
    const run = new ModelRun(
      planOf([
        { id: "b", when: false },
        { id: "c", join: "all_done", arguments: reference },
        { id: "d", join: "all_done", arguments: { value: { $output: "b#/v", default: "x" } } },
      ]),
    ).decide();
    expect(run.state.tasks.get("c")).toMatchObject({ status: "failed", cause: { code: "reference_unresolved" } });
    expect(run.calls.get("d")?.arguments).toEqual({ value: "x" });
  });
});
