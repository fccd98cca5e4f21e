import type { JsonValue } from "#kernel/json";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { err, type Result } from "#kernel/result";
import { count, diagnose, quote } from "./diagnose";
import { finishImport } from "./finish-import";
import type { PlanFormat } from "./plan-format";
import type { Position } from "./position";
import { WAIT_CAPABILITY, waitArguments } from "./recorded-duration";

interface Row {
  readonly id: number;
  readonly seconds: number;
  readonly predecessors: readonly number[];
  readonly position: Position;
}

interface Token {
  readonly text: string;
  readonly position: Position;
}

/** The first lines of an STG file: a count alone, then a task's row. */
const STG_START = /^\s*\d+[ \t]*\r?\n(?:\s*\r?\n)*\s*\d+[ \t]+\d+(?:\.\d+)?[ \t]+\d+/;

/**
 * Standard Task Graph Set (Kasahara Laboratory): a task count, then a row a task — number, processing time, number of
 * predecessors, the predecessors — and a footer of `#` lines. The count leaves out the dummy entry and exit tasks;
 * they stay in the plan, as tasks of zero seconds, since the published edge counts include theirs.
 */
export const stgFormat: PlanFormat = {
  id: "stg",
  title: "Standard Task Graph",

  detect: ({ text, fileName, document }) =>
    document === undefined && (STG_START.test(text) || /\.stg(\.gz)?$/i.test(fileName ?? "")),

  import: ({ text, fileName }) => {
    const rows = parseRows(text);
    if (!rows.ok) return rows;
    return finishImport({
      format: stgFormat,
      name: /^#\s*Random Task Graph\s+(?:.*\/)?([^\s/]+)\s*$/m.exec(text)?.[1]?.replace(/\.stg$/, ""),
      fileName,
      tasks: rows.value.map(
        (row): JsonValue => ({
          id: String(row.id),
          capability: WAIT_CAPABILITY,
          arguments: waitArguments(row.seconds),
          dependsOn: row.predecessors.map(String),
          estimate: { seconds: row.seconds },
        }),
      ),
      diagnostics: [],
      notes: [
        "Processing times have no unit in the file; they are read as seconds.",
        "The tasks do nothing but wait as long as their processing time, so the plan can be analysed and rehearsed.",
      ],
      locate: (pointers) =>
        new Map(
          [...pointers].map((pointer): [string, Position] => [
            pointer,
            rows.value[Number(/^\/tasks\/(\d+)/.exec(pointer)?.[1] ?? -1)]?.position ?? { line: 1, column: 1 },
          ]),
        ),
    });
  },
};

function parseRows(text: string): Result<Row[], Diagnostic[]> {
  const problems: Diagnostic[] = [];
  const report = (message: string, position: Position) =>
    problems.push(diagnose({ code: "syntax", message }, position));
  const lines = text
    .split("\n")
    .map(tokensOf)
    .filter((tokens) => tokens.length > 0);
  const [header, ...body] = lines;
  const announced = header?.[0];
  if (announced === undefined)
    return err([diagnose({ code: "syntax", message: "The text is empty." }, { line: 1, column: 1 })]);
  if (header?.length !== 1 || !/^\d+$/.test(announced.text)) {
    return err([
      diagnose(
        { code: "syntax", message: `The first line must be the number of tasks, found ${quote(announced.text)}.` },
        announced.position,
      ),
    ]);
  }

  const rows: Row[] = [];
  for (const tokens of body) {
    const row = parseRow(tokens, report);
    if (row !== undefined) rows.push(row);
    if (problems.length >= 100) return { ok: false, error: problems };
  }
  const tasks = Number(announced.text);
  if (problems.length === 0 && body.length !== tasks && body.length !== tasks + 2) {
    report(
      `The first line announces ${count(tasks, "task")}, with the two dummies ${count(tasks + 2, "row")}; ${count(body.length, "row")} follow.`,
      body.at(-1)?.[0]?.position ?? announced.position,
    );
  }
  return problems.length > 0 ? { ok: false, error: problems } : { ok: true, value: rows };
}

function parseRow(tokens: readonly Token[], report: (message: string, position: Position) => void): Row | undefined {
  for (const [index, token] of tokens.entries()) {
    const isTime = index === 1;
    if (!(isTime ? /^\d+(\.\d+)?$/ : /^\d{1,9}$/).test(token.text)) {
      report(
        `Expected ${isTime ? "a processing time" : "a whole number"}, found ${quote(token.text)}.`,
        token.position,
      );
      return undefined;
    }
  }
  const [id, seconds, predecessorCount, ...predecessors] = tokens.map((token) => Number(token.text));
  const position = tokens[0]?.position;
  if (id === undefined || position === undefined) return undefined;
  if (seconds === undefined || predecessorCount === undefined) {
    report("A row holds a task's number, its processing time, how many predecessors it has, and those.", position);
    return undefined;
  }
  if (predecessors.length !== predecessorCount) {
    report(
      `Task ${id} announces ${count(predecessorCount, "predecessor")} and lists ${predecessors.length}.`,
      tokens[2]?.position ?? position,
    );
    return undefined;
  }
  return { id, seconds, predecessors, position };
}

function tokensOf(line: string, index: number): Token[] {
  if (line.trimStart().startsWith("#")) return [];
  return [...line.matchAll(/\S+/g)].map((match) => ({
    text: match[0],
    position: { line: index + 1, column: match.index + 1 },
  }));
}
