/** A word, a number, a quoted text or an HTML text is an `id`; the rest are marks. */
export interface DotToken {
  readonly kind: "id" | "mark" | "end";
  readonly text: string;
  readonly offset: number;
  /** Quoted: never a keyword, and `\n` in it is an escape where it is a label. */
  readonly quoted?: boolean;
  readonly html?: boolean;
}

/** A text is not the format it was taken for, and where. */
export class SyntaxStop extends Error {
  constructor(
    readonly offset: number,
    message: string,
    readonly code: "syntax" | "limit_exceeded" = "syntax",
  ) {
    super(message);
  }
}

const WORD = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y;
const NUMERAL = /-?(?:\.\d+|\d+(?:\.\d*)?)/y;
const SPACE = /\s+/y;

/** Cuts DOT into tokens, one at a time; comments and lines of the C preprocessor are stepped over. */
export class DotTokens {
  #at = 0;
  #next: DotToken;

  constructor(private readonly text: string) {
    this.#next = this.#read();
  }

  get next(): DotToken {
    return this.#next;
  }

  /** Gives the next token and steps over it. */
  take(): DotToken {
    const token = this.#next;
    this.#next = this.#read();
    return token;
  }

  isMark(text: string): boolean {
    return this.#next.kind === "mark" && this.#next.text === text;
  }

  isWord(word: string): boolean {
    const { kind, text, quoted } = this.#next;
    return kind === "id" && quoted !== true && text.toLowerCase() === word;
  }

  skipMark(text: string): boolean {
    if (!this.isMark(text)) return false;
    this.take();
    return true;
  }

  #read(): DotToken {
    this.#skipSpace();
    const offset = this.#at;
    const character = this.text.charAt(offset);
    if (character === "") return { kind: "end", text: "", offset };
    if (character === '"') return { kind: "id", text: this.#readQuoted(), offset, quoted: true };
    if (character === "<") return { kind: "id", text: this.#readHtml(), offset, quoted: true, html: true };
    const word =
      this.#match(WORD) ?? (/^-[->]/.test(this.text.slice(offset, offset + 2)) ? undefined : this.#match(NUMERAL));
    if (word !== undefined) return { kind: "id", text: word, offset };
    const mark = character === "-" ? this.text.slice(offset, offset + 2) : character;
    if (!["->", "--", "{", "}", "[", "]", "=", ";", ",", ":", "+"].includes(mark)) {
      throw new SyntaxStop(offset, `${JSON.stringify(character)} has no meaning here in DOT.`);
    }
    this.#at += mark.length;
    return { kind: "mark", text: mark, offset };
  }

  #readQuoted(): string {
    const start = this.#at;
    const parts: string[] = [];
    let from = start + 1;
    for (let at = from; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at);
      if (code === 0x22) {
        this.#at = at + 1;
        parts.push(this.text.slice(from, at));
        return parts.join("");
      }
      if (code !== 0x5c) continue;
      const escaped = this.text.charAt(at + 1);
      if (escaped === '"' || escaped === "\n") {
        parts.push(this.text.slice(from, at), escaped === '"' ? '"' : "");
        from = at + 2;
      }
      at++;
    }
    throw new SyntaxStop(start, "The text that begins here is never closed.");
  }

  #readHtml(): string {
    const start = this.#at;
    let depth = 0;
    for (let at = start; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at);
      if (code === 0x3c) depth++;
      else if (code === 0x3e && --depth === 0) {
        this.#at = at + 1;
        return this.text.slice(start + 1, at);
      }
    }
    throw new SyntaxStop(start, "The HTML text that begins here is never closed.");
  }

  #skipSpace(): void {
    for (;;) {
      this.#match(SPACE);
      const character = this.text.charAt(this.#at);
      const following = this.text.charAt(this.#at + 1);
      const isLine = (character === "/" && following === "/") || (character === "#" && this.#startsLine());
      if (isLine) {
        const end = this.text.indexOf("\n", this.#at);
        this.#at = end === -1 ? this.text.length : end;
      } else if (character === "/" && following === "*") {
        const end = this.text.indexOf("*/", this.#at + 2);
        if (end === -1) throw new SyntaxStop(this.#at, "The comment that begins here is never closed.");
        this.#at = end + 2;
      } else return;
    }
  }

  #startsLine(): boolean {
    return this.#at === 0 || this.text.charAt(this.#at - 1) === "\n";
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.text)?.[0];
    if (match !== undefined) this.#at += match.length;
    return match;
  }
}
