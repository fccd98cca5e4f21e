import fc from "fast-check";
import { expect, test } from "vitest";
import { formatPosition, resumePositions } from "../../../server/trpc/stream-position";

const positions = fc.uniqueArray(fc.tuple(fc.uuid(), fc.nat()), { selector: ([runId]) => runId });

test("a stream goes on from exactly where its last message stood", () => {
  fc.assert(
    fc.property(positions, (pairs) => {
      const asked = pairs.map(([runId]) => ({ runId, afterSeq: 0 }));
      const resumed = resumePositions(asked, formatPosition(new Map(pairs)));
      expect([...resumed]).toEqual(pairs);
    }),
  );
});

test("an id that somebody made up moves no position to a place that is none, and adds no run", () => {
  fc.assert(
    fc.property(positions, fc.string(), (pairs, made) => {
      const asked = pairs.map(([runId, afterSeq]) => ({ runId, afterSeq }));
      const resumed = resumePositions(asked, made);
      expect([...resumed.keys()]).toEqual(pairs.map(([runId]) => runId));
      for (const seq of resumed.values()) expect(Number.isSafeInteger(seq) && seq >= 0).toBe(true);
    }),
  );
});

test("without an id the stream begins where it was asked to", () => {
  expect([...resumePositions([{ runId: "a", afterSeq: 7 }], undefined)]).toEqual([["a", 7]]);
});
