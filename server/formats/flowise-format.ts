import { formatPointer, getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { err } from "#kernel/result";
import { count, diagnose, quote } from "./diagnose";
import { finishImport, placeDiagnostics } from "./finish-import";
import { locateThrough } from "./locate-through";
import { Placeholders } from "./placeholders";
import type { PlanFormat } from "./plan-format";
import { asLiteral } from "./reference-text";
import { TaskNames } from "./task-names";

interface FlowNode {
  readonly node: JsonObject;
  readonly data: JsonObject;
  readonly id: string;
  readonly index: number;
}

/**
 * Flows of Flowise (agentflows and chatflows): every node but a note is a task that calls its component, every edge a
 * dependency. A loop node goes back to an earlier one, which no plan can; the way back is marked and left out.
 */
export const flowiseFormat: PlanFormat = {
  id: "flowise",
  title: "Flowise flow",

  detect: ({ document }) => {
    if (!isJsonObject(document?.value) || !Array.isArray(getOwn(document.value, "edges"))) return false;
    const nodes = getOwn(document.value, "nodes");
    return Array.isArray(nodes) && nodes.length > 0 && nodes.every(isFlowNode);
  },

  import: ({ document, fileName }) => {
    const root = document?.value;
    const listed = isJsonObject(root) ? getOwn(root, "nodes") : undefined;
    if (document === undefined || !isJsonObject(root) || !Array.isArray(listed)) {
      return err([diagnose({ code: "syntax", message: "A Flowise flow is JSON." })]);
    }
    const locateSource = (pointers: Iterable<string>) => document.locate(pointers);
    const all: readonly JsonValue[] = listed;
    const nodes = all.flatMap((node, index) => flowNode(node, index));
    const names = new TaskNames(nodes.map(({ id }) => id));
    const edges = readEdges(getOwn(root, "edges"), nodes);
    if (edges.errors.length > 0) return err(placeDiagnostics(edges.errors, locateSource));
    const placeholders = new Placeholders();
    const notes = all.length - nodes.length;
    return finishImport({
      format: flowiseFormat,
      name: textOf(root, "name"),
      objective: textOf(root, "description"),
      fileName,
      tasks: nodes.map(({ node, data, id }): JsonValue => {
        const position = getOwn(node, "position");
        const x = isJsonObject(position) ? getOwn(position, "x") : undefined;
        const y = isJsonObject(position) ? getOwn(position, "y") : undefined;
        return {
          id: names.idFor(id),
          title: (textOf(data, "label") ?? id).slice(0, 1_000),
          capability: placeholders.nameFor(textOf(data, "name") ?? ""),
          arguments: asLiteral(getOwn(data, "inputs") ?? {}),
          dependsOn: (edges.parents.get(id) ?? []).map(({ source }) => names.idFor(source)),
          ...(typeof x === "number" && typeof y === "number" ? { position: { x, y } } : {}),
        };
      }),
      diagnostics: placeDiagnostics([...edges.diagnostics, ...loops(nodes, names)], locateSource),
      renamed: names.renamed,
      placeholders,
      notes: [
        "Variables ({{ … }}) come across as text; give the tasks references instead.",
        ...(notes > 0 ? [`${count(notes, "sticky note")} left out.`] : []),
      ],
      locate: locateThrough(document, (pointer) => {
        const [, index, key = ""] = /^\/tasks\/(\d+)(?:\/([^/]+))?/.exec(pointer) ?? [];
        const node = index === undefined ? undefined : nodes[Number(index)];
        if (node === undefined) return "";
        const dependency = /\/dependsOn\/(\d+)$/.exec(pointer)?.[1];
        const edge = dependency === undefined ? undefined : edges.parents.get(node.id)?.[Number(dependency)];
        if (edge !== undefined) return edge.pointer;
        const source = { title: ["data", "label"], capability: ["data", "name"], arguments: ["data", "inputs"] }[key];
        return formatPointer(["nodes", node.index, ...(source ?? [])]);
      }),
    });
  },
};

const textOf = (object: JsonObject, key: string): string | undefined => {
  const value = getOwn(object, key);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
};

function isFlowNode(node: JsonValue): boolean {
  const data = isJsonObject(node) ? getOwn(node, "data") : undefined;
  return (
    isJsonObject(node) &&
    typeof getOwn(node, "id") === "string" &&
    isJsonObject(data) &&
    textOf(data, "name") !== undefined
  );
}

function flowNode(node: JsonValue, index: number): FlowNode[] {
  if (!isJsonObject(node)) return [];
  const data = getOwn(node, "data");
  const id = textOf(node, "id");
  if (!isJsonObject(data) || id === undefined) return [];
  const isNote = getOwn(node, "type") === "stickyNote" || /^stickyNote/.test(textOf(data, "name") ?? "");
  return isNote ? [] : [{ node, data, id, index }];
}

interface Edges {
  readonly parents: ReadonlyMap<string, readonly { readonly source: string; readonly pointer: string }[]>;
  readonly diagnostics: readonly Diagnostic[];
  /** Not empty where edges are given and none joins two nodes. */
  readonly errors: readonly Diagnostic[];
}

function readEdges(value: JsonValue | undefined, nodes: readonly FlowNode[]): Edges {
  const labels = new Map(nodes.map(({ id, data }) => [id, textOf(data, "label") ?? id]));
  const parents = new Map<string, { source: string; pointer: string }[]>();
  const seen = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const dangling: Diagnostic[] = [];
  for (const [index, edge] of (Array.isArray(value) ? value : []).entries()) {
    const pointer = `/edges/${index}`;
    const [source = "", target = ""] = ["source", "target"].map((key) =>
      isJsonObject(edge) ? textOf(edge, key) : undefined,
    );
    const missing = [source, target].find((id) => !labels.has(id));
    if (missing !== undefined) {
      const message = `The edge joins ${quote(missing)}, which is no node of this flow; it is left out.`;
      dangling.push(diagnose({ code: "missing_dependency", severity: "warning", pointer, message }));
      continue;
    }
    const branch = isJsonObject(edge) && isJsonObject(edge.data) ? getOwn(edge.data, "edgeLabel") : undefined;
    if (typeof branch === "string" && branch !== "") {
      const message = `${quote(labels.get(target) ?? target)} follows the branch ${quote(branch)} of ${quote(labels.get(source) ?? source)}; here it runs whichever way that decides. Give it a condition.`;
      diagnostics.push(diagnose({ code: "not_carried_over", severity: "warning", pointer, message }));
    }
    const key = JSON.stringify([source, target]);
    if (seen.has(key)) continue;
    seen.add(key);
    const list = parents.get(target);
    if (list === undefined) parents.set(target, [{ source, pointer }]);
    else list.push({ source, pointer });
  }
  const errors = seen.size > 0 ? [] : dangling.map((problem): Diagnostic => ({ ...problem, severity: "error" }));
  return { parents, diagnostics: [...diagnostics, ...dangling], errors };
}

/** Loop nodes name the node to go back to as `id-label`. */
function loops(nodes: readonly FlowNode[], names: TaskNames): Diagnostic[] {
  const byName = new Map(
    nodes.flatMap((node): [string, FlowNode][] => [
      [node.id, node],
      [`${node.id}-${textOf(node.data, "label") ?? ""}`, node],
    ]),
  );
  return nodes.flatMap(({ data, id, index }): Diagnostic[] => {
    const inputs = getOwn(data, "inputs");
    const back = isJsonObject(inputs) ? textOf(inputs, "loopBackToNode") : undefined;
    if (back === undefined || !isJsonObject(inputs)) return [];
    const target = byName.get(back);
    const most = getOwn(inputs, "maxLoopCount");
    const times =
      typeof most === "number" || (typeof most === "string" && most !== "") ? `, at most ${most} times` : "";
    const place = target === undefined ? quote(back) : quote(textOf(target.data, "label") ?? target.id);
    return [
      diagnose({
        code: "cycle",
        severity: "warning",
        pointer: `/nodes/${index}`,
        taskId: names.idFor(id),
        message: `${quote(textOf(data, "label") ?? id)} goes back to ${place}${times}: a cycle, which a plan cannot hold; the way back is left out.`,
        related: target === undefined ? [] : [{ pointer: `/nodes/${target.index}`, taskId: names.idFor(target.id) }],
      }),
    ];
  });
}
