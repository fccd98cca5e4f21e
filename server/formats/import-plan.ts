import { isJsonObject } from "#kernel/json";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { err, ok, type Result } from "#kernel/result";
import { importOne, plansInLines, plansInList } from "./collection";
import { diagnose, quote } from "./diagnose";
import { parseJsonDocument } from "./json-document";
import type { ImportedPlan, PlanSource } from "./plan-format";
import { formatTitles, PLAN_FORMATS } from "./plan-formats";
import type { StructuredDocument } from "./structured-document";
import { parseYamlStream, type YamlStream } from "./yaml-document";

interface Given {
  readonly fileName?: string | undefined;
  /** Which plan of a file that holds several, from 1. */
  readonly plan?: number | undefined;
}

/**
 * Reads a plan in whichever format the text is in, told by its content.
 *
 * @param text decoded and unpacked, see `readText`.
 * @returns a plan with at least one task, or at least one error that says where and why.
 */
export function importPlan(text: string, { fileName, plan }: Given = {}): Result<ImportedPlan, Diagnostic[]> {
  const clean = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (clean.trim() === "")
    return err([diagnose({ code: "syntax", message: "The file is empty." }, { line: 1, column: 1 })]);

  const plain: PlanSource = { text: clean, ...(fileName === undefined ? {} : { fileName }) };
  const startsLikeJson = /^\s*[[{]/.test(clean);
  if (!startsLikeJson) {
    const textFormat = PLAN_FORMATS.find((format) => format.detect(plain));
    if (textFormat !== undefined && !isKnownYaml(plain)) return onlyPlan(plan) ?? textFormat.import(plain);
  }

  const parsed = parseDocuments(clean, startsLikeJson, fileName);
  if (!parsed.ok) {
    const lines = startsLikeJson ? plansInLines(clean) : [];
    return lines.length > 0 ? importOne(lines, { fileName, plan }) : parsed;
  }
  const { document, documents, secondDocument } = parsed.value;
  const source: PlanSource = { ...plain, document, ...(documents === undefined ? {} : { documents }) };
  const format = PLAN_FORMATS.find((candidate) => candidate.detect(source));
  if (secondDocument !== undefined && format?.readsSeveralDocuments !== true) return err([secondDocument]);
  if (format !== undefined) return onlyPlan(plan) ?? format.import(source);
  const plans = plansInList(document);
  return plans.length > 0 ? importOne(plans, { fileName, plan }) : err([unknownFormat(document)]);
}

/** Says no where another plan than the first is asked for of a file that holds one. */
const onlyPlan = (plan: number | undefined): Result<never, Diagnostic[]> | undefined =>
  plan === undefined || plan === 1
    ? undefined
    : err([diagnose({ code: "schema", message: `There is no plan ${plan}: the file holds 1 plan.` })]);

/** First line that is no comment: `key:`. What such a document quotes may look like any of the text formats. */
const STARTS_LIKE_YAML = /^(?:\s|#[^\n]*\n|---(?=\s))*["']?[A-Za-z$][\w$.-]*["']?:(?=\s)/;

function isKnownYaml(source: PlanSource): boolean {
  if (!STARTS_LIKE_YAML.test(source.text)) return false;
  const parsed = parseYamlStream(source.text);
  return parsed.ok && PLAN_FORMATS.some((format) => format.detect({ ...source, ...parsed.value }));
}

/** A flow mapping is YAML too, so a name that says YAML gets a second chance; otherwise the JSON problem is the answer. */
function parseDocuments(
  text: string,
  startsLikeJson: boolean,
  fileName: string | undefined,
): Result<YamlStream, Diagnostic[]> {
  if (!startsLikeJson) return parseYamlStream(text);
  const json = parseJsonDocument(text);
  if (!json.ok && /\.ya?ml(\.gz)?$/i.test(fileName ?? "")) return parseYamlStream(text);
  return json.ok ? ok({ document: json.value }) : json;
}

function unknownFormat({ value, locate }: StructuredDocument): Diagnostic {
  return diagnose(
    { code: "schema", message: `This is no plan in a format we read (${formatTitles()}): ${describeValue(value)}.` },
    locate([""]).get(""),
  );
}

function describeValue(value: StructuredDocument["value"]): string {
  if (Array.isArray(value)) return "it is a list, and a plan is an object";
  if (typeof value === "string") return `it is text, beginning ${quote(value, 40)}`;
  if (!isJsonObject(value)) return `it is ${JSON.stringify(value)}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return "it is an empty object";
  const listed = keys
    .slice(0, 5)
    .map((key) => quote(key, 30))
    .join(", ");
  return `it has the ${keys.length === 1 ? "key" : "keys"} ${listed}${keys.length > 5 ? " and others" : ""}, and neither tasks nor a workflow`;
}
