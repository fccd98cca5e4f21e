import { isJsonObject, type JsonValue, setOwn } from "#kernel/json";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { escapeText } from "#kernel/plan/reference-grammar";
import { count, diagnose } from "./diagnose";
import { finishImport } from "./finish-import";
import { looksLikeSteps, readSteps, type Step } from "./llmcompiler-steps";
import { Placeholders } from "./placeholders";
import type { PlanFormat } from "./plan-format";
import type { Position } from "./position";
import { type Argument, readPythonArguments } from "./python-literals";
import { hasMeaning } from "./reference-text";

/** `$1` or `${1}`, as the format's own executor finds them. */
const STEP_REFERENCE = /\$(?:\{(\d{1,9})\}|(\d{1,9}))/g;
const WHOLE_REFERENCE = /^\s*\$(?:\{(\d{1,9})\}|(\d{1,9}))\s*$/;

const MATH_TOOLS: ReadonlySet<string> = new Set(["math", "calculate", "calculator", "calc"]);
/** Numbers, references, operators and calls of functions: something a calculator can evaluate as it stands. */
const ARITHMETIC = /^(?:[\s\d.,()+\-*/^%]|\$\{?\d+\}?|[a-z][a-z0-9]*(?=\s*\()|pi\b|e\b)+$/;

/** Parameter names of the tools that the format's own plans use, by position. */
const PARAMETERS: ReadonlyMap<string, readonly string[]> = new Map([
  ["search", ["query"]],
  ["math", ["problem", "context"]],
]);

/**
 * Plan text of LLMCompiler: numbered calls, `$1` for a step's result, `join()` at the end.
 *
 * Arithmetic becomes `math.evaluate`, `join()` a `text.join` of the results that no other step uses, so that it waits
 * for everything. Every other tool keeps its name as the capability: validation says that it is not registered, and
 * the arguments are there to be mapped.
 */
export const llmcompilerFormat: PlanFormat = {
  id: "llmcompiler",
  title: "LLMCompiler plan",

  detect: ({ text, document }) => document === undefined && looksLikeSteps(text),

  import: ({ text, fileName }) => {
    const { steps, preamble, diagnostics: found } = readSteps(text);
    const diagnostics: Diagnostic[] = [...found];
    const kinds = new Map(steps.map((step) => [step.number, kindOf(step)]));
    const placeholders = new Placeholders();
    const context: Context = { kinds, diagnostics, placeholders, resultUsed: new Set() };
    const drafts = steps.map((step, index) => ({ step, ...draftTask(step, index, context) }));
    const question = preamble.replace(/^Question:\s*/i, "");

    return finishImport({
      format: llmcompilerFormat,
      name: question.split("\n", 1)[0]?.slice(0, 200),
      objective: question,
      fileName,
      tasks: drafts.map(({ step, capability, taskArguments, dependsOn }): JsonValue => {
        const isJoin = kinds.get(step.number) === "join";
        const joined = isJoin ? joinedSteps(step, context) : [];
        return {
          id: String(step.number),
          title: step.callText.slice(0, 1_000),
          capability,
          arguments: isJoin ? { parts: joined.map((number) => interpolation(number, context)) } : taskArguments,
          dependsOn,
          ...(step.thought === undefined ? {} : { notes: step.thought.slice(0, 10_000) }),
        };
      }),
      diagnostics,
      placeholders,
      notes: describeMapping(kinds),
      locate: (pointers) =>
        new Map(
          [...pointers].map((pointer): [string, Position] => [
            pointer,
            steps[Number(/^\/tasks\/(\d+)/.exec(pointer)?.[1] ?? -1)]?.position ?? { line: 1, column: 1 },
          ]),
        ),
    });
  },
};

type StepKind = "join" | "arithmetic" | "other";

interface Context {
  readonly kinds: ReadonlyMap<number, StepKind>;
  readonly diagnostics: Diagnostic[];
  readonly placeholders: Placeholders;
  /** Steps whose result another step uses. */
  readonly resultUsed: Set<number>;
}

interface TaskDraft {
  readonly capability: string;
  readonly taskArguments: JsonValue;
  readonly dependsOn: string[];
}

function kindOf(step: Step): StepKind {
  if (step.tool === "join" || step.tool === "join_finish" || step.tool === "finish") return "join";
  if (!MATH_TOOLS.has(step.tool)) return "other";
  const values = readPythonArguments(step.argumentsText);
  const expression = values?.length === 1 ? values[0]?.value : values === undefined ? step.argumentsText : undefined;
  return typeof expression === "string" && ARITHMETIC.test(expression) ? "arithmetic" : "other";
}

function draftTask(step: Step, index: number, context: Context): TaskDraft {
  const given: readonly Argument[] = readPythonArguments(step.argumentsText) ?? [{ value: step.argumentsText }];
  const place: Place = { step, pointer: `/tasks/${index}` };
  const kind = context.kinds.get(step.number);
  const values = given.map(({ name, value }) => ({ name, value: convert(value, place, context) }));
  if (kind === "join") {
    const named = [...step.argumentsText.matchAll(STEP_REFERENCE)].map((match) => String(Number(match[1] ?? match[2])));
    return { capability: "text.join", taskArguments: {}, dependsOn: [...new Set(named)] };
  }
  if (kind === "arithmetic") {
    return { capability: "math.evaluate", taskArguments: { expression: values[0]?.value ?? "" }, dependsOn: [] };
  }
  const parameters = PARAMETERS.get(step.tool) ?? [];
  const taskArguments: Record<string, JsonValue> = {};
  for (const [position, { name, value }] of values.entries()) {
    const fallback = values.length === 1 ? "input" : `input${position + 1}`;
    setOwn(taskArguments, name ?? parameters[position] ?? fallback, value);
  }
  return { capability: context.placeholders.nameFor(step.tool), taskArguments, dependsOn: [] };
}

interface Place {
  readonly step: Step;
  readonly pointer: string;
}

/** Text and references of the plan text as ours: a whole `$1` keeps its type, one within a text is interpolated. */
function convert(value: JsonValue, place: Place, context: Context): JsonValue {
  if (typeof value === "string") return convertText(value, place, context);
  if (Array.isArray(value)) return value.map((item: JsonValue) => convert(item, place, context));
  if (isJsonObject(value)) {
    if (hasMeaning(value)) return { $literal: value };
    const members: Record<string, JsonValue> = {};
    for (const [key, member] of Object.entries(value))
      setOwn(members, escapeText(key), convert(member, place, context));
    return members;
  }
  return value;
}

function convertText(text: string, place: Place, context: Context): JsonValue {
  const whole = WHOLE_REFERENCE.exec(text);
  if (whole !== null) {
    const number = Number(whole[1] ?? whole[2]);
    if (context.kinds.get(place.step.number) !== "join") context.resultUsed.add(number);
    return { $output: `${number}${resultPointer(number, context)}` };
  }
  let converted = "";
  let from = 0;
  for (const match of text.matchAll(STEP_REFERENCE)) {
    const number = Number(match[1] ?? match[2]);
    converted += escapeText(text.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[1] !== undefined || context.kinds.has(number)) {
      if (context.kinds.get(place.step.number) !== "join") context.resultUsed.add(number);
      converted += interpolation(number, context);
    } else {
      // An amount of money looks the same; a reference to nothing would stop the whole plan.
      converted += escapeText(match[0]);
      context.diagnostics.push(
        diagnose(
          {
            code: "reference_missing_task",
            severity: "warning",
            pointer: place.pointer,
            taskId: String(place.step.number),
            message: `There is no step ${number}; "${match[0]}" is kept as text.`,
          },
          place.step.position,
        ),
      );
    }
  }
  return converted + escapeText(text.slice(from));
}

const interpolation = (number: number, context: Context): string => `\${${number}${resultPointer(number, context)}}`;

/** Which part of a step's output is its result, where we know the capability. */
function resultPointer(number: number, context: Context): string {
  const kind = context.kinds.get(number);
  return kind === "arithmetic" ? "#/result" : kind === "join" ? "#/text" : "";
}

/** What `join()` waits for: the steps before it that nothing else uses, hence all of them. */
function joinedSteps(join: Step, { kinds, resultUsed }: Context): number[] {
  return [...kinds].flatMap(([number, kind]) =>
    number < join.number && kind !== "join" && !resultUsed.has(number) ? [number] : [],
  );
}

function describeMapping(kinds: ReadonlyMap<number, StepKind>): string[] {
  const of = (kind: StepKind) => [...kinds.values()].filter((candidate) => candidate === kind).length;
  const notes: string[] = [];
  if (of("arithmetic") > 0) notes.push(`${count(of("arithmetic"), "calculation")} became math.evaluate.`);
  if (of("join") > 0) notes.push("join() became text.join of the results that no other step uses.");
  return notes;
}
