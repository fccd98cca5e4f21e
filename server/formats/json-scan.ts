import { IMPORT_LIMITS } from "./limits";
import type { PointerTree } from "./pointer-tree";

/** Why a text is not JSON that we take, and where. */
export interface JsonProblem {
  readonly code: "syntax" | "limit_exceeded";
  readonly offset: number;
  readonly message: string;
  /** Where the object, list or string began that the problem is about. */
  readonly startOffset?: number;
}

interface OpenContainer {
  readonly isObject: boolean;
  readonly start: number;
  /** Keys seen so far, to find one written twice: `JSON.parse` would silently keep the last. */
  readonly keys: Set<string> | undefined;
  index: number;
  readonly wanted: PointerTree | undefined;
}

class Stop extends Error {
  constructor(readonly problem: JsonProblem) {
    super(problem.message);
  }
}

function stop(offset: number, message: string, startOffset?: number): never {
  throw new Stop({ code: "syntax", offset, message, ...(startOffset === undefined ? {} : { startOffset }) });
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /[A-Za-z_$][\w$]*/y;
const LITERALS: ReadonlySet<string> = new Set(["true", "false", "null"]);

/**
 * Reads a JSON text (RFC 8259) without building its value: the first problem, or undefined for a sound text.
 *
 * `JSON.parse` builds faster than anything we could write, but its messages name no line, it takes a key twice and
 * reads `1e999` as Infinity, and what it returns may be nested deeper than any walk survives. So this pass checks and
 * `JSON.parse` builds. No recursion: depth costs heap, not stack.
 *
 * @param wanted places to find on the way; their offsets are filled in.
 */
export function scanJson(text: string, wanted?: PointerTree): JsonProblem | undefined {
  try {
    scan(text, wanted);
    return undefined;
  } catch (error) {
    if (error instanceof Stop) return error.problem;
    throw error;
  }
}

function scan(text: string, root: PointerTree | undefined): void {
  const open: OpenContainer[] = [];
  let at = skipSpace(text, 0);
  if (at === text.length) stop(at, "The text is empty.");
  let wanted = root;

  for (;;) {
    // A value stands here.
    if (wanted !== undefined) wanted.offset = at;
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) {
      const isObject = code === 0x7b;
      if (open.length >= IMPORT_LIMITS.depth) {
        throw new Stop({
          code: "limit_exceeded",
          offset: at,
          message: `Objects and lists are nested deeper than ${IMPORT_LIMITS.depth} levels here.`,
        });
      }
      const container = { isObject, start: at, keys: isObject ? new Set<string>() : undefined, index: 0, wanted };
      at = skipSpace(text, at + 1);
      if (text.charCodeAt(at) === (isObject ? 0x7d : 0x5d)) {
        at++;
      } else {
        open.push(container);
        [at, wanted] = enterMember(text, at, container);
        continue;
      }
    } else {
      at = skipScalar(text, at, open.at(-1));
    }

    // The value is complete: close containers until one goes on.
    for (;;) {
      at = skipSpace(text, at);
      const container = open.at(-1);
      if (container === undefined) {
        if (at < text.length) stop(at, `The text goes on after its end: found ${found(text, at)}.`);
        return;
      }
      const next = text.charCodeAt(at);
      if (next === 0x2c) {
        const comma = at;
        at = skipSpace(text, at + 1);
        const after = text.charCodeAt(at);
        if (after === 0x7d || after === 0x5d) stop(comma, "A comma must be followed by another entry.");
        container.index++;
        [at, wanted] = enterMember(text, at, container);
        break;
      }
      if (next !== (container.isObject ? 0x7d : 0x5d)) {
        const closing = container.isObject ? "}" : "]";
        if (at >= text.length) endsInside(text, container);
        stop(at, `Expected "," or "${closing}", found ${found(text, at)}.`, container.start);
      }
      open.pop();
      at++;
    }
  }
}

/** Steps over an object's key and colon, or nothing in a list; gives where the value begins. */
function enterMember(text: string, start: number, container: OpenContainer): [number, PointerTree | undefined] {
  if (start >= text.length) endsInside(text, container);
  if (container.keys === undefined) {
    return [start, container.wanted?.children.get(String(container.index))];
  }
  if (text.charCodeAt(start) !== 0x22) {
    stop(start, `Expected a key in double quotes, found ${found(text, start)}.`, container.start);
  }
  const end = skipString(text, start);
  const raw = text.slice(start + 1, end - 1);
  const key = raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
  if (container.keys.has(key)) stop(start, `The key ${JSON.stringify(key)} stands twice in one object.`);
  container.keys.add(key);
  const colon = skipSpace(text, end);
  if (colon >= text.length) endsInside(text, container);
  if (text.charCodeAt(colon) !== 0x3a) {
    stop(colon, `Expected ":" after the key ${JSON.stringify(key)}, found ${found(text, colon)}.`);
  }
  const value = skipSpace(text, colon + 1);
  if (value >= text.length) endsInside(text, container);
  return [value, container.wanted?.children.get(key)];
}

function endsInside(text: string, container: OpenContainer): never {
  stop(
    text.length,
    `The text ends inside ${container.isObject ? "an object" : "a list"} that is not closed.`,
    container.start,
  );
}

function skipSpace(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

function skipScalar(text: string, start: number, container: OpenContainer | undefined): number {
  const code = text.charCodeAt(start);
  if (code === 0x22) return skipString(text, start);
  if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
    NUMBER.lastIndex = start;
    const number = NUMBER.exec(text)?.[0];
    if (number !== undefined) {
      const end = start + number.length;
      if (/[\w.]/.test(text.charAt(end))) stop(start, `${found(text, start)} is not a number.`);
      if (!Number.isFinite(Number(number))) stop(start, "This number is too large.");
      return end;
    }
  }
  WORD.lastIndex = start;
  const word = WORD.exec(text)?.[0];
  if (word !== undefined && LITERALS.has(word)) return start + word.length;
  if (start >= text.length && container !== undefined) endsInside(text, container);
  return stop(start, `Expected a value, found ${found(text, start)}.`);
}

/** Steps over a string; refuses what no store of ours can hold (NUL, half a surrogate pair). */
function skipString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code === 0x5c) at = skipEscape(text, at);
    else if (Number.isNaN(code)) stop(text.length, "The text ends inside a string.", start);
    else if (code < 0x20) {
      stop(
        at,
        code === 0x0a
          ? "A string ends at the line's end; a line break is written \\n."
          : "A control character in a string must be escaped.",
        start,
      );
    } else if (code >= 0xd800 && code <= 0xdfff) at = skipSurrogates(text, at);
    else at++;
  }
}

function skipSurrogates(text: string, at: number): number {
  if (text.charCodeAt(at) <= 0xdbff && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) return at + 2;
  return stop(at, "Half of a character (a lone surrogate) stands here.");
}

function skipEscape(text: string, at: number): number {
  const kind = text.charAt(at + 1);
  if (kind !== "" && '"\\/bfnrt'.includes(kind)) return at + 2;
  if (kind !== "u") return stop(at, `${quoteEscape(text, at)} is not an escape that JSON knows.`);
  const unit = readUnit(text, at);
  if (unit === undefined)
    return stop(at, `${quoteEscape(text, at)} is not an escape: \\u takes four hexadecimal digits.`);
  if (unit === 0) return stop(at, "A NUL character cannot be kept in a text.");
  if ((unit & 0xfc00) === 0xd800) {
    const low = text.charAt(at + 6) === "\\" && text.charAt(at + 7) === "u" ? readUnit(text, at + 6) : undefined;
    if (low !== undefined && (low & 0xfc00) === 0xdc00) return at + 12;
  }
  if ((unit & 0xf800) === 0xd800) return stop(at, "Half of a character (a lone surrogate) stands here.");
  return at + 6;
}

function readUnit(text: string, at: number): number | undefined {
  const digits = text.slice(at + 2, at + 6);
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

const quoteEscape = (text: string, at: number): string => text.slice(at, at + 2);

/** What stands at an offset, in words. */
function found(text: string, at: number): string {
  if (at >= text.length) return "the end of the text";
  const character = text.charAt(at);
  if (character === "/") return "a comment, which JSON has not";
  if (character === "'") return "a single quote, where JSON has double quotes";
  const word = /[\w$]/.test(character) ? (/^[\w$.]{1,24}/.exec(text.slice(at, at + 24))?.[0] ?? character) : character;
  return JSON.stringify(word);
}
