import type { JsonValue } from "#kernel/json";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { err, ok, type Result } from "#kernel/result";
import { diagnose } from "./diagnose";
import { scanJson } from "./json-scan";
import { createPointerTree, offsetInTree } from "./pointer-tree";
import { createPositionFinder, type Position } from "./position";
import type { StructuredDocument } from "./structured-document";

/** Parses JSON; a problem comes with its line and column. */
export function parseJsonDocument(text: string): Result<StructuredDocument, Diagnostic[]> {
  const positionAt = createPositionFinder(text);
  const problem = scanJson(text);
  if (problem !== undefined) {
    const began = problem.startOffset === undefined ? undefined : positionAt(problem.startOffset);
    const message =
      began === undefined
        ? problem.message
        : `${problem.message} It began at line ${began.line}, column ${began.column}.`;
    return err([diagnose({ code: problem.code, message }, positionAt(problem.offset))]);
  }
  const value: JsonValue = JSON.parse(text);
  return ok({
    syntax: "json",
    value,
    locate(pointers) {
      const wanted = [...pointers];
      const tree = createPointerTree(wanted);
      scanJson(text, tree);
      return new Map(wanted.map((pointer): [string, Position] => [pointer, positionAt(offsetInTree(tree, pointer))]));
    },
  });
}
