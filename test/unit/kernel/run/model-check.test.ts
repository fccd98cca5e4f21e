import { describe, expect, it } from "vitest";
import { choices, ENDINGS, JOINS, type Join, labelledDags, type Parents, playEveryEnding } from "./small-plans";

const fail = (plan: unknown, wanted: unknown, found: unknown): void =>
  expect({ plan, ends: found }).toEqual({ plan, ends: wanted });

/** Up to renaming: every edge leads from an earlier task to a later one. */
const isInOrder = (parents: Parents): boolean => parents.every((own, task) => own.every((parent) => parent < task));

/** `EXHAUSTIVE=1`: every labelled graph and every policy in the tests of 4 tasks too, 600,000 plans in two minutes. */
const EXHAUSTIVE = process.env.EXHAUSTIVE === "1";
const OUTCOMES = ENDINGS.slice(0, 4);

describe("R7 every small plan", () => {
  it("ends every plan of up to 3 tasks as the model says: every graph, mix of joins, outcome and failure policy", () => {
    let played = 0;
    for (const size of [1, 2, 3]) {
      for (const parents of labelledDags(size)) {
        for (const joins of choices(JOINS, size)) {
          // Without parents every join is the same.
          if (joins.some((join, task) => parents[task]?.length === 0 && join !== JOINS[0])) continue;
          played += playEveryEnding(parents, joins, ENDINGS, fail);
        }
      }
    }
    expect(played).toBe(26_842);
  });

  it("ends every plan of 4 tasks as the model says: every graph and outcome, one join throughout", () => {
    const graphs = [...labelledDags(4)];
    expect(graphs).toHaveLength(543);
    for (const parents of graphs) {
      for (const join of JOINS) {
        // Every labelled graph under the default join; under the others, every graph up to renaming.
        if (join !== JOINS[0] && !isInOrder(parents) && !EXHAUSTIVE) continue;
        playEveryEnding(parents, [join, join, join, join], OUTCOMES, fail);
      }
    }
  });

  it("ends every plan of 4 tasks as the model says: any join at a sink and another one throughout", () => {
    for (const parents of labelledDags(4)) {
      // A sink with one parent, or none, has been seen among the smaller plans.
      if (!isInOrder(parents) || (parents[3]?.length ?? 0) < 2) continue;
      for (const [inner, last] of choices<Join>(JOINS, 2)) {
        if (inner === undefined || last === undefined || inner === last) continue;
        playEveryEnding(parents, [inner, inner, inner, last], EXHAUSTIVE ? ENDINGS : ENDINGS.slice(0, 3), fail);
      }
    }
  });
});
