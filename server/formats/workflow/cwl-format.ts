import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "#kernel/json";
import type { Condition } from "#kernel/plan/plan";
import { err } from "#kernel/result";
import { diagnose } from "../diagnose";
import type { PlanFormat } from "../plan-format";
import type { StructuredDocument } from "../structured-document";
import { parseExpression } from "./expression";
import { carryValue, outputOf } from "./foreign-values";
import { textOf, textsOf } from "./read-fields";
import { translateCondition } from "./translate-condition";
import { refuseAt, WorkflowDraft } from "./workflow-draft";

interface Workflow {
  readonly value: JsonObject;
  readonly pointer: string;
}

/** The workflow of a document: itself, or the main one of a packed file. */
function findWorkflow(value: JsonValue | undefined): Workflow | undefined {
  if (!isJsonObject(value)) return undefined;
  if (textOf(value, "class") === "Workflow") return { value, pointer: "" };
  const packed = namedEntries(getOwn(value, "$graph"), "id", "/$graph");
  const workflows = packed.filter((entry) => textOf(entry.value, "class") === "Workflow");
  return workflows.find(({ name }) => name === "main") ?? workflows[0];
}

interface Entry {
  readonly name: string;
  readonly value: JsonObject;
  readonly pointer: string;
}

/** A list of objects with an id, or an object of them by name; a plain value stands for `{source}`. */
function namedEntries(value: JsonValue | undefined, key: string, pointer: string): Entry[] {
  const asObject = (entry: JsonValue): JsonObject => (isJsonObject(entry) ? entry : { source: entry });
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).flatMap((entry, index): Entry[] =>
      isJsonObject(entry)
        ? [{ name: lastPart(textOf(entry, key) ?? `${index}`), value: entry, pointer: `${pointer}/${index}` }]
        : [],
    );
  }
  return Object.entries(isJsonObject(value) ? value : {}).map(([name, entry]) => ({
    name,
    value: asObject(entry),
    pointer: `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
  }));
}

/** `#main/rev/input` → `input`. */
const lastPart = (id: string): string => id.replace(/^.*[#/]/, "");

/**
 * Common Workflow Language: the steps of a Workflow, their sources as edges. Tools are not run: each becomes a
 * placeholder that is called with the step's inputs. A workflow within a step stays one task.
 */
export const cwlFormat: PlanFormat = {
  id: "cwl",
  title: "Common Workflow Language",

  detect: ({ document }) => isJsonObject(document?.value) && typeof getOwn(document.value, "cwlVersion") === "string",

  import: ({ document, fileName }) => {
    if (document === undefined) return err([diagnose({ code: "syntax", message: "A CWL workflow is YAML." })]);
    const workflow = findWorkflow(document.value);
    if (workflow === undefined)
      return err(refuseAt(document, "", "This is no CWL Workflow: a single tool has no steps to plan."));
    return new CwlImport(document, workflow).finish(fileName);
  },
};

class CwlImport {
  readonly #draft: WorkflowDraft;
  readonly #workflow: Workflow;
  readonly #steps: readonly Entry[];
  readonly #names: ReadonlySet<string>;
  readonly #defaults = new Map<string, JsonValue>();
  readonly #unset = new Set<string>();

  constructor(document: StructuredDocument, workflow: Workflow) {
    this.#workflow = workflow;
    this.#steps = namedEntries(getOwn(workflow.value, "steps"), "id", `${workflow.pointer}/steps`);
    this.#names = new Set(this.#steps.map(({ name }) => name));
    this.#draft = new WorkflowDraft(document, this.#names);
    for (const { name, value } of namedEntries(getOwn(workflow.value, "inputs"), "id", "")) {
      const given = getOwn(value, "default");
      if (given !== undefined) this.#defaults.set(name, carryValue(given));
    }
  }

  finish(fileName: string | undefined) {
    for (const step of this.#steps) this.#add(step);
    if (this.#unset.size > 0) {
      const names = [...this.#unset].join(", ").slice(0, 300);
      this.#draft.lost(
        `${this.#workflow.pointer}/inputs`,
        `No value is given for ${names}: the tasks have null there.`,
      );
    }
    return this.#draft.finish({
      format: cwlFormat,
      name: textOf(this.#workflow.value, "label"),
      objective: textOf(this.#workflow.value, "doc"),
      fileName,
      notes: [
        "Tools are not run: each became a placeholder, called with its step's inputs; an output NAME is read at #/NAME of a task's output.",
      ],
    });
  }

  #add({ name, value: step, pointer }: Entry): void {
    const inputs = new Map<string, JsonValue>();
    const dependencies = new Map<string, string>();
    for (const input of namedEntries(getOwn(step, "in"), "id", `${pointer}/in`)) {
      const sources = [...textsOf(input.value, "source")];
      const values = sources.map((source) => this.#source(source, { at: input.pointer, dependencies }));
      const fallback = carryValue(getOwn(input.value, "default") ?? null);
      inputs.set(input.name, sources.length > 1 ? values : (values[0] ?? fallback));
      if (
        Object.hasOwn(input.value, "valueFrom") ||
        Object.hasOwn(input.value, "linkMerge") ||
        Object.hasOwn(input.value, "pickValue")
      )
        this.#draft.lost(
          input.pointer,
          `What is made of the source of “${input.name}” does not come over: it is passed as it is.`,
          name,
        );
    }
    const when = this.#when(step, { name, pointer, inputs });
    const loop = this.#scatter(step, { name, pointer, inputs });
    const called: Record<string, JsonValue> = {};
    for (const [key, value] of inputs)
      setOwn(
        called,
        key.replaceAll("${", () => "$${"),
        value,
      );
    this.#draft.add({
      foreignId: name,
      pointer,
      title: textOf(step, "label"),
      capability: this.#draft.placeholders.nameFor(`cwl.${toolOf(step, name)}`),
      arguments: called,
      dependencies,
      notes: textOf(step, "doc"),
      fields: { ...loop, ...(when === undefined || when === true ? {} : { when }) },
    });
  }

  /** `step/output` of another step, or an input of the workflow. */
  #source(source: string, { at, dependencies }: { at: string; dependencies: Map<string, string> }): JsonValue {
    const parts = source.replace(/^#/, "").split("/");
    const [step, output] = parts.slice(-2);
    if (step !== undefined && output !== undefined && this.#names.has(step)) {
      const taskId = this.#draft.names.idFor(step);
      if (!dependencies.has(taskId)) dependencies.set(taskId, at);
      return outputOf(taskId, `/${output.replaceAll("~", "~0")}`);
    }
    const input = lastPart(source);
    const value = this.#defaults.get(input);
    if (value === undefined) this.#unset.add(input);
    return value ?? null;
  }

  #when(
    step: JsonObject,
    { name, pointer, inputs }: { name: string; pointer: string; inputs: ReadonlyMap<string, JsonValue> },
  ): Condition | undefined {
    const text = textOf(step, "when");
    if (text === undefined) return undefined;
    const { condition, exact } = translateCondition(parseExpression(text.trim().replace(/^\$\(([\s\S]*)\)$/, "$1")), {
      value: (part) => {
        if (part.kind === "literal") return typeof part.value === "string" ? carryValue(part.value) : part.value;
        const [scope, input = "", ...rest] = part.kind === "path" ? part.path : [];
        return scope === "inputs" && rest.length === 0 ? (inputs.get(input) ?? undefined) : undefined;
      },
    });
    if (!exact)
      this.#draft.lost(
        `${pointer}/when`,
        `A part of this condition is not known in a plan, and counts as met: ${text.slice(0, 200)}.`,
        name,
      );
    return condition;
  }

  /** One input that is scattered becomes `forEach`. */
  #scatter(
    step: JsonObject,
    { name, pointer, inputs }: { name: string; pointer: string; inputs: Map<string, JsonValue> },
  ): object {
    const scattered = textsOf(step, "scatter").map(lastPart);
    const [only] = scattered;
    if (only === undefined) return {};
    const list = inputs.get(only);
    if (scattered.length > 1) {
      this.#draft.lost(
        `${pointer}/scatter`,
        "Several inputs are scattered at once: write their combinations as forEach.",
        name,
      );
      return {};
    }
    inputs.set(only, outputOf("item"));
    if (Array.isArray(list) || isJsonObject(list)) return { forEach: list };
    this.#draft.lost(`${pointer}/scatter`, `The list for “${only}” is not known: give it as forEach.`, name);
    return { forEach: [] };
  }
}

function toolOf(step: JsonObject, name: string): string {
  const run = getOwn(step, "run");
  if (typeof run === "string") return lastPart(run.replace(/\.cwl$/, ""));
  return isJsonObject(run) ? lastPart(textOf(run, "id") ?? name) : name;
}
