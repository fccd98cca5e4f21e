import type { JsonValue } from "#kernel/json";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { DEFAULT_PLAN_LIMITS } from "#kernel/plan/limits";
import { err, type Result } from "#kernel/result";
import { count, diagnose, quote } from "./diagnose";
import { finishImport } from "./finish-import";
import { Placeholders } from "./placeholders";
import type { ImportedPlan, PlanFormat } from "./plan-format";
import type { Position } from "./position";
import { WAIT_CAPABILITY, waitArguments } from "./recorded-duration";
import { TaskNames } from "./task-names";

/** What stands in a drawing, in the order in which it is first met. */
export interface Drawing {
  readonly name?: string | undefined;
  readonly nodes: ReadonlyMap<string, DrawnNode>;
  readonly edges: readonly DrawnEdge[];
  readonly diagnostics: readonly Diagnostic[];
  readonly notes: readonly string[];
  readonly positionAt: (offset: number) => Position;
}

export interface DrawnNode {
  readonly offset: number;
  /** The lines of its label; none where it has none of its own. */
  readonly label?: readonly string[] | undefined;
}

export interface DrawnEdge {
  readonly from: string;
  readonly to: string;
  readonly label?: string | undefined;
  readonly offset: number;
}

/** The tool of every node of a drawing: it says what is done in words, not what does it. */
const DRAWN_STEP = "drawn.step";
const SECONDS = /^\s*\((\d{1,8}(?:\.\d{1,6})?)\)$/;

/**
 * A drawing as a plan: nodes are tasks, arrows are edges. Nodes named only with their duration (`7 (9)`) become waits, as
 * task graphs do elsewhere; any other node is a placeholder with its words as the title.
 */
export function planOfDrawing(
  format: Pick<PlanFormat, "id" | "title">,
  drawing: Drawing,
  fileName: string | undefined,
): Result<ImportedPlan, Diagnostic[]> {
  const { positionAt } = drawing;
  if (drawing.edges.length > DEFAULT_PLAN_LIMITS.edges) {
    const message = `The drawing has more than ${count(DEFAULT_PLAN_LIMITS.edges, "edge")}.`;
    return err([diagnose({ code: "limit_exceeded", message }, positionAt(drawing.edges.at(-1)?.offset ?? 0))]);
  }
  const nodes = [...drawing.nodes].map(([nodeId, node]) => ({ nodeId, ...node, ...readLabel(nodeId, node.label) }));
  const foreignIds = claimIds(nodes);
  const names = new TaskNames(foreignIds.values());
  const idOf = (nodeId: string): string => names.idFor(foreignIds.get(nodeId) ?? nodeId);
  const parents = new Map<string, Map<string, DrawnEdge>>();
  const branches = new Map<string, string[]>();
  const labelled: DrawnEdge[] = [];
  const titles = new Map<string, string>();
  for (const edge of drawing.edges) {
    const known = parents.get(edge.to) ?? new Map<string, DrawnEdge>();
    parents.set(edge.to, known);
    if (!known.has(edge.from)) known.set(edge.from, edge);
    if (edge.label === undefined || edge.label === "") continue;
    labelled.push(edge);
    const title = titles.get(edge.from) ?? quote(drawing.nodes.get(edge.from)?.label?.join(" ") ?? edge.from, 100);
    titles.set(edge.from, title);
    const lines = branches.get(edge.to) ?? [];
    branches.set(edge.to, lines);
    if (lines.length < 20) lines.push(`After ${title}: ${edge.label.slice(0, 300)}`);
  }
  const diagnostics = [...drawing.diagnostics];
  const [first] = labelled;
  if (first !== undefined) {
    const message = `${count(labelled.length, "edge")} with a label: the words stand in the notes of the task behind; where they decide whether it runs, give it a condition.`;
    diagnostics.push(diagnose({ code: "not_carried_over", severity: "warning", message }, positionAt(first.offset)));
  }
  const placeholders = new Placeholders();
  const areWaits = nodes.length > 0 && nodes.every(({ seconds }) => seconds !== undefined);
  const edgesOf = nodes.map(({ nodeId }) => [...(parents.get(nodeId)?.values() ?? [])]);
  return finishImport({
    format,
    name: drawing.name,
    fileName,
    tasks: nodes.map(({ nodeId, title, seconds }, index): JsonValue => {
      const id = idOf(nodeId);
      const notes = branches.get(nodeId)?.join("\n");
      const shown = title ?? (id === nodeId ? undefined : nodeId);
      return {
        id,
        ...(shown === undefined || shown === "" ? {} : { title: shown.slice(0, 1_000) }),
        capability: areWaits ? WAIT_CAPABILITY : placeholders.nameFor(DRAWN_STEP),
        arguments: areWaits ? waitArguments(seconds ?? 0) : {},
        dependsOn: edgesOf[index]?.map(({ from }) => idOf(from)) ?? [],
        ...(seconds === undefined ? {} : { estimate: { seconds: Math.min(seconds, 31_536_000) } }),
        ...(notes === undefined ? {} : { notes: notes.slice(0, 10_000) }),
      };
    }),
    diagnostics,
    renamed: names.renamed,
    placeholders,
    notes: areWaits ? [...drawing.notes, "The tasks do nothing but wait as long as their label says."] : drawing.notes,
    locate: (pointers) =>
      new Map(
        [...pointers].map((pointer): [string, Position] => {
          const [, index, dependency] = /^\/tasks\/(\d+)(?:\/dependsOn\/(\d+))?/.exec(pointer) ?? [];
          const edge = dependency === undefined ? undefined : edgesOf[Number(index)]?.[Number(dependency)];
          const node = index === undefined ? undefined : nodes[Number(index)];
          return [pointer, positionAt(edge?.offset ?? node?.offset ?? 0)];
        }),
      ),
  });
}

interface Read {
  readonly title?: string;
  readonly seconds?: number;
  /** The id that our own exporter wrote under the title, where the drawing could not use it as the node's. */
  readonly taskId?: string;
}

/** `id (9)` holds a duration; a last line that is an id is how the exporters here write a task with a title. */
function readLabel(nodeId: string, label: readonly string[] | undefined): Read {
  const last = label?.at(-1)?.trim();
  if (label === undefined || last === undefined) return {};
  const timed = label.length === 1 && last.startsWith(nodeId) ? SECONDS.exec(last.slice(nodeId.length)) : null;
  if (timed !== null) return { seconds: Number(timed[1]) };
  const stands = /^n\d+_*$/.test(nodeId) && /^[A-Za-z0-9][\w.-]*$/.test(last) ? last : undefined;
  const lines = last === nodeId || stands !== undefined ? label.slice(0, -1) : label;
  const title = lines
    .map((line) => line.trim())
    .join(" ")
    .trim();
  return { ...(title === "" ? {} : { title }), ...(stands === undefined ? {} : { taskId: stands }) };
}

/** The id each node goes by: its own, or the one under its title where no node is named so. */
function claimIds(nodes: readonly (Read & { readonly nodeId: string })[]): Map<string, string> {
  const taken = new Set(nodes.map(({ nodeId }) => nodeId));
  const ids = new Map<string, string>();
  for (const { nodeId, taskId } of nodes) {
    const id = taskId === undefined || taken.has(taskId) ? nodeId : taskId;
    taken.add(id);
    ids.set(nodeId, id);
  }
  return ids;
}
