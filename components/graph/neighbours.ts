import type { PictureEdge, PictureNode } from "./picture";

export type Direction = "left" | "right" | "up" | "down";

/**
 * Where the arrow keys lead from a task: left and right follow edges (to the parent or child nearest in height),
 * up and down go to the next card of about the same column. Undefined at the rim.
 */
export function neighbourOf(
  id: string,
  direction: Direction,
  nodes: readonly PictureNode[],
  edges: readonly PictureEdge[],
): string | undefined {
  const from = nodes.find((node) => node.id === id);
  if (from === undefined) return nodes[0]?.id;
  if (direction === "left" || direction === "right") {
    const joined = new Set(
      edges.flatMap((edge) =>
        direction === "right" ? (edge.from === id ? [edge.to] : []) : edge.to === id ? [edge.from] : [],
      ),
    );
    const candidates = nodes.filter((node) => joined.has(node.id));
    return nearest(candidates, (node) => Math.abs(node.y - from.y) + Math.abs(node.x - from.x) / 4);
  }
  const sign = direction === "down" ? 1 : -1;
  const beyond = nodes.filter((node) => (node.y - from.y) * sign > 1);
  return nearest(beyond, (node) => Math.abs(node.y - from.y) + 3 * Math.abs(node.x - from.x));
}

function nearest(nodes: readonly PictureNode[], distance: (node: PictureNode) => number): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const far = distance(node);
    if (far < bestDistance) {
      best = node.id;
      bestDistance = far;
    }
  }
  return best;
}
