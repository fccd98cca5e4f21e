import { describe, expect, it } from "vitest";
import { createHistory } from "#kernel/view/history";
import { parsePlace, placeQuery } from "../../../../components/runs/run-place";
import { createRunViewStore } from "../../../../components/runs/view-store";
import { checkoutErrorSpike } from "../../../support/checkout-error-spike";

const events = checkoutErrorSpike();
const seqOf = (type: string, nth = 0) => events.filter((event) => event.type === type)[nth]?.seq;

const open = (count = events.length, seq?: number) => {
  const history = createHistory(events.slice(0, count));
  const store = createRunViewStore(history, seq === undefined ? {} : { seq });
  return { history, store, actions: store.getState().actions, seq: () => store.getState().seq };
};

describe("where the reader looks", () => {
  it("steps one event at a time and stays inside the log", () => {
    const { actions, seq } = open(events.length, 1);
    actions.step(-1);
    actions.step(-1);
    expect(seq()).toBe(0);
    actions.step(1);
    expect(seq()).toBe(1);
    actions.seek(9_999);
    expect(seq()).toBe(events.length);
  });

  it("goes from revision to revision, refused ones included, and selects what it finds", () => {
    const { actions, seq, store } = open(events.length, 1);
    actions.stepRevision(1);
    expect(seq()).toBe(seqOf("plan_revised"));
    actions.stepRevision(1);
    actions.stepRevision(1);
    expect(seq()).toBe(seqOf("replan_refused"));
    expect(store.getState().eventSeq).toBe(seqOf("replan_refused"));
    actions.stepRevision(1);
    expect(seq()).toBe(seqOf("replan_refused"));
  });

  it("goes from failure to failure, attempts that are retried included", () => {
    const { actions, seq } = open(events.length, 1);
    actions.stepFailure(1);
    expect(seq()).toBe(seqOf("task_observed"));
    actions.stepFailure(1);
    expect(seq()).toBe(seqOf("task_failed"));
    actions.stepFailure(-1);
    expect(seq()).toBe(seqOf("task_observed"));
  });

  it("follows the tip of a run that goes on, and stands still at the end of one that has ended", () => {
    const live = open(20);
    live.actions.seek(5);
    live.actions.seek(20);
    expect(live.seq()).toBeUndefined();
    const ended = open();
    ended.actions.seek(events.length);
    expect(ended.seq()).toBe(events.length);
  });

  it("plays in the run's own time, passes folded gaps in a moment and stops at the end", () => {
    const { actions, store, seq } = open(events.length, 1);
    actions.togglePlay();
    actions.tick(5_000, []);
    expect(seq()).toBe(events.filter((event) => event.at <= (events[0]?.at ?? 0) + 5_000).length);
    const from = store.getState().at ?? 0;
    actions.tick(400, [{ from, to: from + 100_000 }]);
    expect((store.getState().at ?? 0) - from).toBeCloseTo(100_000, 0);
    actions.tick(10_000_000, []);
    expect(store.getState().playing).toBe(false);
    expect(seq()).toBe(events.length);
    actions.togglePlay();
    expect(seq()).toBe(0);
  });

  it("keeps the speed between a quarter and sixteen times", () => {
    const { actions, store } = open();
    for (let press = 0; press < 9; press++) actions.changeSpeed(1);
    expect(store.getState().speed).toBe(16);
    for (let press = 0; press < 9; press++) actions.changeSpeed(-1);
    expect(store.getState().speed).toBe(0.25);
  });
});

describe("the place in the address", () => {
  const history = createHistory(events);

  it("comes back as it was written", () => {
    const query = placeQuery({ seq: 34, taskId: "pin", dockTab: "table" });
    expect(query).toBe("?t=34&selection=pin&tab=table");
    expect(parsePlace(new URLSearchParams(query), history)).toEqual({ seq: 34, taskId: "pin", dockTab: "table" });
    expect(placeQuery({ seq: undefined, taskId: undefined, dockTab: "timeline" })).toBe("");
  });

  it("leaves out what makes no sense for this run", () => {
    const query = new URLSearchParams("t=-3&selection=__proto__&tab=secrets");
    expect(parsePlace(query, history)).toEqual({});
    expect(parsePlace(new URLSearchParams("t=99999"), history)).toEqual({ seq: events.length });
  });
});
