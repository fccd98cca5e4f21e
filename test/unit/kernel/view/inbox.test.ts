import { describe, expect, it } from "vitest";
import { taskIdSchema } from "#kernel/ids";
import type { JsonObject } from "#kernel/json";
import type { RunEvent } from "#kernel/run/event";
import { fold } from "#kernel/run/reduce";
import { argumentRows, originsOf } from "#kernel/view/gate-arguments";
import { compareInboxEntries, gateCard } from "#kernel/view/inbox";
import { recordRun } from "../../../support/random-run";

const shape = {
  parents: [] as number[],
  durationMs: 10_000,
  failures: 0,
  gateMs: undefined,
  dispatched: true,
  terminal: false,
};

/** t0 done → t1 behind a gate → t2 → t3; t4 beside them. */
function gatedRun(): { events: readonly RunEvent[]; asked: number } {
  const events = recordRun({
    tasks: [
      shape,
      { ...shape, parents: [0], gateMs: 5_000 },
      { ...shape, parents: [1] },
      { ...shape, parents: [2] },
      { ...shape, durationMs: 90_000 },
    ],
    workers: 4,
    pause: undefined,
    share: 1,
  });
  return { events, asked: events.find((event) => event.type === "approval_requested")?.seq ?? 0 };
}

describe("gate card", () => {
  it("says what an approval starts, what may follow, and what a rejection ends", () => {
    const { events, asked } = gatedRun();
    const state = fold(events.slice(0, asked));
    expect(gateCard(state, "g1", state.lastAt)?.consequences).toEqual({
      signaturesLeft: 0,
      starts: ["t1"],
      follows: ["t2", "t3"],
      cancels: ["t1", "t2", "t3"],
      goesOn: 1,
    });
  });

  it("asks the real decision function on a copy: the state is left as it was", () => {
    const { events, asked } = gatedRun();
    const state = fold(events.slice(0, asked));
    gateCard(state, "g1", state.lastAt);
    expect(state).toEqual(fold(events.slice(0, asked)));
  });

  it("starts nothing while other people still have to sign", () => {
    const { events, asked } = gatedRun();
    const two = events
      .slice(0, asked)
      .map((event) => (event.type === "approval_requested" ? { ...event, quorum: 2 } : event));
    const state = fold(two);
    expect(gateCard(state, "g1", state.lastAt)?.consequences).toMatchObject({ signaturesLeft: 1, starts: [] });
  });

  it("shows two steps on both sides of the task", () => {
    const { events, asked } = gatedRun();
    const state = fold(events.slice(0, asked));
    const around = gateCard(state, "g1", state.lastAt)?.around;
    expect(around?.tasks.map((task) => [task.taskId, task.step])).toEqual([
      ["t1", 0],
      ["t0", -1],
      ["t2", 1],
      ["t3", 2],
    ]);
    expect(around?.edges).toHaveLength(3);
  });

  it("names the scopes that the call will need for the very arguments that are signed", () => {
    const { events } = gatedRun();
    const state = fold(events);
    const gate = state.gates.get("g1");
    const name = state.tasks.get(gate?.request.taskId ?? taskIdSchema.parse("t1"))?.task.capability ?? "";
    const capability = state.capabilities.get(name);
    if (capability === undefined || gate === undefined) throw new Error("The run has a gate before a call.");
    state.capabilities.set(name, { ...capability, provider: "http", requires: ["crm:write:${who}"] });
    const scopesFor = (callArguments: JsonObject) => {
      state.gates.set("g1", { ...gate, request: { ...gate.request, arguments: callArguments } });
      return gateCard(state, "g1", state.lastAt)?.capability?.scopes;
    };
    expect(scopesFor({ who: "a:b" })).toEqual(["crm:write:a%3Ab"]);
    expect(scopesFor({})).toEqual(["crm:write:${who}"]);
  });

  it("promises nothing about a gate that has closed, and nothing at all about one that never was", () => {
    const { events } = gatedRun();
    const state = fold(events);
    const card = gateCard(state, "g1", state.lastAt);
    expect(card?.status).toBe("used");
    expect(card?.consequences).toBeUndefined();
    expect(card?.signed).toHaveLength(1);
    expect(gateCard(state, "__proto__", state.lastAt)).toBeUndefined();
  });
});

describe("arguments of a gate", () => {
  it("marks what is new, changed and gone against the request before", () => {
    const rows = argumentRows({ a: 1, b: [2], c: "x" }, [], { a: 1, b: [1], d: true });
    expect(rows.map((row) => [row.name, row.change])).toEqual([
      ["a", "none"],
      ["b", "changed"],
      ["c", "added"],
      ["d", "removed"],
    ]);
  });

  it("does not call a value changed because its keys stand in another order", () => {
    expect(argumentRows({ a: { x: 1, y: 2 } }, [], { a: { y: 2, x: 1 } })[0]?.change).toBe("none");
  });

  it("finds where a value came from: its parts first, then what encloses it, then the plan", () => {
    const origins = [
      { pointer: "/body/text", from: ["draft#/text"] },
      { pointer: "/url", from: ["plan", "a#/host"] },
    ];
    expect(originsOf("/body", origins)).toEqual(["draft#/text"]);
    expect(originsOf("/url", origins)).toEqual(["plan", "a#/host"]);
    expect(originsOf("/url/deep", origins)).toEqual(["plan", "a#/host"]);
    expect(originsOf("/bodyguard", origins)).toEqual(["plan"]);
  });

  it("keeps arguments apart that are named like an object's own members", () => {
    const value = JSON.parse('{"__proto__": 1, "constructor": 2}');
    expect(argumentRows(value, [], {}).map((row) => [row.name, row.value, row.change])).toEqual([
      ["__proto__", 1, "added"],
      ["constructor", 2, "added"],
    ]);
  });
});

describe("inbox order", () => {
  it("is by deadline, then by how much waits, then by id", () => {
    const entries = [
      { id: "c", decideBy: 2, behind: 9 },
      { id: "b", decideBy: 1, behind: 1 },
      { id: "a", decideBy: 1, behind: 5 },
      { id: "d", decideBy: 1, behind: 1 },
    ];
    expect(entries.sort(compareInboxEntries).map((entry) => entry.id)).toEqual(["a", "b", "d", "c"]);
  });
});
