import type { Diagnostic } from "#kernel/plan/diagnostic";
import { DEFAULT_PLAN_LIMITS } from "#kernel/plan/limits";
import { err } from "#kernel/result";
import { count, diagnose } from "./diagnose";
import { SyntaxStop } from "./dot-tokens";
import { type DrawnEdge, type DrawnNode, planOfDrawing } from "./drawing";
import { type MermaidEdge, type MermaidGraph, type MermaidGroup, readFlowchart } from "./mermaid-graph";
import { readHeader } from "./mermaid-header";
import type { PlanFormat } from "./plan-format";
import { createPositionFinder, type Position } from "./position";

/**
 * Mermaid flowcharts, alone or in a Markdown fence: nodes are tasks, arrows edges. A subgraph at the end of an arrow
 * stands for its own ends: the arrow leaves its last nodes, or reaches its first.
 */
export const mermaidFormat: PlanFormat = {
  id: "mermaid",
  title: "Mermaid flowchart",

  detect: ({ text, document }) => document === undefined && readHeader(text) !== undefined,

  import: ({ text, fileName }) => {
    const positionAt = createPositionFinder(text);
    const header = readHeader(text);
    if (header === undefined || header.kind !== "flowchart") {
      const message = `This is a Mermaid ${header?.kind ?? "diagram"}; a plan is read from a flowchart.`;
      return err([diagnose({ code: "schema", message }, positionAt(header?.offset ?? 0))]);
    }
    try {
      const graph = readFlowchart(text, header.bodyOffset);
      const diagnostics: Diagnostic[] = [];
      const nodes = new Map<string, DrawnNode>([...graph.nodes].filter(([id]) => !graph.groups.has(id)));
      const edges = withoutGroups(graph, nodes, { diagnostics, positionAt });
      const undirected = edges.filter((edge) => edge.isUndirected);
      const [first] = undirected;
      if (first !== undefined) {
        const message = `${count(undirected.length, "line")} without an arrowhead, or with one at both ends: read in the order in which they are written.`;
        diagnostics.push(
          diagnose({ code: "not_carried_over", severity: "warning", message }, positionAt(first.offset)),
        );
      }
      const notes = ["Shapes, styles, classes and links to click stay behind."];
      if (graph.groups.size > 0) notes.push(`${count(graph.groups.size, "subgraph")} dissolved: a plan has no groups.`);
      if (graph.invisible > 0)
        notes.push(`${count(graph.invisible, "invisible link")} left out: they only place nodes.`);
      return planOfDrawing(
        mermaidFormat,
        { name: header.title, nodes, edges, diagnostics, notes, positionAt },
        fileName,
      );
    } catch (error) {
      if (!(error instanceof SyntaxStop)) throw error;
      return err([diagnose({ code: error.code, message: error.message }, positionAt(error.offset))]);
    }
  },
};

interface Context {
  readonly diagnostics: Diagnostic[];
  readonly positionAt: (offset: number) => Position;
}

/** Edges between nodes alone. */
function withoutGroups(
  { edges, groups }: MermaidGraph,
  nodes: ReadonlyMap<string, DrawnNode>,
  { diagnostics, positionAt }: Context,
): (DrawnEdge & { readonly isUndirected: boolean })[] {
  const plain = edges.filter(({ from, to }) => !groups.has(from) && !groups.has(to));
  const toGroups = edges.filter(({ from, to }) => groups.has(from) || groups.has(to));
  const [first] = toGroups;
  if (first === undefined) return plain;
  const hasParent = new Map<string, string[]>();
  const hasChild = new Map<string, string[]>();
  for (const { from, to } of plain) {
    hasParent
      .set(to, hasParent.get(to) ?? [])
      .get(to)
      ?.push(from);
    hasChild
      .set(from, hasChild.get(from) ?? [])
      .get(from)
      ?.push(to);
  }
  const membersOf = membersByGroup(groups, nodes);
  const ends = new Map<string, readonly string[]>();
  /** The nodes of a group that nothing in it comes before (or after); all of them where they go in circles. */
  const endsOf = (id: string, side: "first" | "last"): readonly string[] => {
    if (!groups.has(id)) return [id];
    const key = `${side} ${id}`;
    const known = ends.get(key);
    if (known !== undefined) return known;
    const members = membersOf(id);
    const neighbours = side === "first" ? hasParent : hasChild;
    const outer = [...members].filter((member) => !neighbours.get(member)?.some((other) => members.has(other)));
    const found = outer.length > 0 ? outer : [...members];
    ends.set(key, found);
    return found;
  };
  const expanded: MermaidEdge[] = [];
  for (const edge of toGroups) {
    const sources = endsOf(edge.from, "last");
    const targets = endsOf(edge.to, "first");
    if (expanded.length + sources.length * targets.length > DEFAULT_PLAN_LIMITS.edges) {
      throw new SyntaxStop(edge.offset, "The links between subgraphs make too many edges here.", "limit_exceeded");
    }
    if (sources.length === 0 || targets.length === 0) {
      const message = "This link ends at a subgraph without nodes; it is left out.";
      diagnostics.push(diagnose({ code: "missing_dependency", severity: "warning", message }, positionAt(edge.offset)));
    }
    for (const from of sources) for (const to of targets) if (from !== to) expanded.push({ ...edge, from, to });
  }
  const message = `${count(toGroups.length, "link")} of subgraphs: each joins the last nodes of one with the first of the other.`;
  diagnostics.push(diagnose({ code: "not_carried_over", severity: "warning", message }, positionAt(first.offset)));
  return [...plain, ...expanded];
}

/** Nodes within each group, those of the groups in it included. Groups nest at most as deep as the reader lets them. */
function membersByGroup(
  groups: ReadonlyMap<string, MermaidGroup>,
  nodes: ReadonlyMap<string, DrawnNode>,
): (id: string) => ReadonlySet<string> {
  return (id) => {
    const members = new Set<string>();
    const visited = new Set<string>();
    const open = [id];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (visited.has(next)) continue;
      visited.add(next);
      const group = groups.get(next);
      if (group !== undefined) for (const member of group.members) open.push(member);
      else if (nodes.has(next)) members.add(next);
    }
    return members;
  };
}
