/** A condition of a workflow engine, read but not yet understood: names mean what the engine says they mean. */
export type Expression =
  | { readonly kind: "and" | "or"; readonly parts: readonly Expression[] }
  | { readonly kind: "not"; readonly part: Expression }
  | { readonly kind: "compare"; readonly operator: Comparison; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  /** `a.b['c'].*` → `["a", "b", "c", "*"]`. */
  | { readonly kind: "path"; readonly path: readonly string[] }
  | { readonly kind: "call"; readonly name: string; readonly arguments: readonly Expression[] }
  /** `{{…}}`, without the braces. */
  | { readonly kind: "template"; readonly text: string };

export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=";

const LENGTH_MAX = 10_000;
/** Brackets and negations within each other; a condition of ours nests as deep. */
const DEPTH_MAX = 16;

const TOKEN =
  /\s*(?:\{\{([^{}]*)\}\}|'((?:[^']|'')*)'|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?)(?![\w.-])|(\w[\w-]*(?:\.(?:[\w-]+|\*)|\[(?:'[^']*'|"[^"]*"|\d+)\])*)|(&&|\|\||[=!<>]=|[<>!(),]))/y;

type Token =
  | { readonly kind: "operand"; readonly expression: Expression }
  | { readonly kind: "sign"; readonly sign: string };

/**
 * Reads comparisons, `&&`, `||`, `!`, brackets, calls, quoted texts, dotted names and `{{…}}`: what GitHub Actions,
 * Argo and CWL write in their conditions.
 *
 * @returns undefined for anything else, and for a text longer or deeper than any condition is.
 */
export function parseExpression(text: string): Expression | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const tokens = tokensOf(text.trim());
  if (tokens === undefined) return undefined;
  const reader = new Reader(tokens);
  const expression = reader.either(0);
  return reader.done ? expression : undefined;
}

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (match === null) return undefined;
    tokens.push(tokenOf(match));
  }
  return tokens;
}

function tokenOf([, template, single, double, number, name, sign = ""]: RegExpExecArray): Token {
  const operand = (expression: Expression): Token => ({ kind: "operand", expression });
  if (template !== undefined) return operand({ kind: "template", text: template.trim() });
  if (single !== undefined) return operand({ kind: "literal", value: single.replaceAll("''", "'") });
  if (double !== undefined) return operand({ kind: "literal", value: double.replace(/\\(.)/gs, "$1") });
  if (number !== undefined) return operand({ kind: "literal", value: Number(number) });
  if (name === undefined) return { kind: "sign", sign };
  if (name === "true" || name === "false") return operand({ kind: "literal", value: name === "true" });
  if (name === "null") return operand({ kind: "literal", value: null });
  const path = [...name.matchAll(/\['([^']*)'\]|\["([^"]*)"\]|\[(\d+)\]|([\w-]+|\*)/g)].map(
    (part) => part[1] ?? part[2] ?? part[3] ?? part[4] ?? "",
  );
  return operand({ kind: "path", path });
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get done(): boolean {
    return this.#at === this.#tokens.length;
  }

  either(depth: number): Expression | undefined {
    return this.#chain("||", "or", () => this.#both(depth));
  }

  #both(depth: number): Expression | undefined {
    return this.#chain("&&", "and", () => this.#comparison(depth));
  }

  #chain(sign: string, kind: "and" | "or", next: () => Expression | undefined): Expression | undefined {
    const first = next();
    if (first === undefined) return undefined;
    const parts = [first];
    while (this.#take(sign)) {
      const part = next();
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return parts.length === 1 ? first : { kind, parts };
  }

  #comparison(depth: number): Expression | undefined {
    const left = this.#unary(depth);
    const operator = (["==", "!=", "<=", ">=", "<", ">"] as const).find((sign) => this.#take(sign));
    if (left === undefined || operator === undefined) return left;
    const right = this.#unary(depth);
    return right === undefined ? undefined : { kind: "compare", operator, left, right };
  }

  #unary(depth: number): Expression | undefined {
    if (depth > DEPTH_MAX) return undefined;
    if (this.#take("!")) {
      const part = this.#unary(depth + 1);
      return part === undefined ? undefined : { kind: "not", part };
    }
    if (this.#take("(")) {
      const inner = this.either(depth + 1);
      return this.#take(")") ? inner : undefined;
    }
    const token = this.#tokens[this.#at];
    if (token?.kind !== "operand") return undefined;
    this.#at++;
    const { expression } = token;
    return expression.kind === "path" && this.#take("(") ? this.#call(expression.path.join("."), depth) : expression;
  }

  #call(name: string, depth: number): Expression | undefined {
    const given: Expression[] = [];
    if (this.#take(")")) return { kind: "call", name, arguments: given };
    do {
      const argument = this.either(depth + 1);
      if (argument === undefined) return undefined;
      given.push(argument);
    } while (this.#take(","));
    return this.#take(")") ? { kind: "call", name, arguments: given } : undefined;
  }

  #take(sign: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== "sign" || token.sign !== sign) return false;
    this.#at++;
    return true;
  }
}
