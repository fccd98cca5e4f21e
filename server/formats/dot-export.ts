import type { Plan } from "#kernel/plan/plan";
import { edgesOf, graphOfPlan } from "#kernel/plan/plan-graph";

/**
 * The plan as a Graphviz digraph. A solid edge is `dependsOn`, a dashed one a reference to an output; a double border
 * needs an approval. Every name is a quoted string, never an HTML label.
 */
export function exportDot(plan: Plan): string {
  const lines = [
    `digraph ${quoted(plan.name)} {`,
    "  rankdir=LR;",
    '  node [shape=box, style=rounded, fontname="sans-serif"];',
  ];
  for (const task of plan.tasks) {
    const label = task.title === undefined ? task.id : `${task.title}\n${task.id}`;
    lines.push(`  ${quoted(task.id)} [label=${quoted(label)}${task.approval === undefined ? "" : ", peripheries=2"}];`);
  }
  for (const edge of edgesOf(graphOfPlan(plan))) {
    lines.push(`  ${quoted(edge.from)} -> ${quoted(edge.to)}${edge.control ? "" : " [style=dashed]"};`);
  }
  return `${[...lines, "}"].join("\n")}\n`;
}

/** A DOT string. A backslash would begin an escape such as `\N` in a label, so it is doubled. */
const quoted = (text: string): string =>
  `"${text
    .replace(/\r\n?/g, "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, " ")
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")}"`;
