import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "#kernel/json";

/** A secret under the name it is shown by. */
export interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

/** Takes secrets out of what came back from a service, or is about to be written down. */
export interface Redactor {
  text(text: string): string;
  /** A copy, or the very value where nothing was found in it. Keys are read too. */
  value(value: JsonValue): JsonValue;
}

/** Shorter values would be found in innocent text. */
export const SECRET_LENGTH_MIN = 8;

const placeholder = (name: string): string => `[secret ${name}]`;

/**
 * Finds secrets however they are written: plain, percent-encoded (once or twice, in part or whole), as JSON or HTML
 * escapes, in hexadecimal, and in base64 or base64url at each of the three places a value can have within a longer one.
 */
export function createRedactor(secrets: readonly NamedSecret[]): Redactor {
  const patterns = secrets
    .filter(({ value }) => value.length >= SECRET_LENGTH_MIN)
    // A secret that holds another one goes first, else its rest would stay.
    .sort((a, b) => b.value.length - a.value.length)
    .map(({ name, value }) => ({ pattern: patternOf(value), shown: placeholder(name) }));
  const text = (given: string): string =>
    patterns.reduce((safe, { pattern, shown }) => safe.replace(pattern, () => shown), given);
  const value = (given: JsonValue): JsonValue => {
    if (typeof given === "string") return text(given);
    if (typeof given === "number") {
      const shown = text(String(given));
      return shown === String(given) ? given : shown;
    }
    if (Array.isArray(given)) {
      const items = given.map(value);
      return items.some((item, index) => item !== given[index]) ? items : given;
    }
    return isJsonObject(given) ? redactObject(given, text, value) : given;
  };
  return patterns.length === 0 ? { text: (given) => given, value: (given) => given } : { text, value };
}

function redactObject(object: JsonObject, text: Redactor["text"], value: Redactor["value"]): JsonObject {
  const copy: Record<string, JsonValue> = {};
  let changed = false;
  for (const key of Object.keys(object)) {
    const member = getOwn(object, key) as JsonValue;
    const [safeKey, safeMember] = [text(key), value(member)];
    changed ||= safeKey !== key || safeMember !== member;
    setOwn(copy, safeKey, safeMember);
  }
  return changed ? copy : object;
}

function patternOf(secret: string): RegExp {
  const bytes = Buffer.from(secret, "utf8");
  const alternatives = [
    [...secret].map(characterPattern).join(""),
    bytes.toString("hex"),
    ...[0, 1, 2].map((offset) => base64Pattern(bytes, offset)),
  ];
  return new RegExp(alternatives.map((each) => `(?:${each})`).join("|"), "gi");
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

const HTML_NAMES: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };

const JSON_LETTERS: Readonly<Record<string, string>> = { "\n": "n", "\r": "r", "\t": "t", "\f": "f", "\b": "b" };

/** One character, in each way that it may have been escaped. Every repeat is bounded: the text is anybody's. */
function characterPattern(character: string): string {
  const percent = [...Buffer.from(character, "utf8")]
    .map((byte) => `%(?:25){0,3}${byte.toString(16).padStart(2, "0")}`)
    .join("");
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  const unicode = units.map((unit) => `\\\\{1,4}u${unit.toString(16).padStart(4, "0")}`).join("");
  const code = character.codePointAt(0) ?? 0;
  const html = `&#(?:0{0,6}${code}|x0{0,6}${code.toString(16)});`;
  const ways = [`\\\\{0,4}${escaped(character)}`, percent, unicode, html];
  const name = HTML_NAMES[character];
  if (name !== undefined) ways.push(`&${name};`);
  if (character === " ") ways.push("\\+");
  const letter = JSON_LETTERS[character];
  if (letter !== undefined) ways.push(`\\\\{1,4}${letter}`);
  if (character === "\\") ways[0] = "\\\\{1,8}";
  return `(?:${ways.join("|")})`;
}

/**
 * The characters of a base64 text that stand for these bytes alone, when `offset` bytes modulo three come before them.
 * The first and last characters there also hold bits of the neighbours, so they are left out.
 */
function base64Pattern(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString("base64")
    .replace(/=+$/, "");
  const begin = Math.ceil((offset * 8) / 6);
  const end = Math.floor(((offset + bytes.length) * 8) / 6);
  const before = begin > 0 ? "[A-Za-z0-9+/_-]?" : "";
  const core = [...text.slice(begin, end)].map(base64Character).join("");
  return `${before}${core}(?:[A-Za-z0-9+/_-](?=[^A-Za-z0-9+/_-]|$))?(?:=|%(?:25){0,3}3d){0,2}`;
}

function base64Character(character: string): string {
  if (character === "+") return "(?:\\+|-|%(?:25){0,3}2b)";
  if (character === "/") return "(?:\\\\{0,4}\\/|_|%(?:25){0,3}2f)";
  return character;
}
