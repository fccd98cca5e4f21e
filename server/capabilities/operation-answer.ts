import { isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import type { Exchange } from "../network/http-exchange";
import type { Redactor } from "../secrets/redactor";

/** Headers that say something of the answer; the rest is between the machines. */
const KEPT_HEADERS =
  /^(content-type|content-language|content-disposition|date|etag|expires|last-modified|link|location|retry-after|x-(request|correlation|trace)-id|x-total(-count)?|x-(page|per-page|next-page|prev-page|total-pages)|(x-)?ratelimit-[a-z-]+)$/;

/** Objects and lists within each other that are kept; deeper ones would overflow the stack of whoever reads them. */
const DEPTH_MAX = 200;

/** What a call's output is: status, headers worth knowing, body parsed where it is JSON, text where it is text. */
export function answerOutput(answer: Exchange, redactor: Redactor): JsonObject {
  const headers = Object.entries(answer.headers)
    .filter(([name]) => KEPT_HEADERS.test(name))
    .map(([name, value]): [string, string] => [name, redactor.text(value)]);
  return { status: answer.status, headers: Object.fromEntries(headers), body: answerBody(answer, redactor) };
}

function answerBody(answer: Exchange, redactor: Redactor): JsonValue {
  if (answer.body.length === 0) return null;
  const type = answer.headers["content-type"] ?? "";
  if (isBinary(type)) return { base64: redactor.text(answer.body.toString("base64")) };
  const text = answer.body.toString("utf8");
  if (!/[/+]json\b/i.test(type) && !/^\s*[{[]/.test(text)) return redactor.text(text);
  const parsed = parseJson(text);
  return parsed === undefined ? redactor.text(text) : redactor.value(parsed);
}

const isBinary = (type: string): boolean =>
  /^(image|audio|video|font)\//i.test(type) || /^application\/(octet-stream|pdf|zip|gzip|x-tar|wasm)/i.test(type);

function parseJson(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isDeeperThan(value, DEPTH_MAX) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Without recursion: it is asked of what could not be walked with it. */
function isDeeperThan(value: JsonValue, depthMax: number): boolean {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return true;
    level = level.flatMap((each) =>
      Array.isArray(each) ? (each as JsonValue[]) : isJsonObject(each) ? Object.values(each) : [],
    );
  }
  return false;
}

const DETAIL_LENGTH_MAX = 300;

/** What the service says of its refusal, without secrets and on one line: shown to people, never followed. */
export function answerDetail(answer: Exchange, redactor: Redactor): string {
  if (isBinary(answer.headers["content-type"] ?? "")) return "";
  const text = redactor.text(answer.body.subarray(0, 20_000).toString("utf8"));
  const parsed = parseJson(text);
  const said = isJsonObject(parsed ?? null) ? sentenceIn(parsed as JsonObject) : undefined;
  const plain = (said ?? text)
    .replace(/<[^>]{0,500}>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return plain.length > DETAIL_LENGTH_MAX ? `${plain.slice(0, DETAIL_LENGTH_MAX)}…` : plain;
}

/** Where interfaces put the sentence: RFC 9457, and the habits of many. */
function sentenceIn(body: JsonObject): string | undefined {
  for (const key of ["detail", "message", "error_description", "title", "error"]) {
    const value = Object.hasOwn(body, key) ? body[key] : undefined;
    if (typeof value === "string" && value.trim() !== "") return value;
    if (isJsonObject(value)) {
      const inner = sentenceIn(value);
      if (inner !== undefined) return inner;
    }
  }
  return undefined;
}
