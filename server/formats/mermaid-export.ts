import type { Plan, Task } from "#kernel/plan/plan";
import { edgesOf, graphOfPlan } from "#kernel/plan/plan-graph";

/** Ids that Mermaid takes as they are: words joined by single hyphens. Dots and double hyphens are arrows to it. */
const PLAIN_ID = /^[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*$/;
/** An id that begins with one of these words would be read as the statement. */
const KEYWORD =
  /^(?:end|graph|flowchart|subgraph|class|classDef|click|style|linkStyle|default|direction|href|call|interpolate|accTitle|accDescr|TB|TD|BT|RL|LR)(?![A-Za-z0-9_])/i;

/**
 * The plan as a Mermaid flowchart. A solid arrow is `dependsOn`, a dotted one a reference to an output; a hexagon
 * needs an approval. Titles are escaped character by character, so no title can become Mermaid or HTML.
 */
export function exportMermaid(plan: Plan): string {
  const nodeIds = nodeIdsOf(plan.tasks);
  const lines = ["flowchart LR"];
  for (const task of plan.tasks) {
    const label =
      task.title === undefined ? escapeLabel(task.id) : `${escapeLabel(task.title)}<br/>${escapeLabel(task.id)}`;
    const [open, close] = task.approval === undefined ? ["[", "]"] : ["{{", "}}"];
    lines.push(`  ${nodeIds.get(task.id)}${open}"${label}"${close}`);
  }
  for (const edge of edgesOf(graphOfPlan(plan))) {
    lines.push(`  ${nodeIds.get(edge.from)} ${edge.control ? "-->" : "-.->"} ${nodeIds.get(edge.to)}`);
  }
  return `${lines.join("\n")}\n`;
}

/** A task's own id where Mermaid takes it, else `n` and its place, never one that a task already has. */
function nodeIdsOf(tasks: readonly Task[]): Map<string, string> {
  // Versions of Mermaid keep nodes in plain objects, where `constructor` is there before anybody puts it.
  const isPlain = (id: string) => PLAIN_ID.test(id) && !KEYWORD.test(id) && !(id in Object.prototype);
  const taken = new Set<string>(tasks.map((task) => task.id).filter(isPlain));
  return new Map(
    tasks.map((task, index): [string, string] => {
      let nodeId: string = task.id;
      if (!isPlain(task.id)) {
        nodeId = `n${index + 1}`;
        while (taken.has(nodeId)) nodeId += "_";
      }
      taken.add(nodeId);
      return [task.id, nodeId];
    }),
  );
}

/**
 * Everything but letters, digits, blanks and harmless punctuation as a numeric entity, which Mermaid shows as text.
 * At the start, what Markdown would read as a list too.
 */
const escapeLabel = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[^\p{Letter}\p{Mark}\p{Number}\p{Emoji_Presentation} ,.:()_+/=?!'-]/gu, entity)
    .replace(/^(\d+)([.)])|^[+-]/, (start, digits: string | undefined, mark: string | undefined) =>
      digits === undefined || mark === undefined ? entity(start) : digits + entity(mark),
    );

const entity = (character: string): string => `#${character.codePointAt(0)};`;
