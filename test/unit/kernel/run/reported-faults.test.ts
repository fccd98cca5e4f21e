import { describe, expect, it } from "vitest";
import { FAILURE, ModelRun, SUCCESS } from "../../../support/model-run";
import { planOf } from "../../../support/run-fixture";

/** Names that reach a prototype where somebody forgot that they are data. */
const NAMES = ["toString", "constructor", "hasOwnProperty", "valueOf", "then", "length", "prototype"];

describe("faults that others had", () => {
  it("runs a join once where its two paths differ in length, after both", () => {
    const run = new ModelRun(
      planOf([{ id: "a" }, { id: "b" }, { id: "c", dependsOn: ["b"] }, { id: "d", dependsOn: ["a", "c"] }]),
    ).decide();
    run.answer("a").answer("b");
    expect(run.statusOf("d")).toBe("pending");
    run.answer("c").answer("d");
    expect(run.dispatched.filter((id) => id === "d")).toHaveLength(1);
    expect(run.state.outcome).toBe("completed");
  });

  it("decides a join only when the last of its parents has ended, in both orders, 200 times", () => {
    for (let round = 0; round < 200; round++) {
      const parents = round % 2 === 0 ? ["skipped", "slow"] : ["slow", "skipped"];
      const run = new ModelRun(
        planOf([
          { id: "skipped", when: false },
          { id: "slow" },
          { id: "join", join: "none_failed", dependsOn: parents },
        ]),
      ).decide();
      expect(run.statusOf("join")).toBe("pending");
      expect(run.answer("slow").answer("join").state.outcome).toBe("completed");
    }
  });

  it("collects all three of a fan-out whose process died during the third, and does not call the first two again", () => {
    const plan = planOf([
      { id: "each", forEach: [1, 2, 3], arguments: { value: "${item}" } },
      { id: "all", arguments: { value: { $output: "each" } } },
    ]);
    const before = new ModelRun(plan).decide().answer("each[0]", { ...SUCCESS, output: 10 });
    before.answer("each[1]", { ...SUCCESS, output: 20 });
    const after = new ModelRun(plan).append(...before.log.slice(2)).decide();
    expect(after.dispatched).toEqual(["each[2]"]);
    after.answer("each[2]", { ...SUCCESS, output: 30 });
    expect(after.calls.get("all")?.arguments).toEqual({ value: [10, 20, 30] });
  });

  it("ends with one verdict where three parents end in every way, under every join", () => {
    const ends = ["ok", "fail", "skip", "cancel"] as const;
    for (const join of ["all_succeeded", "none_failed", "any_succeeded", "all_done"]) {
      for (let code = 0; code < 64; code++) {
        const own = [0, 1, 2].map((place) => ends[Math.floor(code / 4 ** place) % 4] ?? "ok");
        const tasks = own.map((end, index) => ({
          id: `p${index}`,
          ...(end === "skip" ? { when: false } : {}),
          ...(end === "cancel" ? { dependsOn: ["source"] } : {}),
        }));
        const run = new ModelRun(
          planOf([{ id: "source" }, ...tasks, { id: "j", join, dependsOn: ["p0", "p1", "p2"] }]),
        );
        run.decide().answer("source", FAILURE);
        for (const [index, end] of own.entries()) {
          if (end === "ok" || end === "fail") run.answer(`p${index}`, end === "ok" ? SUCCESS : FAILURE);
        }
        if (run.calls.has("j")) run.answer("j");
        expect(run.state.status).toBe("finished");
      }
    }
  });

  it("takes every name for data: as a task, as a key of arguments and of outputs", () => {
    const tasks = NAMES.flatMap((name, index) => [
      { id: name, arguments: { value: { [name]: index } } },
      { id: `${name}.next`, arguments: { value: { $output: `${name}#/${name}` } } },
    ]);
    const run = new ModelRun(planOf(tasks)).decide();
    for (const [index, name] of NAMES.entries()) run.answer(name, { ...SUCCESS, output: { [name]: index } });
    for (const [index, name] of NAMES.entries()) {
      expect(run.calls.get(`${name}.next`)?.arguments).toEqual({ value: index });
      run.answer(`${name}.next`);
    }
    expect(run.state.outcome).toBe("completed");
    const plain: Record<string, unknown> = {};
    expect(plain.value).toBeUndefined();
  });

  it("resolves several references in one text, in lists, keys and nested objects, and leaves an escaped one alone", () => {
    const run = new ModelRun(
      planOf([
        { id: "a" },
        { id: "b" },
        { id: "c", arguments: { value: { sum: "${a#/v}+${b#/v}", list: [{ $output: "a#/v" }], "${b#/v}": "$${a}" } } },
      ]),
    ).decide();
    run.answer("a", { ...SUCCESS, output: { v: 1 } }).answer("b", { ...SUCCESS, output: { v: "${a#/v}" } });
    expect(run.calls.get("c")?.arguments).toEqual({ value: { sum: "1+${a#/v}", list: [1], "${a#/v}": "${a}" } });
  });

  it("settles a reference to a skipped task at once: by its default, by a guard, or as a failure before any call", () => {
    const run = new ModelRun(
      planOf([
        { id: "b", when: false },
        { id: "fails", join: "all_done", arguments: { value: "${b#/v}" } },
        { id: "defaults", join: "all_done", arguments: { value: { $output: "b#/v", default: null } } },
        { id: "guarded", join: "all_done", when: { status: "b", is: "succeeded" }, arguments: { value: "${b#/v}" } },
        { id: "otherwise", join: "all_done", dependsOn: ["b"], when: { status: "b", is: "skipped" } },
      ]),
    ).decide();
    expect(run.state.tasks.get("fails")).toMatchObject({ status: "failed", cause: { code: "reference_unresolved" } });
    expect(run.calls.get("defaults")?.arguments).toEqual({ value: null });
    expect(run.statusOf("guarded")).toBe("skipped");
    expect(run.statusOf("otherwise")).toBe("dispatched");
    expect(run.dispatched).not.toContain("fails");
  });
});
