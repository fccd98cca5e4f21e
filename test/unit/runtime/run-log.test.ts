import { expect, it } from "vitest";
import { type NewRunEvent, personRefSchema, type RunEvent } from "#kernel/run/event";
import { RunLog } from "../../../server/runtime/driver/run-log";
import type { EventLog } from "../../../server/runtime/ports";
import { checkoutErrorSpike } from "../../support/checkout-error-spike";

const BY = personRefSchema.parse({ id: "p1", name: "Engineer" });
const LEASE = { runId: "run", workspaceId: "workspace", epoch: 1 };

/** A log that answers a read only when it is let to, with whatever it holds then. */
function slowLog(events: RunEvent[]) {
  let answer: (() => void) | undefined;
  const written: NewRunEvent[] = [];
  const log: EventLog = {
    async append(_, expectedSeq, added) {
      if (expectedSeq !== events.length) return { status: "conflict", lastSeq: events.length };
      for (const event of added) events.push({ ...event, seq: events.length + 1 });
      written.push(...added);
      return { status: "appended", lastSeq: events.length };
    },
    read: (_, afterSeq = 0) =>
      new Promise((resolve) => {
        answer = () => resolve(events.slice(afterSeq));
      }),
  };
  return { log, written, answer: () => answer?.() };
}

const dispatchOf = (events: readonly RunEvent[]): { before: RunEvent[]; start: NewRunEvent } => {
  const at = events.findIndex((event) => event.type === "task_dispatched");
  const { seq: _, ...start } = events[at] as RunEvent & { type: "task_dispatched" };
  return { before: events.slice(0, at), start };
};

it("never writes, after a cancellation, a start that was recorded while the cancellation was read", async () => {
  const { before, start } = dispatchOf(checkoutErrorSpike());
  const { log, written, answer } = slowLog(before);
  const ours = new RunLog(log, LEASE);
  const folded = ours.refold();
  answer();
  await folded;

  before.push({ type: "run_cancelled", at: start.at, by: BY, seq: before.length + 1 });
  const caughtUp = ours.catchUp();
  ours.record(start);
  answer();
  await caughtUp;
  ours.flush(() => {});
  expect(ours.status).toBe("conflict");

  const again = ours.refold();
  answer();
  await again;
  expect(ours.state.cancelledBy).toEqual(BY);
  expect(ours.settled).toBe(true);
  expect(written).toEqual([]);
});

it("reads on where nothing was recorded meanwhile", async () => {
  const { before } = dispatchOf(checkoutErrorSpike());
  const { log, answer } = slowLog(before);
  const ours = new RunLog(log, LEASE);
  const folded = ours.refold();
  answer();
  await folded;
  before.push({ type: "run_cancelled", at: 1, by: BY, seq: before.length + 1 });
  const caughtUp = ours.catchUp();
  answer();
  await caughtUp;
  expect([ours.status, ours.state.cancelledBy?.id, ours.durableSeq]).toEqual(["current", BY.id, before.length]);
});
