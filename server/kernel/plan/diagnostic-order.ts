import { parsePointer } from "../json";
import { DIAGNOSTIC_CODES, type Diagnostic } from "./diagnostic";
import { compareIds } from "./order";

const CODE_RANK: ReadonlyMap<string, number> = new Map(DIAGNOSTIC_CODES.map((code, rank) => [code, rank]));

/**
 * Diagnostics in their stable order: by place in the document (list places by number), then by code, then by
 * message. More than `max` are cut, and one more says how many.
 */
export function orderDiagnostics(diagnostics: readonly Diagnostic[], max: number): readonly Diagnostic[] {
  const ordered = diagnostics
    .map((diagnostic) => ({ diagnostic, path: parsePointer(diagnostic.pointer) ?? [] }))
    .sort(
      (a, b) =>
        comparePaths(a.path, b.path) ||
        (CODE_RANK.get(a.diagnostic.code) ?? 0) - (CODE_RANK.get(b.diagnostic.code) ?? 0) ||
        compareIds(a.diagnostic.message, b.diagnostic.message),
    )
    .map(({ diagnostic }) => diagnostic);
  if (ordered.length <= max) return ordered;
  const kept = ordered.slice(0, max);
  const left = ordered.slice(max);
  kept.push({
    code: "limit_exceeded",
    severity: left.some(({ severity }) => severity === "error") ? "error" : "info",
    pointer: "",
    message: `${left.length} further problems are not listed.`,
    related: [],
  });
  return kept;
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  const shared = Math.min(a.length, b.length);
  for (let depth = 0; depth < shared; depth++) {
    const difference = compareParts(a[depth] as string, b[depth] as string);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compareParts(a: string, b: string): number {
  const isNumber = /^\d{1,9}$/;
  if (isNumber.test(a) && isNumber.test(b)) return Number(a) - Number(b);
  return compareIds(a, b);
}
