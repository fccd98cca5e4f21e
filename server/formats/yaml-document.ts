import {
  Composer,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  Parser,
  type YAMLMap,
} from "yaml";
import { type JsonValue, parsePointer, setOwn } from "#kernel/json";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { err, ok, type Result } from "#kernel/result";
import { count, diagnose, quote } from "./diagnose";
import { IMPORT_LIMITS } from "./limits";
import { createPositionFinder, type Position } from "./position";
import type { StructuredDocument } from "./structured-document";

interface YamlProblem {
  readonly code: "syntax" | "schema" | "limit_exceeded";
  readonly offset: number;
  readonly message: string;
}

class Stop extends Error {
  constructor(readonly problem: YamlProblem) {
    super(problem.message);
  }
}

/** What a YAML text holds. */
export interface YamlStream {
  /** The first document. */
  readonly document: StructuredDocument;
  /** All of them as one list, empty ones left out, where there are several. */
  readonly documents?: StructuredDocument;
  /** Where the second document begins, for a reader that takes one. */
  readonly secondDocument?: Diagnostic;
}

/** Parses one YAML 1.2 document into JSON values; each problem comes with its line and column. */
export function parseYamlDocument(text: string): Result<StructuredDocument, Diagnostic[]> {
  const stream = parseYamlStream(text);
  if (!stream.ok) return stream;
  const { document, secondDocument } = stream.value;
  return secondDocument === undefined ? ok(document) : err([secondDocument]);
}

/** Parses the YAML 1.2 documents of a text, as {@link parseYamlDocument} does one. */
export function parseYamlStream(text: string): Result<YamlStream, Diagnostic[]> {
  if (text.length > IMPORT_LIMITS.yamlCharacters) {
    const message = `YAML is read up to ${count(IMPORT_LIMITS.yamlCharacters, "character")} and this text has ${count(text.length, "character")}. Write it as JSON, which is read up to ${IMPORT_LIMITS.bytes / 1024 / 1024} MB.`;
    return err([diagnose({ code: "limit_exceeded", message }, { line: 1, column: 1 })]);
  }
  const positionAt = createPositionFinder(text);
  const fail = (problems: readonly YamlProblem[]): Result<never, Diagnostic[]> =>
    err(problems.map(({ code, offset, message }) => diagnose({ code, message }, positionAt(offset))));

  const composed = compose(text);
  if (!composed.ok) return fail(composed.error);
  const [first, second] = composed.value;
  const locateIn = (find: (pointer: string) => number) => (pointers: Iterable<string>) =>
    new Map([...pointers].map((pointer): [string, Position] => [pointer, positionAt(find(pointer))]));
  try {
    const reader = new ValueReader();
    const values = composed.value.map(({ contents }) => (contents === null ? null : reader.readDocument(contents)));
    const root = first?.contents ?? null;
    const document: StructuredDocument = {
      syntax: "yaml",
      value: values[0] ?? null,
      locate: locateIn((pointer) => offsetOf(root, pointer)),
    };
    if (second === undefined) return ok({ document });
    const filled = composed.value.flatMap(({ contents }, index) =>
      contents === null || values[index] === null ? [] : [{ root: contents, value: values[index] ?? null }],
    );
    const message = "A second YAML document begins here; a file holds one plan.";
    return ok({
      document,
      documents: {
        syntax: "yaml",
        value: filled.map(({ value }) => value),
        locate: locateIn((pointer) => {
          const [, index = "0", rest = ""] = /^\/(\d+)(.*)$/s.exec(pointer) ?? [];
          return offsetOf(filled[Number(index)]?.root ?? root, rest);
        }),
      },
      secondDocument: diagnose({ code: "syntax", message }, positionAt(second.range[0])),
    });
  } catch (error) {
    if (error instanceof Stop) return fail([error.problem]);
    throw error;
  }
}

function compose(text: string): Result<Document.Parsed[], YamlProblem[]> {
  const problems: YamlProblem[] = [];
  // Its own check for a key written twice is quadratic, and its pretty messages are too: we do both ourselves.
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  // The library collects every error with a stack trace, a minute of work for a megabyte of noise; we stop at a few.
  Object.assign(composer, {
    onError(
      source: number | [number, number] | { offset: number },
      code: ErrorCode,
      message: string,
      isWarning?: boolean,
    ) {
      if (isWarning === true) return;
      problems.push(explain(source, code, message));
      if (problems.length >= IMPORT_LIMITS.syntaxProblems || code === "RESOURCE_EXHAUSTION")
        throw new Stop(problems[0] ?? explain(0, code, message));
    },
  });
  const documents: Document.Parsed[] = [];
  try {
    for (const document of composer.compose(new Parser().parse(text), true, text.length)) {
      if (documents.length === IMPORT_LIMITS.yamlDocuments) {
        problems.push({
          code: "limit_exceeded",
          offset: document.range[0],
          message: `The text holds more than ${count(IMPORT_LIMITS.yamlDocuments, "YAML document")}.`,
        });
        break;
      }
      documents.push(document);
      for (const error of document.errors) problems.push(explain(error.pos, error.code, error.message));
    }
  } catch (error) {
    if (!(error instanceof Stop))
      problems.push(explain(0, "IMPOSSIBLE", error instanceof Error ? error.message : String(error)));
  }
  const distinct = problems.filter(
    (problem, index) =>
      problems.findIndex((other) => other.offset === problem.offset && other.message === problem.message) === index,
  );
  if (distinct.length > 0) return err(distinct.slice(0, IMPORT_LIMITS.syntaxProblems));
  return documents.length === 0 ? err([{ code: "syntax", offset: 0, message: "The text is empty." }]) : ok(documents);
}

function explain(
  source: number | readonly [number, number] | { offset: number },
  code: ErrorCode,
  message: string,
): YamlProblem {
  const offset = typeof source === "number" ? source : "offset" in source ? source.offset : source[0];
  if (code === "RESOURCE_EXHAUSTION") {
    return { code: "limit_exceeded", offset, message: "Objects and lists are nested too deeply here." };
  }
  return { code: "syntax", offset, message: message.endsWith(".") ? message : `${message}.` };
}

/**
 * Turns nodes into JSON values. The library's own conversion gives circular values for an anchor within itself and
 * values of exponential size for anchors of anchors; here both are problems with a place.
 */
class ValueReader {
  readonly #anchors = new Map<string, Node>();
  readonly #open = new Set<Node>();
  #values = 0;

  /** An alias reaches no further than its document. */
  readDocument(root: Node): JsonValue {
    this.#anchors.clear();
    return this.read(root, 0);
  }

  read(node: Node, depth: number): JsonValue {
    const offset = offsetOfNode(node);
    if (++this.#values > IMPORT_LIMITS.yamlValues) {
      throw new Stop({
        code: "limit_exceeded",
        offset,
        message: `The document holds more than ${count(IMPORT_LIMITS.yamlValues, "value")} once its aliases are written out.`,
      });
    }
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source);
      if (target === undefined)
        throw new Stop({
          code: "syntax",
          offset,
          message: `No anchor ${quote(`&${node.source}`)} stands before this alias.`,
        });
      if (this.#open.has(target))
        throw new Stop({
          code: "syntax",
          offset,
          message: `The alias ${quote(`*${node.source}`)} stands within its own anchor.`,
        });
      return this.read(target, depth);
    }
    if ("anchor" in node && typeof node.anchor === "string") this.#anchors.set(node.anchor, node);
    if (isScalar(node)) return readScalar(node.value, offset);
    if (depth >= IMPORT_LIMITS.depth) {
      throw new Stop({
        code: "limit_exceeded",
        offset,
        message: `Objects and lists are nested deeper than ${IMPORT_LIMITS.depth} levels here.`,
      });
    }
    this.#open.add(node);
    const value = isSeq(node)
      ? node.items.map((item) => (isNode(item) ? this.read(item, depth + 1) : null))
      : isMap(node)
        ? this.#readMap(node, depth)
        : null;
    this.#open.delete(node);
    return value;
  }

  #readMap(map: YAMLMap, depth: number): JsonValue {
    const object: Record<string, JsonValue> = {};
    for (const pair of map.items) {
      const { key } = pair;
      const offset = isNode(key) ? offsetOfNode(key) : offsetOfNode(map);
      if (!isScalar(key))
        throw new Stop({ code: "schema", offset, message: "A key must be plain text, not a list or an object." });
      const name = String(readScalar(key.value, offset) ?? "");
      if (Object.hasOwn(object, name))
        throw new Stop({ code: "syntax", offset, message: `The key ${quote(name)} stands twice in one object.` });
      setOwn(object, name, isNode(pair.value) ? this.read(pair.value, depth + 1) : null);
    }
    return object;
  }
}

function readScalar(value: unknown, offset: number): JsonValue {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "string") {
    // No store of ours can hold a NUL, nor half of a surrogate pair.
    if (!value.includes("\0") && !/\p{Surrogate}/u.test(value)) return value;
    throw new Stop({ code: "schema", offset, message: "This text holds a NUL or half of a character." });
  }
  throw new Stop({ code: "schema", offset, message: "This value has no counterpart in JSON." });
}

const offsetOfNode = (node: Node): number => node.range?.[0] ?? 0;

const pairsByMap = new WeakMap<YAMLMap, ReadonlyMap<string, YAMLMap["items"][number]>>();

/** Made once for each object: ten thousand problems may stand in one of ten thousand keys. */
function pairsOf(map: YAMLMap): ReadonlyMap<string, YAMLMap["items"][number]> {
  const pairs =
    pairsByMap.get(map) ??
    new Map(map.items.flatMap((item) => (isScalar(item.key) ? [[String(item.key.value), item] as const] : [])));
  pairsByMap.set(map, pairs);
  return pairs;
}

function offsetOf(root: Node | null, pointer: string): number {
  let node = root;
  for (const part of parsePointer(pointer) ?? []) {
    let next: unknown;
    if (isMap(node)) {
      const pair = pairsOf(node).get(part);
      next = isNode(pair?.value) ? pair.value : pair?.key;
    } else if (isSeq(node)) {
      next = node.items[Number(part)];
    }
    if (!isNode(next)) break;
    node = next;
  }
  return node === null ? 0 : offsetOfNode(node);
}
