import { IMPORT_LIMITS } from "./limits";

export interface MermaidHeader {
  /** `flowchart`, or the kind of another diagram. */
  readonly kind: string;
  /** Where the diagram's kind stands, and where its statements begin. */
  readonly offset: number;
  readonly bodyOffset: number;
  readonly title: string | undefined;
}

const FENCE = /^\s*(?:```|~~~)\s*mermaid\s*$/;
const FLOWCHART = /^(\s*)(?:flowchart|graph)(?:-elk|-v2)?(?:[ \t]+(?:TB|TD|BT|RL|LR|>|<|\^|v))?(?=[\s;]|$)/;
const OTHER = /^(\s*)(sequenceDiagram|classDiagram|stateDiagram(?:-v2)?|erDiagram|gitGraph)\s*:?\s*$/;
/** How far a header may begin into the text. */
const LINES_MAX = 500;

/**
 * What stands before the statements: a Markdown fence, front matter between `---` lines, comments, directives, and the
 * kind of the diagram. Undefined where this is no Mermaid.
 */
export function readHeader(text: string): MermaidHeader | undefined {
  let offset = 0;
  let inFrontMatter = false;
  let directive = false;
  let isFirst = true;
  let title: string | undefined;
  for (let lines = 0; lines < LINES_MAX && offset < text.length; lines++) {
    const end = text.indexOf("\n", offset);
    const line = text.slice(offset, Math.min(end === -1 ? text.length : end, offset + 2_000));
    const trimmed = line.trim();
    const next = end === -1 ? text.length : end + 1;
    if (inFrontMatter) {
      if (trimmed === "---") inFrontMatter = false;
      else
        title ??= /^title:\s*(?:"(.*)"|'(.*)'|(.*))$/
          .exec(trimmed)
          ?.slice(1)
          .find((part) => part !== undefined);
    } else if (directive) {
      directive = !trimmed.includes("}%%");
    } else if (isFirst && trimmed === "---") {
      inFrontMatter = true;
      isFirst = false;
    } else if (isFirst && FENCE.test(line)) {
      // Front matter may follow within the fence.
    } else if (trimmed.startsWith("%%{")) {
      directive = !trimmed.includes("}%%");
    } else if (trimmed !== "" && !trimmed.startsWith("%%")) {
      const flowchart = FLOWCHART.exec(line);
      if (flowchart !== null) {
        const start = offset + (flowchart[1]?.length ?? 0);
        return { kind: "flowchart", offset: start, bodyOffset: offset + flowchart[0].length, title };
      }
      const other = OTHER.exec(line);
      if (other === null) return undefined;
      return { kind: other[2] ?? "", offset: offset + (other[1]?.length ?? 0), bodyOffset: next, title };
    }
    if (trimmed !== "" && !FENCE.test(line)) isFirst = false;
    offset = next;
  }
  return undefined;
}

export const GROUP_DEPTH_MAX = IMPORT_LIMITS.depth;
