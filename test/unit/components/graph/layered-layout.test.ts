import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CARD_HEIGHT, CARD_WIDTH, type LayoutInput, layeredLayout } from "../../../../components/graph/layered-layout";

const planLike = fc.integer({ min: 2, max: 40 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    edges: fc.uniqueArray(
      fc
        .tuple(fc.nat(count - 1), fc.nat(count - 1))
        .filter(([a, b]) => a !== b)
        .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]),
      { maxLength: 80, selector: ([a, b]) => `${a} ${b}` },
    ),
  }),
);

const inputOf = (count: number, edges: readonly (readonly [number, number])[]): LayoutInput => ({
  count,
  from: Int32Array.from(edges, ([from]) => from),
  to: Int32Array.from(edges, ([, to]) => to),
});

describe("layeredLayout", () => {
  it("puts a task right of everything it waits for", () => {
    fc.assert(
      fc.property(planLike, ({ count, edges }) => {
        const { x } = layeredLayout(inputOf(count, edges));
        for (const [from, to] of edges) expect(x[to]).toBeGreaterThanOrEqual((x[from] ?? 0) + CARD_WIDTH);
      }),
    );
  });

  it("never lets two cards overlap", () => {
    fc.assert(
      fc.property(planLike, ({ count, edges }) => {
        const { x, y } = layeredLayout(inputOf(count, edges));
        let overlaps = 0;
        for (let a = 0; a < count; a++) {
          for (let b = a + 1; b < count; b++) {
            const apartX = Math.abs((x[a] ?? 0) - (x[b] ?? 0));
            const apartY = Math.abs((y[a] ?? 0) - (y[b] ?? 0));
            if (apartX < CARD_WIDTH && apartY < CARD_HEIGHT) overlaps++;
          }
        }
        expect(overlaps).toBe(0);
      }),
    );
  });

  it("leads an edge across every column it passes, and around the cards there", () => {
    fc.assert(
      fc.property(planLike, ({ count, edges }) => {
        const { x, y, layer, routes, routeOffsets } = layeredLayout(inputOf(count, edges));
        let behindCards = 0;
        edges.forEach(([from, to], edge) => {
          const first = routeOffsets[edge] ?? 0;
          const last = routeOffsets[edge + 1] ?? 0;
          expect(last - first).toBe((layer[to] ?? 0) - (layer[from] ?? 0) - 1);
          for (let point = first; point < last; point++) {
            const left = routes[2 * point];
            const height = routes[2 * point + 1] ?? 0;
            for (let task = 0; task < count; task++) {
              if (x[task] !== left) continue;
              if (height > (y[task] ?? 0) && height < (y[task] ?? 0) + CARD_HEIGHT) behindCards++;
            }
          }
        });
        expect(behindCards).toBe(0);
      }),
    );
  });

  it("is deterministic and survives cycles, self edges and an empty plan", () => {
    const cyclic = inputOf(3, [
      [0, 1],
      [1, 2],
      [2, 0],
      [1, 1],
    ]);
    expect(layeredLayout(cyclic)).toEqual(layeredLayout(cyclic));
    expect(layeredLayout(inputOf(0, [])).width).toBe(0);
  });

  it("leaves what survived in place when a task is added", () => {
    fc.assert(
      fc.property(planLike, ({ count, edges }) => {
        const before = layeredLayout(inputOf(count, edges));
        const grown = layeredLayout({
          ...inputOf(count + 1, [...edges, [0, count]]),
          previousX: Float64Array.from([...before.x, Number.NaN]),
          previousY: Float64Array.from([...before.y, Number.NaN]),
        });
        let moved = 0;
        for (let task = 0; task < count; task++) moved += Math.abs((grown.y[task] ?? 0) - (before.y[task] ?? 0));
        // At most the new card's own room is made, somewhere, for the cards of its column.
        expect(moved / count).toBeLessThanOrEqual(CARD_HEIGHT * 2);
      }),
    );
  });

  it("lays out a thousand tasks in well under a second", () => {
    const edges = Array.from({ length: 1_500 }, (_, index): [number, number] => {
      const to = 1 + (index % 999);
      return [Math.floor((to * ((index * 7919) % 97)) / 97), to];
    });
    const started = performance.now();
    layeredLayout(inputOf(1_000, edges));
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
