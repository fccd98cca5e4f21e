import type { Diagnostic } from "#kernel/plan/diagnostic";

/** `plan.yaml:12:5 error cycle: …`, the form that editors and terminals turn into a link. */
export function formatDiagnostic(file: string, diagnostic: Diagnostic): string {
  const place = diagnostic.line === undefined ? file : `${file}:${diagnostic.line}:${diagnostic.column ?? 1}`;
  const pointer = diagnostic.pointer === "" ? "" : ` (${diagnostic.pointer})`;
  const fix = diagnostic.fix === undefined ? "" : `\n    fix: ${printable(diagnostic.fix.label)}`;
  return `${place} ${diagnostic.severity} ${diagnostic.code}: ${printable(diagnostic.message)}${printable(pointer)}${fix}`;
}

/** `2 errors, 1 warning`, or `no problems`. */
export function countSeverities(diagnostics: readonly Diagnostic[]): string {
  const parts = (["error", "warning", "info"] as const).flatMap((severity) => {
    const found = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    if (found === 0) return [];
    const noun = severity === "info" ? "hint" : severity;
    return [`${found} ${noun}${found === 1 ? "" : "s"}`];
  });
  return parts.length === 0 ? "no problems" : parts.join(", ");
}

/** Text from a file on a terminal: control characters could move the cursor or change the title, so they go. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, " ");
