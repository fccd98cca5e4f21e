import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shortestCycles } from "#kernel/plan/cycle";
import { buildGraph, predecessorsOf, successorsOf } from "#kernel/plan/graph";
import { topologicalOrder } from "#kernel/plan/order";
import { wouldCloseCycle } from "#kernel/plan/path";
import { edgesOf, graphOfPlan } from "#kernel/plan/plan-graph";
import { PathFinder, reachabilityOf, reaches } from "#kernel/plan/reachability";
import { readySet } from "#kernel/plan/ready";
import {
  dagArbitrary,
  digraphArbitrary,
  EDGE_FORMS,
  type EdgeList,
  planOfEdges,
  shuffledOrder,
} from "../../../support/kernel/plan-arbitrary";
import { planOf } from "../../../support/kernel/plan-of";

const graphOf = (list: EdgeList) => graphOfPlan(planOfEdges(list));

/** Floyd & Warshall, the slow way: lengths of shortest non-empty paths. */
function distances({ size, edges }: EdgeList): number[][] {
  const d = Array.from({ length: size }, () => new Array<number>(size).fill(Number.POSITIVE_INFINITY));
  for (const [a, b] of edges) (d[a] as number[])[b] = 1;
  for (let k = 0; k < size; k++)
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++) {
        const row = d[i] as number[];
        row[j] = Math.min(row[j] as number, (row[k] as number) + ((d[k] as number[])[j] as number));
      }
  return d;
}

describe("graphOfPlan", () => {
  it("G1 has an edge for each dependency and each reference, in whatever form it is written", () => {
    fc.assert(
      fc.property(
        dagArbitrary(12).chain((list) =>
          fc.tuple(
            fc.constant(list),
            fc.array(fc.constantFrom(...EDGE_FORMS), { minLength: 1 }),
            shuffledOrder(list.size),
          ),
        ),
        ([list, forms, order]) => {
          const graph = graphOfPlan(planOfEdges(list, forms, { order }));
          const found = edgesOf(graph).map(({ from, to }) => `${from}>${to}`);
          expect(found.sort()).toEqual(list.edges.map(([a, b]) => `t${a}>t${b}`).sort());
          for (const { from, to } of edgesOf(graph)) {
            const [a, b] = [graph.indexOf.get(from) ?? -1, graph.indexOf.get(to) ?? -1];
            expect([...successorsOf(graph, a)]).toContain(b);
            expect([...predecessorsOf(graph, b)]).toContain(a);
          }
        },
      ),
    );
  });

  it("G2 knows an edge that is declared and used as both, once", () => {
    const graph = graphOfPlan(
      planOf([
        { id: "a" },
        { id: "b", dependsOn: ["a", "a"] as never, arguments: { x: { $output: "a" }, y: "${a#/v} ${a}" } },
        { id: "c", arguments: { x: { $output: "a" } } },
      ]),
    );
    expect(edgesOf(graph)).toEqual([
      { from: "a", to: "b", control: true, data: true },
      { from: "a", to: "c", control: false, data: true },
    ]);
  });

  it("G3 makes no edge of literals, of items, of statuses and of names that are not there", () => {
    const graph = graphOfPlan(
      planOf([
        { id: "a" },
        { id: "item" },
        {
          id: "b",
          forEach: [1, 2],
          when: { status: "a", is: "failed" } as never,
          dependsOn: ["nobody"] as never,
          arguments: { x: { $literal: { $output: "a" } }, y: "$${a} ${item} ${nobody}", z: "$a {a} a" },
        },
        { id: "c", arguments: { x: "${item}" } },
      ]),
    );
    expect(edgesOf(graph).map(({ from, to }) => [from, to])).toEqual([["item", "c"]]);
  });

  it("takes task ids that are names of prototype members", () => {
    const ids = ["constructor", "toString", "hasOwnProperty", "valueOf", "then", "length"];
    const graph = graphOfPlan(
      planOf(ids.map((id, index) => ({ id, dependsOn: ids.slice(0, index) as never, arguments: {} }))),
    );
    expect(graph.edgeCount).toBe(15);
    expect(readySet(graph, new Set())).toEqual(["constructor"]);
  });
});

describe("topologicalOrder", () => {
  it("G4 orders every graph without cycles, parents first", () => {
    fc.assert(
      fc.property(
        dagArbitrary(30).chain((list) => fc.tuple(fc.constant(list), shuffledOrder(list.size))),
        ([list, places]) => {
          const graph = graphOfPlan(planOfEdges(list, ["control"], { order: places }));
          const order = topologicalOrder(graph);
          expect(order).toBeDefined();
          const position = new Map([...(order ?? [])].map((task, at) => [graph.ids[task], at]));
          expect(position.size).toBe(list.size);
          for (const [a, b] of list.edges) {
            expect(position.get(`t${a}`)).toBeLessThan(position.get(`t${b}`) ?? -1);
          }
        },
      ),
    );
  });

  it("G5 finds no order exactly where there is a cycle, and then names a shortest one for each knot", () => {
    fc.assert(
      fc.property(digraphArbitrary(9), (list) => {
        const graph = graphOf(list);
        const d = distances(list);
        const onCycle = Array.from({ length: list.size }, (_, task) => Number.isFinite(d[task]?.[task]));
        expect(topologicalOrder(graph) === undefined).toBe(onCycle.includes(true));
        const cycles = shortestCycles(graph);
        const edges = new Set(list.edges.map((edge) => edge.join()));
        const knots = new Set<string>();
        for (const cycle of cycles) {
          cycle.forEach((task, at) => {
            expect(edges.has([task, cycle[(at + 1) % cycle.length]].join())).toBe(true);
          });
          expect(new Set(cycle).size).toBe(cycle.length);
          expect(cycle[0]).toBe(Math.min(...cycle));
          const first = cycle[0] as number;
          const knot = onCycle
            .map((_, task) => task)
            .filter((task) => Number.isFinite(d[first]?.[task]) && Number.isFinite(d[task]?.[first]));
          knots.add(knot.join());
          expect(cycle.length).toBe(Math.min(...knot.map((task) => d[task]?.[task] ?? 0)));
        }
        expect(knots.size).toBe(cycles.length);
        const covered = [...knots].flatMap((knot) => knot.split(",").map(Number));
        expect(covered.sort()).toEqual(onCycle.flatMap((is, task) => (is ? [task] : [])).sort());
      }),
      { numRuns: 500 },
    );
  });

  it("finds the one cycle of a chain of 100,000 tasks without running out of stack", () => {
    const size = 100_000;
    const ids = Array.from({ length: size }, (_, task) => `t${task}`);
    const from = Int32Array.from(ids, (_, task) => task);
    const cycles = shortestCycles(
      buildGraph(
        ids,
        from,
        from.map((task) => (task + 1) % size),
      ),
    );
    expect(cycles).toHaveLength(1);
    expect(cycles[0]).toHaveLength(size);
  });
});

describe("paths", () => {
  it("answers like a search of all paths, by closure and by search", () => {
    fc.assert(
      fc.property(dagArbitrary(14), (list) => {
        const graph = graphOf(list);
        const order = topologicalOrder(graph) ?? new Int32Array();
        const d = distances(list);
        const closure = reachabilityOf(graph, order);
        const finder = new PathFinder(graph, order);
        const searcher = new PathFinder(graph, order);
        searcher.closure = () => undefined;
        for (let a = 0; a < list.size; a++)
          for (let b = 0; b < list.size; b++) {
            const expected = Number.isFinite(d[a]?.[b]);
            expect(reaches(closure, a, b)).toBe(expected);
            expect(finder.hasPath(a, b)).toBe(expected);
            expect(searcher.hasPath(a, b)).toBe(expected);
          }
      }),
    );
  });

  it("G6 says which path an edge would close, and lets harmless edges pass", () => {
    fc.assert(
      fc.property(
        dagArbitrary(10).chain((list) => fc.tuple(fc.constant(list), fc.nat(list.size - 1), fc.nat(list.size - 1))),
        ([list, task, dependsOn]) => {
          const path = wouldCloseCycle(graphOf(list), `t${task}`, `t${dependsOn}`);
          const closed = { size: list.size, edges: [...list.edges, [dependsOn, task] as const] };
          const isCyclic = task === dependsOn || topologicalOrder(graphOf(closed)) === undefined;
          expect(path !== undefined).toBe(isCyclic);
          const edges = new Set(list.edges.map(([a, b]) => `t${a}>t${b}`));
          path?.slice(1).forEach((id, at) => {
            expect(edges.has(`${path[at]}>${id}`)).toBe(true);
          });
        },
      ),
    );
  });
});

describe("readySet", () => {
  it("G7 is the tasks that are not done and whose parents all are", () => {
    fc.assert(
      fc.property(
        dagArbitrary(15).chain((list) => fc.tuple(fc.constant(list), fc.subarray([...Array(list.size).keys()]))),
        ([list, done]) => {
          const expected = [...Array(list.size).keys()].filter(
            (task) => !done.includes(task) && list.edges.every(([a, b]) => b !== task || done.includes(a)),
          );
          const ready = readySet(graphOf(list), new Set([...done.map((task) => `t${task}`), "stranger"]));
          expect(ready).toEqual(expected.map((task) => `t${task}`));
        },
      ),
    );
  });
});
