import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "#kernel/json";
import type { Condition } from "#kernel/plan/plan";
import { err } from "#kernel/result";
import { diagnose } from "../diagnose";
import type { PlanFormat } from "../plan-format";
import type { StructuredDocument } from "../structured-document";
import { carryTimeout } from "./carry-retry";
import { allOf, anyOf, type End, joinOf, type Requirement, whenOf } from "./conditions";
import { type Expression, parseExpression } from "./expression";
import { carryText, carryValue, outputOf } from "./foreign-values";
import { matrixItems } from "./github-actions-matrix";
import { numberOf, objectOf, textOf, textsOf } from "./read-fields";
import { type Translation, translateCondition } from "./translate-condition";
import { WorkflowDraft } from "./workflow-draft";

/** Fields of a job that the plan says in its own words; everything else is called with. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  "name",
  "needs",
  "if",
  "strategy",
  "timeout-minutes",
  "continue-on-error",
  "concurrency",
]);

/**
 * GitHub Actions workflows: a job is a task, `needs` its edges, `if` its condition, a matrix a list it runs for. The
 * steps are not run by anything of ours: they are what the placeholder is called with.
 */
export const githubActionsFormat: PlanFormat = {
  id: "github-actions",
  title: "GitHub Actions workflow",

  detect: ({ document }) => {
    const jobs = isJsonObject(document?.value) ? objectOf(document.value, "jobs") : undefined;
    return (
      jobs !== undefined &&
      Object.values(jobs).some((job) => isJsonObject(job) && ["runs-on", "uses"].some((key) => Object.hasOwn(job, key)))
    );
  },

  import: ({ document, fileName }) => {
    const workflow = document?.value;
    if (document === undefined || !isJsonObject(workflow))
      return err([diagnose({ code: "syntax", message: "A GitHub Actions workflow is YAML." })]);
    return new WorkflowImport(document, workflow).finish(fileName);
  },
};

/** Bounded, and without a brace of its own: a text full of openings is still read once. */
const EXPRESSION = /\$\{\{((?:[^{}']|'[^']{0,2000}'|\}(?!\})){0,2000})\}\}/g;

interface JobView {
  readonly name: string;
  readonly job: JsonObject;
  readonly pointer: string;
  readonly needs: readonly string[];
  readonly ended: Map<End, Condition>;
  /** What `matrix` means in it. */
  readonly matrix: "item" | undefined;
  /** True where it may start although a job before it gave no output. */
  lenient: boolean;
}

class WorkflowImport {
  readonly #draft: WorkflowDraft;
  readonly #workflow: JsonObject;
  readonly #jobs: ReadonlyMap<string, JsonObject>;

  constructor(document: StructuredDocument, workflow: JsonObject) {
    const jobs = Object.entries(objectOf(workflow, "jobs") ?? {}).flatMap(([name, job]): [string, JsonObject][] =>
      isJsonObject(job) ? [[name, job]] : [],
    );
    this.#workflow = workflow;
    this.#jobs = new Map(jobs);
    const referred = jobs.flatMap(([, job]) => textsOf(job, "needs"));
    this.#draft = new WorkflowDraft(document, [...this.#jobs.keys(), ...referred]);
  }

  finish(fileName: string | undefined) {
    for (const [name, job] of this.#jobs) this.#add(name, job);
    for (const key of ["env", "defaults", "concurrency", "permissions"]) {
      if (Object.hasOwn(this.#workflow, key))
        this.#draft.lost(`/${key}`, `The workflow's “${key}” holds for all its jobs; the plan has no place for it.`);
    }
    return this.#draft.finish({
      format: githubActionsFormat,
      name: textOf(this.#workflow, "name"),
      fileName,
      notes: [
        "What starts the workflow is left out: a plan is started by a person or a call.",
        "A job became a placeholder that is called with its steps; what it says as outputs is read at #/outputs of its output. Expressions that ask for anything but these and the matrix stay as text.",
        "Where a matrix job fails, its other jobs go on; a plan does not stop them.",
      ],
    });
  }

  #add(name: string, job: JsonObject): void {
    const draft = this.#draft;
    const pointer = `/jobs/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const needs = [...new Set(textsOf(job, "needs"))];
    const forEach = this.#matrix(name, job, pointer);
    const view: JobView = {
      ended: new Map(),
      name,
      job,
      pointer,
      needs,
      matrix: forEach === undefined ? undefined : "item",
      lenient: false,
    };
    const { condition, always } = this.#condition(view);
    const joined = joinOf(needs.map((need) => this.#requirement(need)));
    view.lenient = needs.length > 0 && (always || joined.join !== undefined);
    const uses = textOf(job, "uses");
    const called = Object.fromEntries(Object.entries(job).filter(([key]) => !OWN_WORDS.has(key)));
    const dependencies = needs.map((need, index): [string, string] => [
      draft.names.idFor(need),
      Array.isArray(getOwn(job, "needs")) ? `${pointer}/needs/${index}` : `${pointer}/needs`,
    ]);
    const minutes = numberOf(job, "timeout-minutes");
    const original = textOf(job, "if");
    draft.add({
      foreignId: name,
      pointer,
      title: textOf(job, "name"),
      capability: draft.placeholders.nameFor(
        uses === undefined ? "github.job" : `github.workflow.${uses.replace(/^.*\//, "")}`,
      ),
      arguments: this.#carry(called, view),
      dependencies: new Map(dependencies),
      notes: original === undefined ? undefined : `if: ${original}`,
      fields: {
        ...(always && needs.length > 0
          ? { join: "all_done", ...whenOf(condition) }
          : { ...joined, ...whenOf(joined.when, condition) }),
        ...(forEach === undefined ? {} : { forEach }),
        ...(getOwn(job, "continue-on-error") === true ? { onFailure: "continue" } : {}),
        ...this.#uses(name, job, pointer),
        ...carryTimeout(minutes === undefined ? undefined : minutes * 60),
      },
    });
  }

  #requirement(need: string): Requirement {
    const job = this.#jobs.get(need);
    const goesOn = job !== undefined && getOwn(job, "continue-on-error") === true;
    const ends: readonly End[] = goesOn ? ["succeeded", "failed"] : ["succeeded"];
    return { taskId: this.#draft.names.idFor(need), ends };
  }

  /** A job's `if`, and whether it may run where a job before it did not succeed. */
  #condition(view: JobView): { condition: Condition | undefined; always: boolean } {
    const written = getOwn(view.job, "if");
    if (written === undefined || written === null) return { condition: undefined, always: false };
    const text = String(written)
      .trim()
      .replace(/^\$\{\{([\s\S]*)\}\}$/, "$1");
    const expression = parseExpression(text);
    const always = /\b(always|failure|cancelled)\s*\(/.test(text);
    const translation: Translation = translateCondition(expression, {
      value: (part) => this.#valueOf(part, view),
      condition: (part) => this.#special(part, view),
    });
    if (!translation.exact) {
      const message = `This condition asks for something that is not known in a plan, and that part counts as met: ${text.replace(/\s+/g, " ").slice(0, 200)}.`;
      this.#draft.lost(`${view.pointer}/if`, message, view.name);
    }
    return { condition: translation.condition, always };
  }

  #special(part: Expression, view: JobView): Condition | undefined {
    const needs = view.needs.map((need) => this.#draft.names.idFor(need));
    const someEnded = (is: End): Condition => {
      const condition = view.ended.get(is) ?? anyOf(needs.map((status): Condition => ({ status, is })));
      view.ended.set(is, condition);
      return condition;
    };
    if (part.kind === "call") {
      if (part.name === "always") return true;
      if (part.name === "success") return allOf(needs.map((status): Condition => ({ status, is: "succeeded" })));
      if (part.name === "failure") return someEnded("failed");
      if (part.name === "cancelled") return false;
      const [list, wanted] = part.arguments;
      const asksResults = list?.kind === "path" && list.path.join(".") === "needs.*.result";
      const end = wanted?.kind === "literal" ? ENDS.get(String(wanted.value)) : undefined;
      return part.name === "contains" && asksResults && end !== undefined ? anyOf(end.map(someEnded)) : undefined;
    }
    if (part.kind !== "compare" || (part.operator !== "==" && part.operator !== "!=")) return undefined;
    const [path, literal] = part.left.kind === "path" ? [part.left, part.right] : [part.right, part.left];
    if (path.kind !== "path" || literal.kind !== "literal") return undefined;
    const [scope, need, member] = path.path;
    const end = ENDS.get(String(literal.value));
    if (scope !== "needs" || need === undefined || member !== "result" || end === undefined) return undefined;
    if (!view.needs.includes(need)) return undefined;
    const status = this.#draft.names.idFor(need);
    const met = anyOf(end.map((is): Condition => ({ status, is })));
    return part.operator === "==" ? met : { not: met };
  }

  #valueOf(part: Expression, view: JobView): JsonValue | undefined {
    if (part.kind === "literal") return typeof part.value === "string" ? carryValue(part.value) : part.value;
    return part.kind === "path" ? this.#resolve(part.path, view, "") : undefined;
  }

  /** `needs.job.outputs.name` and `matrix.axis`; undefined for every other context. */
  #resolve([scope, name, kind, output, ...rest]: readonly string[], view: JobView, fallback: string | undefined) {
    if (scope === "needs" && name !== undefined && kind === "outputs" && output !== undefined && rest.length === 0) {
      if (!view.needs.includes(name)) return undefined;
      return outputOf(this.#draft.names.idFor(name), `/outputs/${pointerPart(output)}`, fallback);
    }
    if (scope === "matrix" && view.matrix === "item" && name !== undefined) {
      const path = [name, kind, output, ...rest].filter((part) => part !== undefined);
      return outputOf("item", path.map((part) => `/${pointerPart(part)}`).join(""));
    }
    return undefined;
  }

  #carry(value: JsonValue, view: JobView): JsonValue {
    return carryValue(value, (text) =>
      carryText(text, EXPRESSION, (inner) => {
        const expression = parseExpression(inner);
        if (expression?.kind !== "path") return undefined;
        const whole = text.trim().startsWith("${{") && text.trim().indexOf("}}") === text.trim().length - 2;
        // Within a text no default can stand, and a skipped job has no output.
        if (view.lenient && !whole && expression.path[0] === "needs") return undefined;
        return this.#resolve(expression.path, view, view.lenient ? "" : undefined);
      }),
    );
  }

  #matrix(name: string, job: JsonObject, pointer: string): JsonValue | undefined {
    const matrix = getOwn(objectOf(job, "strategy") ?? {}, "matrix");
    if (matrix === undefined || matrix === null) return undefined;
    const at = `${pointer}/strategy/matrix`;
    if (typeof matrix === "string") {
      const inner = /^\$\{\{\s*fromJSON\(\s*needs\.([\w-]+)\.outputs\.([\w-]+)\s*\)\s*\}\}$/i.exec(matrix.trim());
      const [, need = "", output = ""] = inner ?? [];
      if (!textsOf(job, "needs").includes(need)) {
        this.#draft.lost(at, "This matrix is not known before the run: write it as forEach.", name);
        return undefined;
      }
      this.#draft.lost(
        at,
        `The matrix is made by “${need}”: its placeholder must give the jobs as a list of objects.`,
        name,
      );
      return outputOf(this.#draft.names.idFor(need), `/outputs/${pointerPart(output)}`);
    }
    const items = isJsonObject(matrix) ? matrixItems(matrix) : undefined;
    if (items === undefined || items.length === 0)
      this.#draft.lost(at, "This matrix is not known before the run: write it as forEach.", name);
    return items === undefined || items.length === 0 ? undefined : items.map((item) => carryValue(item));
  }

  /** Jobs that must not run at once share a pool. */
  #uses(name: string, job: JsonObject, pointer: string): object {
    const uses: Record<string, number> = {};
    const strategy = objectOf(job, "strategy") ?? {};
    const most = numberOf(strategy, "max-parallel");
    if (most !== undefined && Number.isInteger(most) && most > 0) {
      this.#draft.addPool(`matrix:${name}`, most);
      setOwn(uses, `matrix:${name}`, 1);
    }
    const concurrency = getOwn(job, "concurrency");
    const group = typeof concurrency === "string" ? concurrency : textOf(objectOf(job, "concurrency") ?? {}, "group");
    if (group?.includes("${{") === true) {
      this.#draft.lost(`${pointer}/concurrency`, "The name of this concurrency group is made at run time.", name);
    } else if (group !== undefined) {
      this.#draft.addPool(`concurrency:${group}`, 1);
      setOwn(uses, `concurrency:${group}`, 1);
    }
    return Object.keys(uses).length === 0 ? {} : { uses };
  }
}

/** How the engine names the ends of a job. A job that was not run since another failed is skipped there. */
const ENDS: ReadonlyMap<string, readonly End[]> = new Map([
  ["success", ["succeeded"]],
  ["failure", ["failed"]],
  ["cancelled", ["cancelled"]],
  ["skipped", ["skipped", "cancelled"]],
]);

const pointerPart = (text: string): string => text.replaceAll("~", "~0").replaceAll("/", "~1");
