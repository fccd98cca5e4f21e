import fc from "fast-check";
import type { JsonValue } from "#kernel/json";
import type { Plan } from "#kernel/plan/plan";
import { planOf } from "./plan-of";

/** A graph as edge list over 0..size-1, edges distinct. */
export interface EdgeList {
  readonly size: number;
  readonly edges: readonly (readonly [number, number])[];
}

const distinct = (edges: readonly (readonly [number, number])[]): (readonly [number, number])[] => [
  ...new Map(edges.map((edge) => [edge.join(), edge])).values(),
];

/** Acyclic by construction: every edge leads from a smaller to a larger number. */
export const dagArbitrary = (maxSize: number): fc.Arbitrary<EdgeList> =>
  fc.integer({ min: 1, max: maxSize }).chain((size) =>
    fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: size * 3 }).map((pairs) => ({
      size,
      edges: distinct(pairs.filter(([a, b]) => a !== b).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)),
    })),
  );

/** Any directed graph without self-edges, cycles included. */
export const digraphArbitrary = (maxSize: number): fc.Arbitrary<EdgeList> =>
  fc
    .integer({ min: 1, max: maxSize })
    .chain((size) =>
      fc
        .array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: size * 2 })
        .map((pairs) => ({ size, edges: distinct(pairs.filter(([a, b]) => a !== b)) })),
    );

/** How a plan may say that one task needs another. */
export const EDGE_FORMS = ["control", "output", "text", "key", "when", "forEach"] as const;
export type EdgeForm = (typeof EDGE_FORMS)[number];

/** A plan with the edges of a graph, each written in one of the forms; the tasks stand in a shuffled order. */
export function planOfEdges(
  { size, edges }: EdgeList,
  forms: readonly EdgeForm[] = ["control"],
  { order = [], seconds = [] }: { order?: readonly number[]; seconds?: readonly number[] } = {},
): Plan {
  const incoming: { from: number; edge: number }[][] = Array.from({ length: size }, () => []);
  edges.forEach(([from, to], edge) => {
    incoming[to]?.push({ from, edge });
  });
  const places = order.length === size ? order : Array.from({ length: size }, (_, index) => index);
  return planOf(
    places.map((task) => {
      const dependsOn: string[] = [];
      const taskArguments: Record<string, JsonValue> = {};
      const conditions: { value: JsonValue; exists: boolean }[] = [];
      let forEach: JsonValue = null;
      for (const { from, edge } of incoming[task] ?? []) {
        const id = `t${from}`;
        let form = forms[edge % forms.length] as EdgeForm;
        if (form === "forEach" && forEach !== null) form = "output";
        if (form === "control") dependsOn.push(id);
        else if (form === "output") taskArguments[`a${edge}`] = { nested: [{ $output: `${id}#/value/0` }] };
        else if (form === "text") taskArguments[`a${edge}`] = `before \${${id}#/value} after $\${${id}}`;
        else if (form === "key") taskArguments[`a${edge}`] = { [`\${${id}}`]: 1 };
        else if (form === "when") conditions.push({ value: { $output: id }, exists: true });
        else forEach = { $output: `${id}#/value` };
      }
      return {
        id: `t${task}`,
        dependsOn: dependsOn as never,
        arguments: taskArguments,
        ...(conditions.length > 0 ? { when: { all: conditions } } : {}),
        ...(forEach === null ? {} : { forEach }),
        ...(seconds[task] === undefined ? {} : { estimate: { seconds: seconds[task] } }),
      };
    }),
  );
}

export const shuffledOrder = (size: number): fc.Arbitrary<number[]> =>
  fc.shuffledSubarray(
    Array.from({ length: size }, (_, index) => index),
    { minLength: size, maxLength: size },
  );
