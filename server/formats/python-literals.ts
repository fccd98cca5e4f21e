import { type JsonValue, setOwn } from "#kernel/json";

export type Argument = { readonly name?: string; readonly value: JsonValue };

const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.$])/y;
const NAME = /[A-Za-z_]\w*/y;
const BARE_REFERENCE = /\$(?:\{\d+\}|\d+)/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["\n", ""],
]);
const DEPTH_MAX = 32;

class NotLiteral extends Error {}

/**
 * Reads the arguments of a call as a planner model writes them: Python literals, `name=value`, and step references
 * bare (`$1`) or in a string. Undefined when the text is none of these: then it is one argument, word for word, which is
 * how the format's own parser falls back.
 */
export function readPythonArguments(text: string): Argument[] | undefined {
  const reader = new LiteralReader(text);
  try {
    return reader.readArguments();
  } catch (error) {
    if (error instanceof NotLiteral) return undefined;
    throw error;
  }
}

class LiteralReader {
  #at = 0;
  constructor(private readonly text: string) {}

  readArguments(): Argument[] {
    const found: Argument[] = [];
    this.#skipSpace();
    while (this.#at < this.text.length) {
      const name = this.#readKeyword();
      const value = this.#readValue(0);
      found.push(name === undefined ? { value } : { name, value });
      this.#skipSpace();
      if (this.#at < this.text.length) this.#expect(",");
      this.#skipSpace();
    }
    return found;
  }

  #readKeyword(): string | undefined {
    const start = this.#at;
    const name = this.#take(NAME);
    this.#skipSpace();
    if (name !== undefined && this.text.charAt(this.#at) === "=" && this.text.charAt(this.#at + 1) !== "=") {
      this.#at++;
      return name;
    }
    this.#at = start;
    return undefined;
  }

  #readValue(depth: number): JsonValue {
    if (depth > DEPTH_MAX) throw new NotLiteral();
    this.#skipSpace();
    const character = this.text.charAt(this.#at);
    if (character === '"' || character === "'") return this.#readString(character);
    if (character === "[") return this.#readSequence("]", depth);
    if (character === "(") return this.#readSequence(")", depth);
    if (character === "{") return this.#readMapping(depth);
    const reference = this.#take(BARE_REFERENCE);
    if (reference !== undefined) return reference;
    const number = this.#take(NUMBER);
    if (number !== undefined && Number.isFinite(Number(number))) return Number(number);
    const word = this.#take(NAME);
    if (word === "True" || word === "true") return true;
    if (word === "False" || word === "false") return false;
    if (word === "None" || word === "null") return null;
    throw new NotLiteral();
  }

  #readSequence(close: string, depth: number): JsonValue {
    const items: JsonValue[] = [];
    this.#at++;
    for (;;) {
      this.#skipSpace();
      if (this.#skip(close)) return items;
      items.push(this.#readValue(depth + 1));
      this.#skipSpace();
      if (!this.#skip(",") && this.text.charAt(this.#at) !== close) throw new NotLiteral();
    }
  }

  #readMapping(depth: number): JsonValue {
    const members: Record<string, JsonValue> = {};
    this.#at++;
    for (;;) {
      this.#skipSpace();
      if (this.#skip("}")) return members;
      const key = this.#readValue(depth + 1);
      if (typeof key === "object") throw new NotLiteral();
      this.#skipSpace();
      this.#expect(":");
      setOwn(members, String(key), this.#readValue(depth + 1));
      this.#skipSpace();
      if (!this.#skip(",") && this.text.charAt(this.#at) !== "}") throw new NotLiteral();
    }
  }

  #readString(quote: string): string {
    let value = "";
    for (this.#at++; this.#at < this.text.length; this.#at++) {
      const character = this.text.charAt(this.#at);
      if (character === quote) {
        this.#at++;
        return value;
      }
      if (character === "\\") {
        this.#at++;
        const escaped = this.text.charAt(this.#at);
        // Python keeps the backslash of an escape it does not know.
        value +=
          ESCAPES.get(escaped) ?? (escaped === "\\" || escaped === '"' || escaped === "'" ? escaped : `\\${escaped}`);
      } else {
        value += character;
      }
    }
    throw new NotLiteral();
  }

  #skipSpace(): void {
    while (/\s/.test(this.text.charAt(this.#at))) this.#at++;
  }

  #skip(character: string): boolean {
    if (this.text.charAt(this.#at) !== character) return false;
    this.#at++;
    return true;
  }

  #expect(character: string): void {
    if (!this.#skip(character)) throw new NotLiteral();
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.text)?.[0];
    if (match !== undefined) this.#at += match.length;
    return match;
  }
}
