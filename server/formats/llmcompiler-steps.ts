import type { Diagnostic } from "#kernel/plan/diagnostic";
import { diagnose, quote } from "./diagnose";
import type { Position } from "./position";

/** One numbered call of the plan text. */
export interface Step {
  readonly number: number;
  readonly tool: string;
  /** Between the parentheses, as written. */
  readonly argumentsText: string;
  /** The whole call, as written. */
  readonly callText: string;
  /** The thought that stands before it. */
  readonly thought: string | undefined;
  readonly position: Position;
}

export interface StepText {
  readonly steps: readonly Step[];
  /** What stands before the first step: the question, and options where it has some. */
  readonly preamble: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** `3. search(` — no space before the parenthesis, so that a numbered list in prose is not a plan. */
const STEP_START = /^(\s*)(\d{1,9})\.\s*([A-Za-z_][\w.-]*)\(/;
const THOUGHT = /^\s*Thought:\s*(.*)$/;
const END_MARK = /<END_OF_(?:PLAN|RESPONSE)>/;

export const looksLikeSteps = (text: string): boolean =>
  text.split("\n", 2_000).some((line) => STEP_START.test(line) && !line.trimStart().startsWith("#"));

/**
 * Cuts plan text into steps. A call may go over several lines when a text in it does; a line whose parenthesis is
 * never closed is taken to its end and reported there, since what it means is clear.
 */
export function readSteps(text: string): StepText {
  const lines = text.split("\n");
  const steps: Step[] = [];
  const diagnostics: Diagnostic[] = [];
  const preamble: string[] = [];
  let thought: string | undefined;

  for (let index = 0; index < lines.length; index++) {
    const line = withoutEnd(lines[index] ?? "");
    const start = STEP_START.exec(line);
    if (start === null) {
      const said = THOUGHT.exec(line)?.[1]?.trim();
      if (said !== undefined) thought = said;
      else if (steps.length === 0) preamble.push(line);
      else if (line.trim() !== "" && !/^\s*#/.test(line)) {
        diagnostics.push(
          diagnose(
            {
              code: "not_carried_over",
              severity: "warning",
              message: `This line is no step and is left out: ${quote(line.trim())}.`,
            },
            { line: index + 1, column: 1 },
          ),
        );
      }
      if (END_MARK.test(lines[index] ?? "")) break;
      continue;
    }

    const [head, indent = "", number = "", tool = ""] = start;
    const from = index;
    let call = line.slice(head.length);
    let end = closingParenthesis(call);
    // Only an open text may go on: an unclosed parenthesis alone is the slip that models make.
    while (end.index === -1 && end.insideText && index + 1 < lines.length && !startsSomething(lines[index + 1] ?? "")) {
      call += `\n${withoutEnd(lines[++index] ?? "")}`;
      end = closingParenthesis(call);
    }
    const argumentsText = (end.index === -1 ? call : call.slice(0, end.index)).trim();
    const position = { line: from + 1, column: indent.length + 1 };
    if (end.index === -1) {
      diagnostics.push(
        diagnose(
          {
            code: "syntax",
            severity: "warning",
            taskId: number,
            pointer: `/tasks/${steps.length}`,
            message: `Step ${number} has no closing parenthesis; it is read as if one stood at the end of the line.`,
          },
          { line: from + 1, column: line.trimEnd().length + 1 },
        ),
      );
    } else {
      const rest = call.slice(end.index + 1).trim();
      if (rest !== "" && !rest.startsWith("#")) {
        diagnostics.push(
          diagnose(
            {
              code: "not_carried_over",
              severity: "warning",
              taskId: number,
              pointer: `/tasks/${steps.length}`,
              message: `What follows the call of step ${number} is left out: ${quote(rest)}.`,
            },
            position,
          ),
        );
      }
    }
    steps.push({
      number: Number(number),
      tool,
      argumentsText,
      callText: `${tool}(${argumentsText})`,
      thought: thought === "" ? undefined : thought,
      position,
    });
    thought = undefined;
    if (lines.slice(from, index + 1).some((original) => END_MARK.test(original))) break;
  }
  return { steps, preamble: preamble.join("\n").trim(), diagnostics };
}

const withoutEnd = (line: string): string => line.replace(/\r$/, "").replace(END_MARK, "");

const startsSomething = (line: string): boolean => STEP_START.test(line) || THOUGHT.test(line) || END_MARK.test(line);

/** Where the call's parenthesis closes (outside quotes, else the last one on the line), and whether a text is left open. */
function closingParenthesis(call: string): { index: number; insideText: boolean } {
  let depth = 1;
  let quoteMark = "";
  let previous = "(";
  for (let at = 0; at < call.length; at++) {
    const character = call.charAt(at);
    if (quoteMark !== "") {
      if (character === "\\") at++;
      else if (character === quoteMark) quoteMark = "";
      continue;
    }
    // A quote opens a text only where a value may begin: the apostrophe of a bare word does not.
    if ((character === '"' || character === "'") && "([{,:=".includes(previous)) quoteMark = character;
    else if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return { index: at, insideText: false };
    if (!/\s/.test(character)) previous = character;
  }
  const last = /\)\s*(?:#\w*)?\s*$/.exec(call);
  if (last !== null && quoteMark !== "") return { index: last.index, insideText: false };
  return { index: -1, insideText: quoteMark !== "" };
}
