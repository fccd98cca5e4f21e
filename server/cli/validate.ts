import type { CapabilityRegistry } from "#kernel/capability/capability";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { validatePlan } from "#kernel/plan/validate";
import { checkSchema } from "../capabilities/schema-check";
import { count } from "../formats/diagnose";
import { placeDiagnostics } from "../formats/finish-import";
import { formatTitles } from "../formats/plan-formats";
import { type Command, onlyPositional } from "./command";
import { displayName, loadPlan } from "./load-plan";
import { countSeverities, formatDiagnostic } from "./print-diagnostics";
import { refuse } from "./refuse";
import { REGISTRY_HELP, REGISTRY_OPTION, registryFor } from "./registry-option";

interface Verdict {
  readonly file: string;
  readonly valid: boolean;
  readonly tasks: number;
  readonly edges: number;
  readonly format?: string;
  readonly diagnostics: readonly Diagnostic[];
}

export const validateCommand: Command = {
  help: `planwright validate FILE [--registry FILE] [--json]

Every problem of a plan at once, each with its place, checked against the built-in capabilities and those in a registry file.
FILE may be in any format that is read, told by its content; gzip too. FILE#3 is the third of a file
that holds several plans. Formats:
${formatTitles()}.

${REGISTRY_HELP}

Ends with 0 when the plan may run, with 1 when it may not.`,
  options: REGISTRY_OPTION,

  async run(invocation) {
    const file = onlyPositional(invocation, "FILE");
    const { io, json } = invocation;
    const name = displayName(file);
    const registry = await registryFor(invocation);
    if (!registry.ok) return refuse(invocation, String(invocation.values.registry), registry.error);
    const loaded = await loadPlan(file, io);
    const verdict: Verdict = loaded.ok
      ? judge(name, loaded.value, registry.value)
      : { file: name, valid: false, tasks: 0, edges: 0, diagnostics: loaded.error };
    if (json) {
      io.print(JSON.stringify(verdict, null, 2));
    } else {
      for (const diagnostic of verdict.diagnostics) io.print(formatDiagnostic(name, diagnostic));
      const size = loaded.ok ? `${count(verdict.tasks, "task")}, ${count(verdict.edges, "edge")}, ` : "";
      io.print(`${name}: ${verdict.valid ? "valid" : "not valid"}: ${size}${countSeverities(verdict.diagnostics)}`);
    }
    return verdict.valid ? 0 : 1;
  },
};

type Loaded = Extract<Awaited<ReturnType<typeof loadPlan>>, { ok: true }>["value"];

function judge(file: string, { plan, diagnostics, report, locate }: Loaded, registry: CapabilityRegistry): Verdict {
  const validation = validatePlan(plan, { registry, checkSchema });
  return {
    file,
    valid: validation.valid,
    tasks: plan.tasks.length,
    edges: validation.graph.edgeCount,
    format: report.format,
    diagnostics: [...diagnostics, ...placeDiagnostics(validation.diagnostics, locate)],
  };
}
