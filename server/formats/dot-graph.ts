import { DEFAULT_PLAN_LIMITS } from "#kernel/plan/limits";
import { quote } from "./diagnose";
import { type DotToken, DotTokens, SyntaxStop } from "./dot-tokens";
import { IMPORT_LIMITS } from "./limits";

export interface DotEdge {
  readonly from: string;
  readonly to: string;
  readonly offset: number;
  readonly attributes: ReadonlyMap<string, DotToken>;
}

export interface DotGraph {
  readonly directed: boolean;
  readonly name: string | undefined;
  /** Attributes of the graph itself. */
  readonly attributes: ReadonlyMap<string, DotToken>;
  readonly nodes: ReadonlyMap<string, { readonly offset: number; readonly attributes: ReadonlyMap<string, DotToken> }>;
  readonly edges: readonly DotEdge[];
  /** Subgraphs that are drawn as a box. */
  readonly clusters: number;
}

/**
 * Reads the DOT language whole (https://graphviz.org/doc/info/lang.html): ports, chains, subgraphs as either end of an
 * edge, joined texts, comments. Our own reader, since the libraries for it stop at valid files (a subgraph before an
 * arrow) and name no place within limits.
 *
 * @throws SyntaxStop at the first thing that is not DOT.
 */
export const readDot = (text: string): DotGraph => new DotReader(text).read();

interface Attributed {
  readonly offset: number;
  readonly attributes: Map<string, DotToken>;
}

class DotReader {
  readonly #tokens: DotTokens;
  readonly #nodes = new Map<string, Attributed>();
  readonly #edges: DotEdge[] = [];
  readonly #attributes = new Map<string, DotToken>();
  #directed = true;
  #clusters = 0;
  readonly #subgraphs = new Map<string, Set<string>>();
  #copied = 0;

  constructor(text: string) {
    this.#tokens = new DotTokens(text);
  }

  read(): DotGraph {
    const tokens = this.#tokens;
    if (tokens.isWord("strict")) tokens.take();
    this.#directed = tokens.isWord("digraph");
    if (!this.#directed && !tokens.isWord("graph")) this.#expected("digraph");
    tokens.take();
    const name = tokens.next.kind === "id" ? this.#readId().text : undefined;
    this.#open();
    this.#readStatements(0, new Set(), new Map());
    const { next } = tokens;
    if (next.kind !== "end") {
      const isGraph = ["strict", "digraph", "graph"].some((word) => tokens.isWord(word));
      throw new SyntaxStop(
        next.offset,
        isGraph
          ? "A second graph begins here; a file holds one plan."
          : `The text goes on after its end: found ${quote(next.text, 20)}.`,
      );
    }
    return {
      directed: this.#directed,
      name,
      attributes: this.#attributes,
      nodes: this.#nodes,
      edges: this.#edges,
      clusters: this.#clusters,
    };
  }

  #open(): void {
    if (!this.#tokens.skipMark("{")) this.#expected("{");
  }

  /** Up to and over the closing brace; every node that is met is put into `members`. */
  #readStatements(depth: number, members: Set<string>, inherited: EdgeDefaults): void {
    const tokens = this.#tokens;
    let defaults = inherited;
    for (;;) {
      if (tokens.skipMark("}")) return;
      if (tokens.skipMark(";") || tokens.skipMark(",")) continue;
      if (tokens.isWord("graph") || tokens.isWord("node") || tokens.isWord("edge")) {
        const kind = tokens.take().text.toLowerCase();
        if (!tokens.isMark("[")) this.#expected("[");
        const attributes = this.#readAttributes();
        if (kind === "graph" && depth === 0) for (const [key, value] of attributes) this.#attributes.set(key, value);
        if (kind === "edge")
          defaults = new Map([...defaults, ...[...attributes].filter(([key]) => EDGE_KEYS.has(key))]);
        continue;
      }
      const start = tokens.next;
      const first = this.#readEnd(depth, members, defaults);
      if (first.node !== undefined && tokens.skipMark("=")) {
        const value = this.#readId();
        if (depth === 0) this.#attributes.set(start.text, value);
        continue;
      }
      this.#readChain({ first, start, depth, members, defaults });
    }
  }

  #readChain({ first, start, depth, members, defaults }: Chain): void {
    const tokens = this.#tokens;
    const ends = [first];
    const offsets = [start.offset];
    if (first.node !== undefined) this.#meet(first.node, start.offset, members);
    while (tokens.isMark("->") || tokens.isMark("--")) {
      const arrow = tokens.take();
      if ((arrow.text === "->") !== this.#directed) {
        throw new SyntaxStop(
          arrow.offset,
          this.#directed ? 'An edge of a digraph is written "->".' : 'An edge of an undirected graph is written "--".',
        );
      }
      const { offset } = tokens.next;
      const end = this.#readEnd(depth, members, defaults);
      if (end.node !== undefined) this.#meet(end.node, offset, members);
      ends.push(end);
      offsets.push(offset);
    }
    const attributes = tokens.isMark("[") ? this.#readAttributes() : new Map<string, DotToken>();
    if (ends.length === 1) {
      if (first.node === undefined) return;
      const node = this.#nodes.get(first.node);
      for (const [key, value] of attributes) node?.attributes.set(key, value);
      return;
    }
    const drawn = attributes.size === 0 ? defaults : new Map([...defaults, ...attributes]);
    for (const [index, to] of ends.entries()) {
      const from = ends[index - 1];
      if (from === undefined) continue;
      const [sources, targets] = [from, to].map(({ node, members: inner }) =>
        node === undefined ? [...inner] : [node],
      );
      this.#join(sources ?? [], targets ?? [], offsets[index] ?? start.offset, drawn);
    }
  }

  #join(
    sources: readonly string[],
    targets: readonly string[],
    offset: number,
    attributes: ReadonlyMap<string, DotToken>,
  ): void {
    if (this.#edges.length + sources.length * targets.length > DEFAULT_PLAN_LIMITS.edges) {
      const most = DEFAULT_PLAN_LIMITS.edges.toLocaleString("en-US");
      throw new SyntaxStop(offset, `With the edges written here the graph has more than ${most}.`, "limit_exceeded");
    }
    for (const from of sources) for (const to of targets) this.#edges.push({ from, to, offset, attributes });
  }

  #meet(id: string, offset: number, members: Set<string>): void {
    members.add(id);
    if (!this.#nodes.has(id)) this.#nodes.set(id, { offset, attributes: new Map() });
  }

  /** A node with its port, or a subgraph. */
  #readEnd(depth: number, members: Set<string>, defaults: EdgeDefaults): End {
    const tokens = this.#tokens;
    const isNamed = tokens.isWord("subgraph");
    if (!isNamed && !tokens.isMark("{")) {
      const { text } = this.#readId();
      for (let ports = 0; ports < 2 && tokens.skipMark(":"); ports++) this.#readId();
      return { node: text, members: NO_MEMBERS };
    }
    const { offset } = tokens.next;
    if (isNamed) tokens.take();
    const name = isNamed && tokens.next.kind === "id" ? this.#readId().text : "";
    if (/^cluster/.test(name)) this.#clusters++;
    const inner = (name === "" ? undefined : this.#subgraphs.get(name)) ?? new Set<string>();
    if (name !== "") this.#subgraphs.set(name, inner);
    // A subgraph may be named again without a body.
    if (!isNamed || name === "" || tokens.isMark("{")) {
      if (depth >= IMPORT_LIMITS.depth) {
        throw new SyntaxStop(
          offset,
          `Subgraphs are nested deeper than ${IMPORT_LIMITS.depth} levels here.`,
          "limit_exceeded",
        );
      }
      this.#open();
      this.#readStatements(depth + 1, inner, defaults);
    }
    this.#copied += inner.size;
    if (this.#copied > MEMBERS_MAX)
      throw new SyntaxStop(offset, "Subgraphs are named too often here.", "limit_exceeded");
    for (const id of inner) members.add(id);
    return { node: undefined, members: inner };
  }

  #readAttributes(): Map<string, DotToken> {
    const tokens = this.#tokens;
    const attributes = new Map<string, DotToken>();
    while (tokens.skipMark("[")) {
      while (!tokens.skipMark("]")) {
        const { text } = this.#readId();
        // A name alone is set to "true".
        if (tokens.skipMark("=")) attributes.set(text.toLowerCase(), this.#readId());
        if (!tokens.skipMark(",")) tokens.skipMark(";");
      }
    }
    return attributes;
  }

  #readId(): DotToken {
    const tokens = this.#tokens;
    if (tokens.next.kind !== "id") this.#expected("a name");
    const first = tokens.take();
    if (first.quoted !== true || !tokens.isMark("+")) return first;
    const parts = [first.text];
    while (tokens.skipMark("+")) {
      if (tokens.next.quoted !== true) this.#expected("a text in quotes");
      parts.push(tokens.take().text);
    }
    return { ...first, text: parts.join("") };
  }

  #expected(what: string): never {
    const { kind, text, offset } = this.#tokens.next;
    const found = kind === "end" ? "the end of the text" : quote(text, 20);
    throw new SyntaxStop(offset, `Expected ${/^[{[]$/.test(what) ? `"${what}"` : what}, found ${found}.`);
  }
}

type EdgeDefaults = ReadonlyMap<string, DotToken>;

/** What `edge [...]` may set that says which way an edge goes, or whether it is one. */
const EDGE_KEYS: ReadonlySet<string> = new Set(["dir", "style", "label", "xlabel"]);
/** Members given on to an outer subgraph, at most 64 levels of the most tasks. */
const MEMBERS_MAX = 64 * DEFAULT_PLAN_LIMITS.tasks;

interface Chain {
  readonly first: End;
  readonly start: DotToken;
  readonly depth: number;
  readonly members: Set<string>;
  readonly defaults: EdgeDefaults;
}

const NO_MEMBERS: ReadonlySet<string> = new Set();

interface End {
  /** Undefined: a subgraph, whose nodes are `members`. */
  readonly node: string | undefined;
  readonly members: ReadonlySet<string>;
}
