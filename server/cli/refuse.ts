import type { Diagnostic } from "#kernel/plan/diagnostic";
import type { CommandIo, ExitCode } from "./command";
import { formatDiagnostic } from "./print-diagnostics";

/** How every command but `validate` ends on input it cannot work with. */
export function refuse(
  { json, io }: { readonly json: boolean; readonly io: CommandIo },
  file: string,
  diagnostics: readonly Diagnostic[],
): ExitCode {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  const message = errors[0]?.message ?? "The input is bad.";
  if (json) io.print(JSON.stringify({ error: { code: "input_bad", message }, diagnostics }, null, 2));
  else for (const diagnostic of diagnostics) io.complain(formatDiagnostic(file, diagnostic));
  return 1;
}
