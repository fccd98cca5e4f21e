import { err } from "#kernel/result";
import { count, diagnose } from "./diagnose";
import { readDot } from "./dot-graph";
import { type DotToken, SyntaxStop } from "./dot-tokens";
import { type DrawnEdge, type DrawnNode, planOfDrawing } from "./drawing";
import type { PlanFormat } from "./plan-format";
import { createPositionFinder } from "./position";

/** Comments, then `digraph {`, `strict graph name {`. */
const START =
  /^(?:\s|\/\/[^\n]*\n|#[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:strict\s+)?(?:di)?graph\s*(?:[\w.]+|"(?:[^"\\]|\\[\s\S])*")?\s*\{/i;

/** Graphviz DOT: nodes are tasks, arrows edges. How it is drawn (ranks, colours, ports, clusters) stays behind. */
export const dotFormat: PlanFormat = {
  id: "dot",
  title: "Graphviz DOT",

  detect: ({ text, document }) => document === undefined && START.test(text.trimStart().slice(0, 5_000)),

  import: ({ text, fileName }) => {
    const positionAt = createPositionFinder(text);
    try {
      const graph = readDot(text);
      const diagnostics = [];
      const nodes = new Map<string, DrawnNode>();
      for (const [id, { offset, attributes }] of graph.nodes) {
        nodes.set(id, { offset, label: linesOf(attributes.get("label"), id) });
      }
      const edges: DrawnEdge[] = [];
      const labels = new Map<DotToken, string>();
      let invisible = 0;
      for (const { from, to, offset, attributes } of graph.edges) {
        if (/\binvis\b/.test(attributes.get("style")?.text ?? "")) {
          invisible++;
          continue;
        }
        const token = attributes.get("label") ?? attributes.get("xlabel");
        // One label may stand on a million edges.
        const label = token === undefined ? undefined : (labels.get(token) ?? linesOf(token, "")?.join(" "));
        if (token !== undefined && label !== undefined) labels.set(token, label);
        const isBack = attributes.get("dir")?.text === "back";
        edges.push({ from: isBack ? to : from, to: isBack ? from : to, label, offset });
      }
      const [first] = graph.edges;
      if (!graph.directed && first !== undefined) {
        const message = "The graph is undirected and says no order; its edges are read from left to right.";
        diagnostics.push(
          diagnose({ code: "not_carried_over", severity: "warning", message }, positionAt(first.offset)),
        );
      }
      const notes = ["Shapes, colours, ranks and ports stay behind."];
      if (graph.clusters > 0) notes.push(`${count(graph.clusters, "cluster")} dissolved: a plan has no groups.`);
      if (invisible > 0) notes.push(`${count(invisible, "invisible edge")} left out: they only place nodes.`);
      const name = linesOf(graph.attributes.get("label"), "")?.join(" ") ?? graph.name;
      return planOfDrawing(dotFormat, { name, nodes, edges, diagnostics, notes, positionAt }, fileName);
    } catch (error) {
      if (!(error instanceof SyntaxStop)) throw error;
      return err([diagnose({ code: error.code, message: error.message }, positionAt(error.offset))]);
    }
  },
};

/** The lines of a label: `\n`, `\l` and `\r` end one, `\N` is the node's own name. */
function linesOf(token: DotToken | undefined, nodeId: string): string[] | undefined {
  if (token === undefined) return undefined;
  if (token.html === true) {
    const words = token.text
      .replace(/<br\b[^<>]*>/gi, "\n")
      .replace(/<[^<>]*>/g, " ")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&");
    return words.split("\n").map((line) => line.replace(/\s+/g, " ").trim());
  }
  const text = token.text.replace(/\\([\s\S])/g, (whole: string, escaped: string) => {
    if (escaped === "n" || escaped === "l" || escaped === "r") return "\n";
    if (escaped === "N") return nodeId;
    return escaped === "\\" ? "\\" : /[GETHL]/.test(escaped) ? "" : whole.slice(1);
  });
  return text.split("\n").filter((line, index, all) => line !== "" || index < all.length - 1);
}
