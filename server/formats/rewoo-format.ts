import type { JsonValue } from "#kernel/json";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { diagnose, quote } from "./diagnose";
import { finishImport } from "./finish-import";
import { locateTasks } from "./locate-tasks";
import { Placeholders } from "./placeholders";
import type { PlanFormat } from "./plan-format";
import type { Position } from "./position";
import { convertText } from "./reference-text";

/** `#E1 = Search[`, with the plan's sentence before it on the same line or not. */
const EVIDENCE = /^(\s*(?:Plan:.*?)?)#(E\d{1,9})\s*=\s*([A-Za-z_][\w.-]{0,100})\s*\[/;
const PLAN = /^\s*Plan:\s*(.*)$/;
const REFERENCE = /#(E\d{1,9})/g;

interface Evidence {
  readonly id: string;
  readonly tool: string;
  readonly input: string;
  readonly reason: string;
  readonly position: Position;
}

/**
 * Plan text of ReWOO: a sentence a step (`Plan: …`) and the call that gathers its evidence (`#E1 = Search[…]`), in
 * which `#E1` stands for what step 1 found. The tools are the worker's own; they come in as placeholders.
 */
export const rewooFormat: PlanFormat = {
  id: "rewoo",
  title: "ReWOO plan",

  detect: ({ text, document }) => document === undefined && text.split("\n", 2_000).some((line) => EVIDENCE.test(line)),

  import: ({ text, fileName }) => {
    const { steps, preamble, diagnostics } = readSteps(text);
    const placeholders = new Placeholders();
    return finishImport({
      format: rewooFormat,
      name: preamble.split("\n", 1)[0]?.slice(0, 200),
      objective: preamble,
      fileName,
      tasks: steps.map(
        ({ id, tool, input, reason }): JsonValue => ({
          id,
          title: (reason === "" ? `${tool}[${input}]` : reason).slice(0, 1_000),
          capability: placeholders.nameFor(tool),
          arguments: { input: convertText(input, REFERENCE, ([, target]) => target) },
        }),
      ),
      diagnostics,
      placeholders,
      notes: ["The final answer is left to the planner's solver; the plan ends with the evidence."],
      locate: locateTasks(steps.map((step) => step.position)),
    });
  },
};

function readSteps(text: string): { steps: Evidence[]; preamble: string; diagnostics: Diagnostic[] } {
  const steps: Evidence[] = [];
  const preamble: string[] = [];
  const diagnostics: Diagnostic[] = [];
  let reason = "";
  const lines = text.split("\n");
  const warn = (code: "syntax" | "not_carried_over", line: number, message: string) =>
    diagnostics.push(
      diagnose(
        { code, severity: "warning", pointer: `/tasks/${Math.max(0, steps.length - 1)}`, message },
        { line, column: 1 },
      ),
    );

  for (let index = 0; index < lines.length; index++) {
    const line = (lines[index] ?? "").replace(/\r$/, "");
    const start = EVIDENCE.exec(line);
    const said = PLAN.exec(line)?.[1]?.trim();
    if (start === null) {
      if (said !== undefined) reason = said;
      else if (steps.length === 0 && reason === "") preamble.push(line);
      else if (line.trim() !== "") {
        warn("not_carried_over", index + 1, `This line is no step and is left out: ${quote(line.trim())}.`);
      }
      continue;
    }
    const [head, before = "", id = "", tool = ""] = start;
    const from = index;
    const parts = [line.slice(head.length)];
    let depth = depthAfter(1, parts[0] ?? "");
    // A text in the brackets may go over several lines, up to the next step.
    while (depth > 0 && index + 1 < lines.length && goesOn(lines[index + 1] ?? "")) {
      const more = (lines[++index] ?? "").replace(/\r$/, "");
      parts.push(more);
      depth = depthAfter(depth, more);
    }
    const call = parts.join("\n");
    const end = call.lastIndexOf("]");
    const sameLine = PLAN.exec(before)?.[1]?.trim();
    steps.push({
      id,
      tool,
      input: (end === -1 ? call : call.slice(0, end)).trim(),
      reason: sameLine ?? reason,
      position: { line: from + 1, column: before.length + 1 },
    });
    reason = "";
    const rest = end === -1 ? "" : call.slice(end + 1).trim();
    if (end === -1)
      warn("syntax", from + 1, `Step ${id} has no closing bracket; it is read as if one stood at the end.`);
    else if (rest !== "") warn("not_carried_over", index + 1, `What follows step ${id} is left out: ${quote(rest)}.`);
  }
  return {
    steps,
    preamble: preamble
      .join("\n")
      .replace(/^\s*(?:Question|Task):\s*/i, "")
      .trim(),
    diagnostics,
  };
}

const goesOn = (line: string): boolean => line.trim() !== "" && !EVIDENCE.test(line) && !PLAN.test(line);

/** How many brackets are open after a text, where `depth` were before it. */
function depthAfter(depth: number, text: string): number {
  let open = depth;
  for (const bracket of text.match(/[[\]]/g) ?? []) {
    open += bracket === "[" ? 1 : -1;
    if (open === 0) return 0;
  }
  return open;
}
