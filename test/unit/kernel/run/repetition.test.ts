import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Observation } from "#kernel/capability/observation";
import type { Plan } from "#kernel/plan/plan";
import type { NewRunEvent, RevisionAuthor } from "#kernel/run/event";
import { fold } from "#kernel/run/reduce";
import { FAILURE, ModelRun, SUCCESS } from "../../../support/model-run";
import { CAPABILITIES, person, planOf } from "../../../support/run-fixture";

const PLANNER: RevisionAuthor = { kind: "planner", name: "planner" };

const revised = (plan: Plan, run: ModelRun, author: RevisionAuthor = PLANNER): NewRunEvent => ({
  type: "plan_revised",
  at: run.now,
  revision: run.state.revision + 1,
  reason: "new_information",
  triggerSeq: run.state.lastSeq,
  by: author.name,
  author,
  plan,
  capabilities: [...CAPABILITIES],
  diff: { added: [], removed: [], changed: [], kept: [], planFields: [] },
});

const search = (id: string, query = "x", rest: Record<string, unknown> = {}) => ({
  id,
  arguments: { value: { query } },
  ...rest,
});
const found = (output: unknown): Observation => ({ ...SUCCESS, output: output as never });
const verdicts = (run: ModelRun) =>
  run.log.flatMap((event) =>
    event.type === "repetition_detected" ? [[event.taskId, event.verdict, event.times]] : [],
  );

/** A run of one search that waits for a person, so that its plan can be revised after the answer has come back. */
const searched = (answer: Observation = found([])) =>
  new ModelRun(planOf([search("a"), { id: "hold", approval: {} }])).decide().answer("a", answer);

/** What a planner adds to what is unfinished. */
const adds = (run: ModelRun, tasks: Record<string, unknown>[], author?: RevisionAuthor): ModelRun =>
  run.append(revised(planOf([{ id: "hold", approval: {} }, ...(tasks as { id: string }[])]), run, author)).decide();

const rejectHold = (run: ModelRun): ModelRun => {
  const gate = [...run.state.gates.values()].find((each) => each.status === "open")?.request;
  if (gate === undefined) return run;
  const { gateId, argumentsHash } = gate;
  const decision = { gateId, decision: "approve", by: person("approver"), argumentsHash } as const;
  run.append({ type: "approval_decided", at: run.now, ...decision }).decide();
  return run.calls.has("hold") ? run.answer("hold", found("held")) : run;
};

describe("R15 repeats", () => {
  it("makes nothing of equal tasks that were planned together, side by side or one after another", () => {
    const chain = Array.from({ length: 50 }, (_, index) =>
      search(`t${index}`, "x", index === 0 ? {} : { dependsOn: [`t${index - 1}`] }),
    );
    const run = new ModelRun(planOf([...chain, search("beside"), search("beside-2")])).decide();
    while (run.calls.size > 0) run.answer([...run.calls.keys()][0] ?? "", found([]));
    expect(verdicts(run)).toEqual([]);
    expect(run.state.outcome).toBe("completed");
  });

  it("makes nothing of retries, of a call made again after a crash, or of a task that a person tries again", () => {
    const broken: Observation = { ...FAILURE, status: "retryable", errorCategory: "unavailable" };
    const run = new ModelRun(planOf([{ ...search("a"), retry: { maxAttempts: 3, backoffSeconds: 0 } }])).decide();
    run.answer("a", broken).answer("a", broken).answer("a", broken);
    expect(verdicts(run)).toEqual([]);
    expect(run.state.outcome).toBe("stop_terminal_failure");
    const again = new ModelRun(planOf([search("a"), { id: "hold", approval: {} }])).decide().answer("a", FAILURE);
    const reopened = [{ taskId: "a" as never, was: "failed" as const }];
    again.append({ type: "task_retried", at: 1, taskId: "a" as never, by: person("p"), reopened }).decide();
    again.answer("a", FAILURE);
    expect(verdicts(again)).toEqual([]);
  });

  it("judges a call that was planned after an equal one had come back: the same answer and nothing new is a stall", () => {
    const run = adds(searched(), [{ id: "b", arguments: { value: { query: "x" } } }]);
    expect(run.calls.get("b")?.repeats).toMatchObject({ times: 2, of: { taskId: "a", attempt: 1 } });
    run.answer("b", found([]));
    expect(verdicts(run)).toEqual([["b", "stall", 2]]);
    expect(run.state.stall).toMatchObject({ taskId: "b", times: 2, stalls: 1 });
  });

  it("ends a run as stalled that has nothing but the repeat to show", () => {
    const run = new ModelRun(planOf([search("a")], { completion: [{ check: "human", question: "Good?" }] })).decide();
    run.answer("a", found([]));
    run
      .append(revised(planOf([search("b")]), run))
      .decide()
      .answer("b", found([]));
    expect(run.state.outcome).toBe("stop_stalled");
    expect(run.state.outcomeReason).toBe(
      "“b” made a call for the 2nd time and got the same answer, and nothing else has become known since.",
    );
    expect(run.log[(run.state.outcomeSeq ?? 0) - 1]?.type).toBe("repetition_detected");
  });

  it("stops as stalled where an answered failure comes again, however it is worded, and as failed where one was not", () => {
    const worded: Observation = { ...FAILURE, message: "It broke, said otherwise." };
    for (const [answers, outcome] of [
      [true, "stop_stalled"],
      [false, "stop_terminal_failure"],
    ] as const) {
      const run = searched(FAILURE);
      const triggerSeq = answers ? (run.state.tasks.get("a")?.endedSeq ?? 0) : 2;
      run
        .append({ ...revised(planOf([search("b")]), run), triggerSeq } as NewRunEvent)
        .decide()
        .answer("b", worded);
      expect(verdicts(run)).toEqual([["b", "stall", 2]]);
      expect(run.state.outcome).toBe(outcome);
    }
  });

  it("asks a planner once for another way, and ends the run when it comes with the same again", () => {
    for (const answer of [found([]), FAILURE]) {
      const replanning = { planner: "direct" };
      const planned = (id: string) => planOf([search(id)], { replanning });
      const run = new ModelRun(planOf([search("a"), { id: "hold", approval: {} }], { replanning })).decide();
      const questions = () => run.log.filter((event) => event.type === "replan_requested");
      const replies = (id: string, triggerSeq: number) =>
        run
          .append({ ...revised(planned(id), run), triggerSeq } as NewRunEvent)
          .decide()
          .answer(id, answer);
      run.answer("a", answer);
      const first = questions().length;
      replies("b", run.state.replanRequest?.triggerSeq ?? run.state.lastSeq);
      expect(verdicts(run)).toEqual([["b", "stall", 2]]);
      expect(questions()).toHaveLength(first + 1);
      expect(questions().at(-1)).toMatchObject({ reason: "path_blocked" });
      replies("c", run.state.replanRequest?.triggerSeq ?? 0);
      expect(questions()).toHaveLength(first + 1);
      expect(run.state.outcome).toBe("stop_stalled");
      expect(run.state.outcomeReason).toContain("“c” made a call for the 3rd time");
    }
  });

  it("takes another answer, something else that became known, and a person's revision for new evidence", () => {
    expect(verdicts(adds(searched(), [search("b")]).answer("b", found(["news"])))).toEqual([["b", "new_evidence", 2]]);
    const other = adds(searched(), [search("b", "x", { dependsOn: ["c"] }), search("c", "y")]);
    other.answer("c", found("c")).answer("b", found([]));
    expect(verdicts(other)).toEqual([["b", "new_evidence", 2]]);
    const person: RevisionAuthor = { kind: "person", name: "Ada" };
    expect(verdicts(adds(searched(), [search("b")], person).answer("b", found([])))).toEqual([
      ["b", "new_evidence", 2],
    ]);
  });

  it("takes a call that changed something for new evidence, and one that found it changed already for none", () => {
    const effect = (id: string) => ({ id, capability: "test.effect", arguments: { to: 1 } });
    const committed = (stateChanged: boolean): Observation => ({ ...SUCCESS, sideEffect: "committed", stateChanged });
    for (const [changed, verdict] of [
      [true, "new_evidence"],
      [false, "stall"],
    ] as const) {
      const run = new ModelRun(planOf([effect("a"), { id: "hold", approval: {} }])).decide();
      adds(run.answer("a", committed(true)), [effect("b")]).answer("b", committed(changed));
      expect(verdicts(run)).toEqual([["b", verdict, 2]]);
    }
  });

  it("forgets a stall once something new is known", () => {
    const run = adds(searched(), [search("b"), search("c", "y")]);
    run.answer("b", found([])).answer("c", found("c"));
    expect(verdicts(run)).toEqual([["b", "stall", 2]]);
    rejectHold(run);
    expect(run.state.outcome).toBe("completed");
  });

  it("lets a planner ask again for what is polled, as often as its policy allows", () => {
    const poll = (id: string) => ({ id, capability: "test.poll", arguments: { polls: 3 } });
    const done = found({ status: "done" });
    const run = new ModelRun(planOf([poll("p0"), { id: "hold", approval: {} }])).decide().answer("p0", done);
    for (let count = 1; count <= 20; count++) adds(run, [poll(`p${count}`)]).answer(`p${count}`, done);
    const found20 = verdicts(run).map(([, verdict]) => verdict);
    expect(found20).toEqual([...Array(19).fill("polling"), "stall"]);
  });

  it("counts instances of a fan-out one by one, and their group not at all", () => {
    const each = (id: string) => ({ id, forEach: ["x", "y"], arguments: { value: "${item}" } });
    const run = new ModelRun(planOf([each("a"), { id: "hold", approval: {} }])).decide();
    run.answer("a[0]", found(0)).answer("a[1]", found(1));
    adds(run, [each("b")])
      .answer("b[0]", found(0))
      .answer("b[1]", found(1));
    expect(verdicts(run)).toEqual([
      ["b[0]", "new_evidence", 2],
      ["b[1]", "stall", 2],
    ]);
  });

  it("loads a large output before it says whether a call repeats another, and compares large answers by their hash", () => {
    const outputs = new Map<string, string>();
    const options = { load: (ref: string) => outputs.get(ref) };
    const large = (outputRef: string, outputHash: string): Observation => {
      const { output: _output, ...rest } = SUCCESS;
      return { ...rest, outputRef, outputHash };
    };
    const use = (id: string) => ({ id, arguments: { value: { $output: "big" } } });
    const plan = planOf([{ id: "big" }, use("a"), { id: "hold", approval: {} }]);
    const run = new ModelRun(plan, options).decide().answer("big", large("r1", "h"));
    outputs.set("r1", "text");
    run.decide().answer("a", large("r2", "same"));
    outputs.clear();
    adds(run, [search("b", "text"), { id: "c", arguments: { value: "text" } }]);
    expect(run.calls.has("c")).toBe(false);
    outputs.set("r1", "text");
    run.decide().answer("c", large("r3", "same"));
    expect(verdicts(run)).toEqual([["c", "stall", 2]]);
  });

  it("tells every circle of a planner from a step that learns something, whatever it asks for", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { minLength: 1, maxLength: 14 }), (queries) => {
        const run = searched();
        const asked = ["x"];
        for (const [index, query] of queries.entries()) {
          const text = query === 0 ? "x" : `q${query}`;
          const id = `s${index}`;
          adds(run, [search(id, text)]).answer(id, found(text === "x" ? [] : text));
          const last = asked.lastIndexOf(text);
          // New is what was asked for the first time since the last equal call.
          const since = asked.slice(last + 1).some((each, place) => asked.indexOf(each) === last + 1 + place);
          const wanted = last === -1 ? undefined : since ? "new_evidence" : "stall";
          const said = verdicts(run).find(([taskId]) => taskId === id)?.[1];
          expect(said).toBe(wanted);
          asked.push(text);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("folds to the same evidence at every point", () => {
    const run = adds(searched(), [search("b"), search("c", "y")]).answer("b", found([]));
    for (let cut = 0; cut <= run.log.length; cut++) {
      expect(fold(run.log.slice(cut), fold(run.log.slice(0, cut)))).toEqual(fold(run.log));
    }
  });
});
