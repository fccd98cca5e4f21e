import { describe, expect, it } from "vitest";
import { frameAt } from "#kernel/view/frame";
import { createHistory } from "#kernel/view/history";
import { unionGraph } from "../../../../components/runs/plan-edges";
import { pictureOf } from "../../../../components/runs/run-picture";
import type { Overlay } from "../../../../components/runs/view-store";
import { checkoutErrorSpike } from "../../../support/checkout-error-spike";

const events = checkoutErrorSpike();
const history = createHistory(events);
const revised = events.find((event) => event.type === "plan_revised")?.seq ?? 0;
const at = (seq: number, overlays: readonly Overlay[] = ["diff", "critical"]) =>
  pictureOf(frameAt(history, seq), new Set(overlays));
const node = (seq: number, id: string, overlays?: readonly Overlay[]) =>
  at(seq, overlays).nodes.find((each) => each.id === id);

describe("picture of a moment", () => {
  it("marks what a revision added, changed and took out, the last as a ghost with its old edges", () => {
    expect(node(revised, "pin")?.diff).toBe("added");
    expect(node(revised, "verify")).toMatchObject({ diff: "changed", change: "3m 00s → 5m 00s" });
    expect(node(revised, "rollback")?.diff).toBe("removed");
    const removed = at(revised).edges.filter((edge) => edge.diff === "removed");
    expect(removed.map((edge) => `${edge.from} ${edge.to}`)).toContain("check-schema rollback");
  });

  it("shows no ghost without the diff, and none before the revision", () => {
    expect(node(revised, "rollback", ["critical"])).toBeUndefined();
    expect(node(revised - 1, "pin")).toBeUndefined();
    expect(node(revised - 1, "rollback")?.diff).toBeUndefined();
  });

  it("draws the critical path as a chain of edges", () => {
    const { nodes, edges } = at(10);
    const critical = nodes.filter((each) => each.critical);
    expect(critical.length).toBeGreaterThan(2);
    expect(edges.filter((edge) => edge.critical)).toHaveLength(critical.length - 1);
  });

  it("says what holds a task and for how long, what it took, and how often it was tried", () => {
    const backoff = events.find((event) => event.type === "task_retry_scheduled" && event.taskId === "error-logs")?.seq;
    expect(node(backoff ?? 0, "error-logs")).toMatchObject({ status: "held", hold: "backoff", time: "in 8 s" });
    expect(node(events.length, "verify")).toMatchObject({ status: "succeeded", time: "5m 00s" });
    expect(node(events.length, "check-schema")).toMatchObject({ status: "failed", time: "no retry" });
  });

  it("has an edge only between tasks that are shown", () => {
    for (let seq = 0; seq <= events.length; seq++) {
      const picture = at(seq);
      const ids = new Set(picture.nodes.map((each) => each.id));
      for (const edge of picture.edges) expect(ids.has(edge.from) && ids.has(edge.to)).toBe(true);
    }
  });
});

describe("graph of all revisions", () => {
  it("holds every task that ever was, and has no cycle", () => {
    const { ids, edges } = unionGraph(history.tip);
    expect(ids).toEqual(expect.arrayContaining(["rollback", "pin", "refund-check"]));
    const open = new Map(ids.map((id) => [id, edges.filter((edge) => edge.to === id).length]));
    const queue = ids.filter((id) => open.get(id) === 0);
    for (const id of queue) {
      for (const edge of edges.filter((each) => each.from === id)) {
        const left = (open.get(edge.to) ?? 0) - 1;
        open.set(edge.to, left);
        if (left === 0) queue.push(edge.to);
      }
    }
    expect(queue).toHaveLength(ids.length);
  });
});
