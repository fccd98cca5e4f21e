import type { Diagnostic } from "#kernel/plan/diagnostic";
import { validatePlan } from "#kernel/plan/validate";
import { findExporter, PLAN_EXPORTERS } from "../formats/export-plan";
import { placeDiagnostics } from "../formats/finish-import";
import { type Command, onlyPositional, optionText, UsageError } from "./command";
import { displayName, loadPlan } from "./load-plan";
import { formatDiagnostic } from "./print-diagnostics";
import { refuse } from "./refuse";

const names = PLAN_EXPORTERS.map((exporter) => exporter.id).join("|");

export const convertCommand: Command = {
  help: `planwright convert FILE --to ${names} [--json]

Writes a plan in another format to standard output. What the source format said and the result does not is told on
standard error. planwright and yaml lose nothing; mermaid and dot keep tasks and edges. With --json: the plan, the text
(content), a report of what came across, and every diagnostic with its place.

Ends with 0 when there is a plan, even one with a cycle to be mended; with 1 when FILE is refused, and says where.`,
  options: { to: { type: "string" } },

  async run(invocation) {
    const file = onlyPositional(invocation, "FILE");
    const { io, json } = invocation;
    const to = optionText(invocation.values, "to");
    const exporter = to === undefined ? undefined : findExporter(to);
    if (exporter === undefined)
      throw new UsageError(
        to === undefined ? `--to ${names} is missing.` : `--to must be one of ${names}, found "${to}".`,
      );
    const loaded = await loadPlan(file, io);
    if (!loaded.ok) return refuse(invocation, displayName(file), loaded.error);
    const { plan, diagnostics, report, locate } = loaded.value;
    const content = exporter.write(plan);
    // A drawing leaves out what points nowhere; that is no reason not to draw, since it is how people see a cycle.
    const problems = placeDiagnostics(validatePlan(plan).diagnostics.filter(isError), locate);
    if (json) {
      const answer = { from: report.format, to: exporter.id, plan, content, report };
      io.print(JSON.stringify({ ...answer, diagnostics: [...diagnostics, ...problems] }, null, 2));
      return 0;
    }
    for (const diagnostic of [...diagnostics, ...problems])
      io.complain(formatDiagnostic(displayName(file), diagnostic));
    for (const note of report.notes) io.complain(`${displayName(file)}: ${note}`);
    io.print(content.trimEnd());
    return 0;
  },
};

const isError = ({ severity }: Diagnostic): boolean => severity === "error";
