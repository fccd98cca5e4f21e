import { DEFAULT_PLAN_LIMITS } from "#kernel/plan/limits";
import { quote } from "./diagnose";
import { SyntaxStop } from "./dot-tokens";
import { GROUP_DEPTH_MAX } from "./mermaid-header";
import { labelLines, SHAPES } from "./mermaid-shapes";

export interface MermaidNode {
  readonly offset: number;
  label: readonly string[] | undefined;
}

export interface MermaidEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string | undefined;
  readonly offset: number;
  /** Without an arrowhead, or with one at both ends: the drawing says no order. */
  readonly isUndirected: boolean;
}

export interface MermaidGroup {
  readonly offset: number;
  readonly title: string;
  readonly members: Set<string>;
}

export interface MermaidGraph {
  /** Nodes and groups that are ends of edges are not told apart here: an id in `groups` is a group. */
  readonly nodes: ReadonlyMap<string, MermaidNode>;
  readonly groups: ReadonlyMap<string, MermaidGroup>;
  readonly edges: readonly MermaidEdge[];
  readonly invisible: number;
}

/** A whole link: `-->`, `---`, `--o`, `<-->`, `==>`, `-.->`, `~~~`. */
const LINK = /[xo<]?--+[-xo>]|[xo<]?==+[=xo>]|[xo<]?-\.+-[xo>]?|~~~+/y;
/** The first half of a link with words in it: `-- words -->`. */
const LINK_START = /[xo<]?(?:--|==|-\.)/y;
const LINK_ENDS: ReadonlyMap<string, RegExp> = new Map([
  ["--", /--+[-xo>]/g],
  ["==", /==+[=xo>]/g],
  ["-.", /\.+-[xo>]?/g],
]);
const EDGE_ID = /[A-Za-z0-9_]+@(?=[xo<]?(?:--|==|-\.))/y;
/** Ids are words; a hyphen, a dot or an equals sign belongs to one where no link begins with it. */
const NODE_ID = /(?:[^\s[\](){}<>|;,"@:~^&=.\-%]|%(?!%)|-(?![-.>])|=(?!=)|\.(?![-.]))+/y;
const CLASS = /:::[\w-]+/y;
const BLANK = /[^\S\n]+/y;
const SPACE = /[\s;]+/y;
const STYLE = /(?:style|linkStyle|classDef|class|click|href|accTitle|accDescr|direction|title)\b(?![-\w])[^\S\n]*:?/y;
const SUBGRAPH = /subgraph(?=[\s;]|$)/y;
/** `one [Words]`, or words to the end of the statement. */
const GROUP_ID = /[^\s[(;]+[^\S\n]*(?=[[(])/y;
const GROUP_TITLE = /[^;\n]+/y;
const END = /end(?=[\s;]|$)/y;
const FENCE_END = /(?:```|~~~)(?=\s*$)/y;

/**
 * Reads the statements of a Mermaid flowchart: chains of nodes in every shape, links of every kind with or without words,
 * `A & B`, subgraphs, `id@{ … }`. Styles, classes and clicks are stepped over. Our own reader: Mermaid's parser comes
 * with the whole renderer and needs a browser.
 *
 * @throws SyntaxStop at the first thing that is not a flowchart.
 */
export const readFlowchart = (text: string, bodyOffset: number): MermaidGraph => new Reader(text, bodyOffset).read();

/** What closes each opening, as one pattern. */
const CLOSES: ReadonlyMap<string, RegExp> = new Map(
  SHAPES.map(([open, closes]): [string, RegExp] => [
    open,
    new RegExp(closes.map((close) => close.replace(/[^\w]/g, "\\$&")).join("|"), "g"),
  ]),
);

interface Link {
  readonly text: string;
  readonly label: string | undefined;
  readonly offset: number;
}

class Reader {
  readonly #nodes = new Map<string, MermaidNode>();
  readonly #groups = new Map<string, MermaidGroup>();
  readonly #edges: MermaidEdge[] = [];
  readonly #edgeIds = new Set<string>();
  /** The groups that are open, the innermost last. */
  readonly #open: MermaidGroup[] = [];
  /** The group each node was first met in: it stands in no other. */
  readonly #home = new Set<string>();
  #invisible = 0;
  #line = { start: 0, end: -1 };
  #at: number;

  constructor(
    private readonly text: string,
    bodyOffset: number,
  ) {
    this.#at = bodyOffset;
  }

  read(): MermaidGraph {
    for (;;) {
      this.#match(SPACE);
      if (this.#at >= this.text.length) break;
      if (this.text.startsWith("%%", this.#at) || this.#match(FENCE_END) !== undefined) this.#skipLine();
      else this.#readStatement();
    }
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined) throw new SyntaxStop(unclosed.offset, 'The subgraph that begins here has no "end".');
    return { nodes: this.#nodes, groups: this.#groups, edges: this.#edges, invisible: this.#invisible };
  }

  #readStatement(): void {
    const start = this.#at;
    if (this.#match(SUBGRAPH) !== undefined) {
      this.#openGroup(start);
    } else if (this.#match(END) !== undefined) {
      if (this.#open.pop() === undefined) throw new SyntaxStop(start, 'This "end" closes no subgraph.');
      this.#endStatement();
    } else if (this.#isStyle()) {
      // The words of these may hold a semicolon in quotes; a line is the most they take, or braces.
      this.#match(STYLE);
      this.#match(BLANK);
      if (this.text.charAt(this.#at) === "{") this.#skipBraces();
      else this.#skipLine();
    } else {
      this.#readChain();
      this.#endStatement();
    }
  }

  /** A keyword, unless a node is named so: `style --> b`, `class[Class]`. */
  #isStyle(): boolean {
    const start = this.#at;
    const keyword = this.#match(STYLE);
    this.#match(BLANK);
    const isStatement =
      keyword !== undefined && !this.#isLinkNext() && !/[[({]/.test(this.text.charAt(start + keyword.length));
    this.#at = start;
    return (
      isStatement &&
      keyword !== undefined &&
      (/accDescr|accTitle/.test(keyword) || /\s/.test(this.text.charAt(start + keyword.trimEnd().length)))
    );
  }

  #openGroup(offset: number): void {
    if (this.#open.length >= GROUP_DEPTH_MAX) {
      throw new SyntaxStop(
        offset,
        `Subgraphs are nested deeper than ${GROUP_DEPTH_MAX} levels here.`,
        "limit_exceeded",
      );
    }
    this.#match(BLANK);
    let id: string;
    let title: string;
    if (this.text.charAt(this.#at) === '"') {
      title = labelLines(this.#readQuoted()).join(" ");
      id = title;
    } else {
      const named = this.#match(GROUP_ID);
      if (named === undefined) {
        title = (this.#match(GROUP_TITLE) ?? "").trim();
        id = title;
      } else {
        id = named.trim();
        title = labelLines(this.#readShape() ?? id).join(" ");
      }
    }
    const known = this.#groups.get(id);
    const group = known ?? { offset, title, members: new Set<string>() };
    if (id !== "") this.#groups.set(id, group);
    this.#open.push(group);
    if (id !== "") this.#stands(id);
    this.#endStatement();
  }

  #readChain(): void {
    let sources = this.#readGroupOfNodes();
    for (;;) {
      this.#match(BLANK);
      const edgeId = this.#match(EDGE_ID);
      if (edgeId !== undefined) this.#edgeIds.add(edgeId.slice(0, -1));
      const link = this.#readLink();
      if (link === undefined) return;
      this.#match(/\s+/y);
      const targets = this.#readGroupOfNodes();
      this.#join(sources, targets, link);
      sources = targets;
    }
  }

  #join(sources: readonly string[], targets: readonly string[], link: Link): void {
    if (link.text.startsWith("~~~")) {
      this.#invisible += sources.length * targets.length;
      return;
    }
    if (this.#edges.length + sources.length * targets.length > DEFAULT_PLAN_LIMITS.edges) {
      const most = DEFAULT_PLAN_LIMITS.edges.toLocaleString("en-US");
      throw new SyntaxStop(
        link.offset,
        `With the links written here the flowchart has more than ${most}.`,
        "limit_exceeded",
      );
    }
    const pointsBack = /^</.test(link.text);
    const pointsForth = />$/.test(link.text);
    const isReversed = pointsBack && !pointsForth;
    const isUndirected = pointsBack === pointsForth;
    for (const source of sources) {
      for (const target of targets) {
        const [from, to] = isReversed ? [target, source] : [source, target];
        this.#edges.push({ from, to, label: link.label, offset: link.offset, isUndirected });
      }
    }
  }

  /** `A & B & C` */
  #readGroupOfNodes(): string[] {
    const ids: string[] = [];
    for (;;) {
      ids.push(this.#readNode());
      const before = this.#at;
      this.#match(/\s+/y);
      if (this.text.charAt(this.#at) !== "&") {
        this.#at = before;
        return ids;
      }
      this.#at++;
      this.#match(/\s+/y);
    }
  }

  #readNode(): string {
    const offset = this.#at;
    const id = this.#match(NODE_ID);
    if (id === undefined) this.#expected("a node");
    if (this.text.startsWith("@{", this.#at)) {
      const settings = this.#skipBraces();
      if (!this.#edgeIds.has(id)) this.#meet(id, offset, labelOf(settings));
    } else {
      const label = this.#readShape();
      this.#meet(id, offset, label === undefined ? undefined : labelLines(label));
    }
    this.#match(CLASS);
    if (this.text.startsWith("@{", this.#at)) {
      const label = labelOf(this.#skipBraces());
      if (label !== undefined) this.#meet(id, offset, label);
    }
    return id;
  }

  #meet(id: string, offset: number, label: readonly string[] | undefined): void {
    const known = this.#nodes.get(id);
    if (known === undefined) this.#nodes.set(id, { offset, label });
    else if (label !== undefined) known.label = label;
    this.#stands(id);
  }

  /** What is first met within a subgraph stands in it. */
  #stands(id: string): void {
    const group = this.#groups.get(id);
    const home = this.#open.filter((open) => open !== group).at(-1);
    if (home === undefined || this.#home.has(id)) return;
    this.#home.add(id);
    home.members.add(id);
  }

  /** The text of a shape with what opens and closes it taken off; undefined where none follows. */
  #readShape(): string | undefined {
    const start = this.#at;
    const shape = SHAPES.find(([open]) => this.text.startsWith(open, start));
    if (shape === undefined) return undefined;
    const [open, closes] = shape;
    this.#at += open.length;
    const from = this.#at;
    this.#match(/\s+/y);
    if (this.text.charAt(this.#at) === '"') {
      const quoted = this.#readQuoted();
      this.#match(/\s+/y);
      const close = closes.find((candidate) => this.text.startsWith(candidate, this.#at));
      if (close === undefined) this.#expected(`"${closes[0]}"`);
      this.#at += close.length;
      return quoted;
    }
    // One search for whichever closes first: one for each would go to the end of the text for the one that is not there.
    const close = CLOSES.get(open);
    if (close !== undefined) close.lastIndex = from;
    const first = close?.exec(this.text);
    if (first === null || first === undefined) {
      throw new SyntaxStop(start, `The shape that begins here is never closed with "${closes[0]}".`);
    }
    const inside = this.text.slice(from, first.index);
    // A text may go on in the next line, but another shape that opens there says that this one was forgotten.
    if (/\n[^\n]*[[{(]/.test(inside)) {
      throw new SyntaxStop(start, `The shape that begins here is not closed with "${closes[0]}" in its line.`);
    }
    this.#at = first.index + first[0].length;
    return inside;
  }

  /** With its quotes. */
  #readQuoted(): string {
    const start = this.#at;
    const end = this.text.indexOf('"', start + 1);
    if (end === -1) throw new SyntaxStop(start, "The text that begins here is never closed.");
    this.#at = end + 1;
    return this.text.slice(start, end + 1);
  }

  #readLink(): Link | undefined {
    const offset = this.#at;
    const whole = this.#match(LINK);
    if (whole !== undefined) {
      this.#match(BLANK);
      if (this.text.charAt(this.#at) !== "|") return { text: whole, label: undefined, offset };
      const end = this.text.indexOf("|", this.#at + 1);
      if (end === -1) throw new SyntaxStop(this.#at, "The words that begin here are never closed with a bar.");
      const label = labelLines(this.text.slice(this.#at + 1, end)).join(" ");
      this.#at = end + 1;
      return { text: whole, label, offset };
    }
    const start = this.#match(LINK_START);
    if (start === undefined) return undefined;
    const pattern = LINK_ENDS.get(start.slice(-2)) ?? LINK;
    const from = this.#at;
    this.#match(BLANK);
    const isQuoted = this.text.charAt(this.#at) === '"';
    if (isQuoted) this.#readQuoted();
    // Words go to the end of their line at most, unless they are quoted.
    const lineEnd = this.#lineEnd();
    pattern.lastIndex = 0;
    const rest = this.text.slice(this.#at, lineEnd);
    const close = pattern.exec(rest);
    if (close === null) throw new SyntaxStop(offset, "The link that begins here has no second half.");
    const label = labelLines(this.text.slice(from, this.#at + close.index)).join(" ");
    this.#at += close.index + close[0].length;
    return { text: start.slice(0, -2) + close[0], label, offset };
  }

  #isLinkNext(): boolean {
    const start = this.#at;
    const isLink = this.#match(LINK) !== undefined || this.#match(LINK_START) !== undefined;
    this.#at = start;
    return isLink;
  }

  /** `{ … }` with or without the `@` before it; braces within quotes do not count. */
  #skipBraces(): string {
    const start = this.#at;
    let depth = 0;
    for (let at = start; at < this.text.length; at++) {
      const character = this.text.charAt(at);
      if (character === '"') {
        const end = this.text.indexOf('"', at + 1);
        if (end === -1) break;
        at = end;
      } else if (character === "{") depth++;
      else if (character === "}" && --depth === 0) {
        this.#at = at + 1;
        return this.text.slice(start, at + 1);
      }
    }
    throw new SyntaxStop(start, "The braces that open here are never closed.");
  }

  #endStatement(): void {
    this.#match(BLANK);
    const character = this.text.charAt(this.#at);
    if (character === "" || character === "\n" || character === ";" || character === "\r") return;
    if (this.text.startsWith("%%", this.#at)) this.#skipLine();
    else this.#expected("an arrow or the end of the line");
  }

  /** Kept while reading goes on in the line: a line may be as long as the text. */
  #lineEnd(): number {
    if (this.#at < this.#line.start || this.#at > this.#line.end) {
      const end = this.text.indexOf("\n", this.#at);
      this.#line = { start: this.#at, end: end === -1 ? this.text.length : end };
    }
    return this.#line.end;
  }

  #skipLine(): void {
    this.#at = this.#lineEnd();
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.text)?.[0];
    if (match === undefined || match === "") return undefined;
    this.#at += match.length;
    return match;
  }

  #expected(what: string): never {
    const found =
      this.#at >= this.text.length
        ? "the end of the text"
        : quote(this.text.slice(this.#at, this.#at + 12).split("\n", 1)[0] ?? "");
    throw new SyntaxStop(this.#at, `Expected ${what}, found ${found}.`);
  }
}

/** The label among the settings in `@{ shape: rect, label: "…" }`. */
function labelOf(settings: string): string[] | undefined {
  const found = /\blabel\s*:\s*(?:"([^"]*)"|'([^']*)'|([^,}\n]*))/.exec(settings);
  const text = found?.[1] ?? found?.[2] ?? found?.[3];
  return text === undefined ? undefined : labelLines(text);
}
