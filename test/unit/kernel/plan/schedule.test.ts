import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { durationsOf } from "#kernel/plan/durations";
import { topologicalOrder } from "#kernel/plan/order";
import { graphOfPlan } from "#kernel/plan/plan-graph";
import { analyzePlan, levelsOf, scheduleOf, workerBound } from "#kernel/plan/schedule";
import { simulate } from "#kernel/plan/simulate";
import { largestAntichain } from "#kernel/plan/width";
import { dagArbitrary, type EdgeList, planOfEdges } from "../../../support/kernel/plan-arbitrary";
import { planOf } from "../../../support/kernel/plan-of";

const timedDag = (maxSize: number) =>
  dagArbitrary(maxSize).chain((list) =>
    fc.tuple(fc.constant(list), fc.array(fc.nat(20), { minLength: list.size, maxLength: list.size })),
  );

/** Every path of a small graph, as lists of tasks. */
function allPaths({ size, edges }: EdgeList): number[][] {
  const next = (task: number) => edges.filter(([a]) => a === task).map(([, b]) => b);
  const from = (task: number): number[][] => [
    [task],
    ...next(task)
      .flatMap(from)
      .map((path) => [task, ...path]),
  ];
  return [...Array(size).keys()].flatMap(from);
}

function analyze(list: EdgeList, seconds: readonly number[]) {
  const analysis = analyzePlan(planOfEdges(list, ["control"], { seconds }));
  if (analysis === undefined) throw new Error("the graph has a cycle");
  return analysis;
}

describe("critical path method", () => {
  it("S1 the lower bound is the longest of all paths, and the critical path is one of that length", () => {
    fc.assert(
      fc.property(timedDag(9), ([list, seconds]) => {
        const analysis = analyze(list, seconds);
        const lengthOf = (path: readonly number[]) => path.reduce((sum, task) => sum + (seconds[task] ?? 0), 0);
        const lengths = allPaths(list).map(lengthOf);
        expect(analysis.lowerBound).toBe(Math.max(...lengths));
        const path = analysis.criticalPath.map((id) => Number(id.slice(1)));
        expect(lengthOf(path)).toBe(analysis.lowerBound);
        const edges = new Set(list.edges.map((edge) => edge.join()));
        path.slice(1).forEach((task, at) => {
          expect(edges.has([path[at], task].join())).toBe(true);
        });
        expect(analysis.roots).toContain(analysis.criticalPath[0]);
        expect(analysis.sinks).toContain(analysis.criticalPath.at(-1));
      }),
    );
  });

  it("S2 slack is how much longer a task may take before the plan takes longer", () => {
    fc.assert(
      fc.property(
        timedDag(8).chain(([list, seconds]) =>
          fc.tuple(fc.constant(list), fc.constant(seconds), fc.nat(list.size - 1)),
        ),
        ([list, seconds, task]) => {
          const analysis = analyze(list, seconds);
          const slack = analysis.slack[task] ?? 0;
          const slower = (extra: number) => analyze(list, seconds.with(task, (seconds[task] ?? 0) + extra)).lowerBound;
          expect(slower(slack)).toBe(analysis.lowerBound);
          expect(slower(slack + 1)).toBe(analysis.lowerBound + 1);
          expect(analysis.latestStart[task]).toBe((analysis.earliestStart[task] ?? 0) + slack);
        },
      ),
    );
  });

  it("S3 every task of the critical path has no slack, and rank is the longest way to the end", () => {
    fc.assert(
      fc.property(timedDag(12), ([list, seconds]) => {
        const analysis = analyze(list, seconds);
        for (const id of analysis.criticalPath) expect(analysis.slack[analysis.graph.indexOf.get(id) ?? -1]).toBe(0);
        for (let task = 0; task < list.size; task++) {
          const after = list.edges.filter(([a]) => a === task).map(([, b]) => analysis.rank[b] ?? 0);
          expect(analysis.rank[task]).toBe((seconds[task] ?? 0) + Math.max(0, ...after));
        }
      }),
    );
  });

  it("breaks ties by id, whatever the order of the tasks", () => {
    const tasks = [
      { id: "z", estimate: { seconds: 2 } },
      { id: "b", estimate: { seconds: 2 } },
      { id: "end", estimate: { seconds: 1 }, dependsOn: ["z", "b"] as never },
    ];
    for (const order of [tasks, tasks.toReversed()]) {
      expect(analyzePlan(planOf(order))?.criticalPath).toEqual(["b", "end"]);
    }
  });

  it("answers for plans without tasks, and not for plans with a cycle", () => {
    expect(analyzePlan(planOf([]))).toMatchObject({ work: 0, lowerBound: 0, criticalPath: [], width: 0, levels: [] });
    const cyclic = planOf([
      { id: "a", dependsOn: ["b"] as never },
      { id: "b", dependsOn: ["a"] as never },
    ]);
    expect(analyzePlan(cyclic)).toBeUndefined();
  });

  it("takes durations from what is known best and says from where", () => {
    const plan = planOf([
      { id: "done" },
      { id: "slow" },
      { id: "usual" },
      { id: "said", estimate: { seconds: 9 } },
      { id: "new" },
    ]);
    const durations = durationsOf(plan, {
      actual: new Map([["done", 4]]),
      elapsed: new Map([
        ["slow", 30],
        ["usual", 1],
      ]),
      history: new Map([
        ["slow", 20],
        ["usual", 7],
      ]),
    });
    expect([...durations.seconds]).toEqual([4, 30, 7, 9, 1]);
    expect(durations.sources).toEqual(["actual", "elapsed", "history", "estimate", "default"]);
  });
});

describe("width", () => {
  /** The largest antichain by trying every set of tasks. */
  function widthBySearch({ size, edges }: EdgeList): number {
    const after = new Array<number>(size).fill(0);
    for (let task = size - 1; task >= 0; task--)
      for (const [a, b] of edges) if (a === task) after[task] = (after[task] ?? 0) | (1 << b) | (after[b] ?? 0);
    let best = 0;
    for (let set = 0; set < 1 << size; set++) {
      let ordered = false;
      let count = 0;
      for (let task = 0; task < size; task++) {
        if ((set & (1 << task)) === 0) continue;
        count++;
        if (((after[task] ?? 0) & set) !== 0) ordered = true;
      }
      if (!ordered && count > best) best = count;
    }
    return best;
  }

  it("S4 is the size of the largest set that no path orders, and shows one such set", () => {
    fc.assert(
      fc.property(dagArbitrary(11), (list) => {
        const analysis = analyze(list, []);
        expect(analysis.widthExact).toBe(true);
        expect(analysis.width).toBe(widthBySearch(list));
        expect(new Set(analysis.widest).size).toBe(analysis.width);
        for (const a of analysis.widest)
          for (const b of analysis.widest) {
            if (a === b) continue;
            const paths = allPaths(list).some((path) => `t${path[0]}` === a && `t${path.at(-1)}` === b);
            expect(paths).toBe(false);
          }
      }),
      { numRuns: 300 },
    );
  });

  it("says that the width of a plan above 5,000 tasks is its largest level", () => {
    const size = 5_001;
    const graph = graphOfPlan(planOfEdges({ size, edges: [[0, 1]] }));
    const order = topologicalOrder(graph) ?? new Int32Array();
    const level = scheduleOf(graph, new Float64Array(size), order)?.level ?? new Int32Array();
    const { tasks, exact } = largestAntichain(graph, order, levelsOf(graph, level));
    expect([tasks.length, exact]).toEqual([5_000, false]);
  });

  it("is exact for 5,000 tasks in well under the time anybody waits", () => {
    const size = 5_000;
    const edges: [number, number][] = [];
    let random = 7;
    const next = (below: number) => {
      random = (Math.imul(random, 1_103_515_245) + 12_345) & 0x7fffffff;
      return random % below;
    };
    for (let task = 50; task < size; task++) {
      const parents = new Set([task - 50 + next(40), task - 1 - next(49), Math.max(0, task - 100 - next(100))]);
      for (const parent of parents) if (parent < task) edges.push([parent, task]);
    }
    const started = performance.now();
    const analysis = analyze({ size, edges }, []);
    expect(analysis.widthExact).toBe(true);
    expect(analysis.width).toBeGreaterThan(1);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe("simulate", () => {
  it("S5 starts no task before its parents have ended, and never more at once than there are workers", () => {
    fc.assert(
      fc.property(
        timedDag(12),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom("critical_path" as const, "fifo" as const),
        ([list, seconds], workers, policy) => {
          const { graph, lowerBound, work } = analyze(list, seconds);
          const result = simulate(graph, Float64Array.from(seconds), { workers, policy });
          const at = new Map(result?.schedule.map((entry) => [entry.task, entry]));
          expect(at.size).toBe(list.size);
          for (const [a, b] of list.edges) {
            expect(at.get(`t${b}`)?.start ?? -1).toBeGreaterThanOrEqual(at.get(`t${a}`)?.end ?? 0);
          }
          for (const one of at.values()) {
            expect(one.worker).toBeLessThan(workers);
            for (const other of at.values()) {
              const overlaps = one !== other && one.start < other.end && other.start < one.end;
              if (overlaps) expect(one.worker).not.toBe(other.worker);
            }
          }
          const makespan = result?.makespan ?? -1;
          expect(makespan).toBeGreaterThanOrEqual(workerBound({ lowerBound, work }, workers) - 1e-9);
          expect(makespan).toBeLessThanOrEqual(work / workers + (1 - 1 / workers) * lowerBound + 1e-9);
        },
      ),
    );
  });

  it("with as many workers as tasks takes exactly the lower bound", () => {
    fc.assert(
      fc.property(timedDag(15), ([list, seconds]) => {
        const { graph, lowerBound } = analyze(list, seconds);
        expect(simulate(graph, Float64Array.from(seconds), { workers: list.size })?.makespan).toBe(lowerBound);
      }),
    );
  });

  it("takes the longest remaining path first unless told otherwise", () => {
    const plan = planOf([
      { id: "short", estimate: { seconds: 1 } },
      { id: "other", estimate: { seconds: 1 } },
      { id: "long", estimate: { seconds: 1 } },
      { id: "tail", estimate: { seconds: 5 }, dependsOn: ["long"] as never },
    ]);
    const graph = graphOfPlan(plan);
    const { seconds } = durationsOf(plan);
    expect(simulate(graph, seconds, { workers: 2 })?.makespan).toBe(6);
    expect(simulate(graph, seconds, { workers: 2, policy: "fifo" })?.makespan).toBe(7);
  });

  it("keeps to maxParallel and pools, lets others pass a full pool, and names what can never start", () => {
    const plan = planOf(
      [
        { id: "a", uses: { gpu: 2 }, estimate: { seconds: 4 } },
        { id: "b", uses: { gpu: 1 }, estimate: { seconds: 4 } },
        { id: "c", estimate: { seconds: 2 } },
        { id: "d", uses: { gpu: 3 } },
        { id: "e", dependsOn: ["d"] as never },
      ],
      { pools: { gpu: 2 }, maxParallel: 2 },
    );
    const result = simulate(graphOfPlan(plan), durationsOf(plan).seconds, { workers: 8, plan });
    expect(result?.schedule.map(({ task, start }) => [task, start])).toEqual([
      ["a", 0],
      ["c", 0],
      ["b", 4],
    ]);
    expect(result?.makespan).toBe(8);
    expect(result?.unscheduled).toEqual(["d", "e"]);
  });
});
