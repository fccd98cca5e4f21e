import { getOwn, isJsonObject, type JsonValue } from "#kernel/json";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { err, ok, type Result } from "#kernel/result";
import { count, diagnose } from "./diagnose";
import { parseJsonDocument } from "./json-document";
import type { ImportedPlan, PlanFormat, PlanSource } from "./plan-format";
import { PLAN_FORMATS } from "./plan-formats";
import type { Position } from "./position";
import type { StructuredDocument } from "./structured-document";

/** One of the plans in a file that holds several: an entry of a list, or a line of JSON Lines. */
interface Entry {
  readonly position: Position;
  /** Undefined where the entry is no plan after all. */
  read(): { readonly format: PlanFormat; readonly source: PlanSource; readonly within?: Position } | undefined;
}

/** Keys under which data sets keep a plan as text. */
const TEXT_KEYS = ["plan", "text", "content"];

/** The plans in a list that is none itself: documents of any format, or texts that stand alone or under a usual key. */
export function plansInList(document: StructuredDocument): Entry[] {
  const { value } = document;
  if (!Array.isArray(value)) return [];
  const entries: readonly JsonValue[] = value;
  const found = entries.flatMap((entry, index) => {
    const read = readerOf(entry, `/${index}`, document);
    return read === undefined ? [] : [{ pointer: `/${index}`, read }];
  });
  const positions = document.locate(found.map(({ pointer }) => pointer));
  return found.map(({ pointer, read }) => ({ position: positions.get(pointer) ?? { line: 1, column: 1 }, read }));
}

function readerOf(entry: JsonValue, pointer: string, document: StructuredDocument): Entry["read"] | undefined {
  const inner: StructuredDocument = {
    syntax: document.syntax,
    value: entry,
    locate(pointers) {
      const wanted = [...pointers];
      const positions = document.locate(wanted.map((wantedPointer) => pointer + wantedPointer));
      return new Map(
        wanted.flatMap((wantedPointer) => {
          const position = positions.get(pointer + wantedPointer);
          return position === undefined ? [] : [[wantedPointer, position] as const];
        }),
      );
    },
  };
  const source: PlanSource = { text: "", document: inner };
  const format = PLAN_FORMATS.find((candidate) => candidate.detect(source));
  if (format !== undefined) return () => ({ format, source });
  const keys = isJsonObject(entry) ? TEXT_KEYS.filter((key) => typeof getOwn(entry, key) === "string") : [];
  const texts = typeof entry === "string" ? [{ text: entry, at: "" }] : keys.map((key) => textAt(entry, key));
  for (const { text, at } of texts) {
    const plain: PlanSource = { text };
    const textFormat = PLAN_FORMATS.find((candidate) => candidate.detect(plain));
    if (textFormat === undefined) continue;
    return () => ({
      format: textFormat,
      source: plain,
      within: inner.locate([at]).get(at) ?? { line: 1, column: 1 },
    });
  }
  return undefined;
}

const textAt = (entry: JsonValue, key: string): { text: string; at: string } => ({
  text: isJsonObject(entry) ? String(getOwn(entry, key)) : "",
  at: `/${key}`,
});

/** The plans of a file with a JSON document a line (JSON Lines); none where the first line is no plan. */
export function plansInLines(text: string): Entry[] {
  const lines = text.split("\n").flatMap((line, index) => (line.trim() === "" ? [] : [{ line, number: index + 1 }]));
  if (lines.length < 2 || lines[1]?.line.trimStart().startsWith("{") !== true) return [];
  const entries = lines.map(
    ({ line, number }): Entry => ({
      position: { line: number, column: line.length - line.trimStart().length + 1 },
      read() {
        const parsed = parseJsonDocument(line);
        if (!parsed.ok) return undefined;
        const { value, locate } = parsed.value;
        const document: StructuredDocument = {
          syntax: "json",
          value,
          locate: (pointers) =>
            new Map(
              [...locate(pointers)].map(([pointer, { column }]): [string, Position] => [
                pointer,
                { line: number, column },
              ]),
            ),
        };
        const source: PlanSource = { text: line, document };
        const format = PLAN_FORMATS.find((candidate) => candidate.detect(source));
        return format === undefined ? undefined : { format, source };
      },
    }),
  );
  return entries[0]?.read() === undefined ? [] : entries;
}

/** The plan that was asked for, or the only one there is; else an error that says how many there are. */
export function importOne(
  entries: readonly Entry[],
  { fileName, plan }: { readonly fileName?: string | undefined; readonly plan?: number | undefined },
): Result<ImportedPlan, Diagnostic[]> {
  const second = entries[1];
  if (plan === undefined && second !== undefined) {
    const message = `A second plan begins here: the file holds ${count(entries.length, "plan")}, and one is read at a time. Name it by its number, such as ${fileName ?? "file.json"}#2 on the command line, or put it into a file of its own.`;
    return err([diagnose({ code: "syntax", message }, second.position)]);
  }
  const entry = entries[(plan ?? 1) - 1];
  if (entry === undefined) {
    const message = `There is no plan ${plan}: the file holds ${count(entries.length, "plan")}.`;
    return err([diagnose({ code: "syntax", message }, { line: 1, column: 1 })]);
  }
  const read = entry.read();
  if (read === undefined) {
    return err([diagnose({ code: "schema", message: "This is no plan in a format we read." }, entry.position)]);
  }
  const imported = read.format.import({ ...read.source, ...(fileName === undefined ? {} : { fileName }) });
  const { within } = read;
  if (within === undefined) return imported;
  if (!imported.ok) return err(imported.error.map((problem) => placeWithin(problem, within)));
  return ok({
    ...imported.value,
    diagnostics: imported.value.diagnostics.map((problem) => placeWithin(problem, within)),
    locate: (pointers) => new Map([...pointers].map((pointer) => [pointer, within])),
  });
}

/** A text within a document has lines of its own; the place is where the text stands, and the line is said. */
const placeWithin = (problem: Diagnostic, within: Position): Diagnostic => ({
  ...problem,
  ...within,
  message: problem.line === undefined ? problem.message : `${problem.message} (Line ${problem.line} of this text.)`,
});
