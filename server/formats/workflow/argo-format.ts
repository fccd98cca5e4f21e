import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import { DEFAULT_PLAN_LIMITS } from "#kernel/plan/limits";
import type { Condition } from "#kernel/plan/plan";
import { err } from "#kernel/result";
import { diagnose } from "../diagnose";
import type { PlanFormat } from "../plan-format";
import type { StructuredDocument } from "../structured-document";
import { type ArgoNode, type ArgoTemplate, expandTemplate, isComposite, isLoop } from "./argo-tree";
import { carryRetry, carryTimeout } from "./carry-retry";
import { allOf, anyOf, type End, endedAs, joinOf, type Requirement, whenOf } from "./conditions";
import { secondsOf } from "./durations";
import { type Expression, parseExpression } from "./expression";
import { asText, carryText, carryValue, outputOf } from "./foreign-values";
import { listOf, numberOf, objectOf, textOf, textsOf } from "./read-fields";
import { translateCondition } from "./translate-condition";
import { refuseAt, WorkflowDraft } from "./workflow-draft";

/** Tasks that templates within templates may make. */
const EXPANDED_MAX = 20_000;
/** Characters of a parameter that is put into others: each level could double it. */
const PARAMETER_LENGTH_MAX = 4_000;

/**
 * Argo Workflows: the DAG or steps of the entry point, with those of the templates they call in their place. What
 * containers and scripts do is not carried over: each template becomes a placeholder that is called with its parameters.
 */
export const argoFormat: PlanFormat = {
  id: "argo",
  title: "Argo Workflow",

  detect: ({ document }) =>
    isJsonObject(document?.value) && (textOf(document.value, "apiVersion") ?? "").startsWith("argoproj.io/"),

  import: ({ document, fileName }) => {
    if (document === undefined || !isJsonObject(document.value))
      return err([diagnose({ code: "syntax", message: "An Argo Workflow is YAML." })]);
    const inner = objectOf(objectOf(document.value, "spec") ?? {}, "workflowSpec");
    const pointer = inner === undefined ? "/spec" : "/spec/workflowSpec";
    const spec = inner ?? objectOf(document.value, "spec") ?? {};
    const templates = new Map(
      listOf(spec, "templates").flatMap((value, index): [string, ArgoTemplate][] =>
        isJsonObject(value) ? [[textOf(value, "name") ?? "", { value, pointer: `${pointer}/templates/${index}` }]] : [],
      ),
    );
    const entry = textOf(spec, "entrypoint") ?? [...templates].find(([, { value }]) => isComposite(value))?.[0];
    const template = entry === undefined ? undefined : templates.get(entry);
    if (entry === undefined || template === undefined)
      return err(refuseAt(document, pointer, "The template of the entry point does not stand in this file."));
    return new ArgoImport(document, spec, pointer, templates).finish(entry, fileName);
  },
};

interface Scope {
  readonly siblings: ReadonlyMap<string, ArgoNode>;
  readonly parameters: ReadonlyMap<string, JsonValue>;
  /** What a task that names nothing before it waits for, and where that is said. */
  readonly before: readonly Requirement[];
  readonly when: readonly Condition[];
}

class ArgoImport {
  readonly #draft: WorkflowDraft;
  readonly #document: StructuredDocument;
  readonly #spec: JsonObject;
  readonly #pointer: string;
  readonly #templates: ReadonlyMap<string, ArgoTemplate>;
  readonly #globals: ReadonlyMap<string, JsonValue>;
  readonly #last = new Map<ArgoNode, readonly ArgoNode[]>();
  #edges = 0;

  constructor(
    document: StructuredDocument,
    spec: JsonObject,
    pointer: string,
    templates: ReadonlyMap<string, ArgoTemplate>,
  ) {
    this.#document = document;
    this.#spec = spec;
    this.#pointer = pointer;
    this.#templates = templates;
    this.#draft = new WorkflowDraft(document, []);
    this.#globals = this.#argumentsOf(spec, undefined);
  }

  finish(entry: string, fileName: string | undefined) {
    const lost = (pointer: string, message: string) => this.#draft.lost(pointer, message);
    const expansion = { templates: this.#templates, room: EXPANDED_MAX, lost };
    const entryTemplate = this.#templates.get(entry);
    const tree: readonly ArgoNode[] =
      entryTemplate === undefined || isComposite(entryTemplate.value)
        ? expandTemplate(entry, "", expansion)
        : [
            {
              name: entry,
              id: entry,
              task: {},
              pointer: entryTemplate.pointer,
              template: entry,
              children: [],
              before: [],
            },
          ];
    this.#addAll(tree, { parameters: this.#globals, before: [], when: [] });
    if (this.#edges > DEFAULT_PLAN_LIMITS.edges)
      return err(refuseAt(this.#document, this.#pointer, `There are more than ${DEFAULT_PLAN_LIMITS.edges} edges.`));
    for (const key of ["onExit", "hooks", "synchronization"]) {
      if (Object.hasOwn(this.#spec, key))
        this.#draft.lost(`${this.#pointer}/${key}`, `“${key}” of the workflow has no place in a plan.`);
    }
    if (entryTemplate !== undefined && Object.hasOwn(entryTemplate.value, "parallelism"))
      this.#draft.lost(
        `${entryTemplate.pointer}/parallelism`,
        "How many of these may run at once the plan does not say.",
      );
    const value = this.#document.value;
    const metadata = (isJsonObject(value) ? objectOf(value, "metadata") : undefined) ?? {};
    return this.#draft.finish({
      format: argoFormat,
      name: textOf(metadata, "name") ?? textOf(metadata, "generateName")?.replace(/-+$/, ""),
      objective: textOf(objectOf(metadata, "annotations") ?? {}, "workflows.argoproj.io/description"),
      fileName,
      maxParallel: wholeAbove0(numberOf(this.#spec, "parallelism")),
      deadlineSeconds: numberOf(this.#spec, "activeDeadlineSeconds"),
      notes: [
        "Containers, scripts and volumes are not run: a template became a placeholder, called with its parameters; its result is read at #/result, an output parameter NAME at #/parameters/NAME. Expressions that only the engine knows stay as text.",
        "A task that fails stops what waits for it; the others go on, whatever failFast says.",
      ],
    });
  }

  #addAll(nodes: readonly ArgoNode[], outer: Omit<Scope, "siblings">): void {
    const scope: Scope = { ...outer, siblings: new Map(nodes.map((node) => [node.name, node])) };
    const forgiven = new Set(nodes.flatMap(({ task }) => handledFailures(task)));
    for (const node of nodes) {
      if (this.#edges > DEFAULT_PLAN_LIMITS.edges) return;
      this.#add(node, scope, forgiven.has(node.name));
    }
  }

  #add(node: ArgoNode, scope: Scope, forgiven: boolean): void {
    const { names, placeholders } = this.#draft;
    const waits = this.#waits(node, scope);
    const when = this.#when(node, scope);
    const conditions = when === undefined ? scope.when : [...scope.when, when];
    const parameters = this.#argumentsOf(objectOf(node.task, "arguments") ?? {}, scope);
    if (node.children.length > 0) {
      const holder = this.#templates.get(node.template);
      if (holder !== undefined && Object.hasOwn(holder.value, "parallelism"))
        this.#draft.lost(node.pointer, `How many tasks of “${node.template}” may run at once the plan does not say.`);
      const inner = waits.condition === undefined ? conditions : [...conditions, waits.condition];
      // Where a condition says how they must have ended, any end lets the tasks within look at it.
      const before =
        waits.condition === undefined
          ? waits.requirements
          : waits.requirements.map(({ taskId }) => ({ taskId, ends: ENDS }));
      this.#addAll(node.children, { parameters, before, when: inner });
      return;
    }
    const template = this.#templates.get(node.template)?.value ?? {};
    const retry = objectOf(template, "retryStrategy");
    const backoff = objectOf(retry ?? {}, "backoff") ?? {};
    const joined =
      waits.condition === undefined ? joinOf(waits.requirements) : { join: "all_done", when: waits.condition };
    const suspend = objectOf(template, "suspend");
    const pause = suspend === undefined ? undefined : secondsOf(getOwn(suspend, "duration"));
    const call =
      suspend === undefined
        ? { capability: placeholders.nameFor(`argo.${node.template}`), arguments: Object.fromEntries(parameters) }
        : pause === undefined
          ? { capability: "human.ask", arguments: { question: `Continue with ${node.name}?` } }
          : { capability: "wait.sleep", arguments: { seconds: Math.min(pause, 604_800) } };
    this.#draft.add({
      foreignId: node.id,
      pointer: node.pointer,
      ...call,
      dependencies: new Map(waits.requirements.map(({ taskId }) => [names.idFor(taskId), node.pointer])),
      fields: {
        ...joined,
        ...whenOf(joined.when, ...conditions),
        ...this.#loop(node, scope),
        ...(forgiven ? { onFailure: "continue" } : {}),
        ...carryRetry({
          retries: numberOf(retry ?? {}, "limit") ?? (retry === undefined ? 0 : 99),
          backoffSeconds: secondsOf(getOwn(backoff, "duration")),
          backoffFactor: numberOf(backoff, "factor"),
        }),
        ...carryTimeout(secondsOf(getOwn(template, "timeout")) ?? numberOf(template, "activeDeadlineSeconds")),
      },
    });
  }

  /** The parents of a task, and the condition where `depends` asks for more than that they went well. */
  #waits(node: ArgoNode, scope: Scope): { requirements: readonly Requirement[]; condition?: Condition } {
    const depends = textOf(node.task, "depends");
    const expression = depends === undefined ? undefined : parseExpression(depends);
    const plain = expression === undefined ? undefined : plainNames(expression);
    const named =
      depends === undefined ? [...textsOf(node.task, "dependencies"), ...node.before] : (plain ?? namesIn(expression));
    if (depends !== undefined && expression === undefined)
      this.#draft.lost(
        `${node.pointer}/depends`,
        "This expression cannot be read; the task waits for nothing.",
        node.id,
      );
    const requirements = [...new Set(named)].flatMap((name) => this.#requirements(name, scope));
    if (named.length === 0) this.#edges += scope.before.length;
    if (named.length === 0) return { requirements: scope.before };
    if (depends === undefined || plain !== undefined || expression === undefined) return { requirements };
    const { condition } = translateCondition(expression, {
      value: () => undefined,
      condition: (part) => (part.kind === "path" ? this.#ended(part.path, scope) : undefined),
    });
    return { requirements, condition };
  }

  #requirements(name: string, scope: Scope): Requirement[] {
    const sibling = scope.siblings.get(name);
    if (sibling === undefined) return [{ taskId: name, ends: ["succeeded"] }];
    const goesOn = objectOf(sibling.task, "continueOn");
    const ends: End[] = ["succeeded"];
    if (Object.hasOwn(sibling.task, "when") || scope.when.length > 0) ends.push("skipped");
    if (goesOn !== undefined && (getOwn(goesOn, "failed") === true || getOwn(goesOn, "error") === true))
      ends.push("failed");
    if (this.#edges > DEFAULT_PLAN_LIMITS.edges) return [];
    const last = this.#lastOf(sibling);
    this.#edges += last.length;
    return last.map(({ id }) => ({ taskId: this.#draft.names.idFor(id), ends }));
  }

  #lastOf(node: ArgoNode): readonly ArgoNode[] {
    const last = this.#last.get(node) ?? lastOf(node);
    this.#last.set(node, last);
    return last;
  }

  #ended([name = "", status]: readonly string[], scope: Scope): Condition | undefined {
    const ends = status === undefined ? (["succeeded", "skipped"] as const) : STATUSES.get(status);
    const sibling = scope.siblings.get(name);
    if (ends === undefined || this.#edges > DEFAULT_PLAN_LIMITS.edges) return undefined;
    const ids = (sibling === undefined ? [name] : this.#lastOf(sibling).map(({ id }) => id)).map((id) =>
      this.#draft.names.idFor(id),
    );
    const conditions = ids.map((taskId) => endedAs({ taskId, ends }));
    return ends.includes("failed") ? anyOf(conditions) : allOf(conditions);
  }

  #when(node: ArgoNode, scope: Scope): Condition | undefined {
    const text = textOf(node.task, "when");
    if (text === undefined) return undefined;
    const { condition, exact } = translateCondition(parseExpression(text), {
      value: (part) => {
        if (part.kind === "template") return this.#resolve(part.text, scope);
        if (part.kind === "path") return carryValue(part.path.join("."));
        if (part.kind !== "literal") return undefined;
        return typeof part.value === "string" ? this.#carry(part.value, scope) : part.value;
      },
    });
    if (!exact)
      this.#draft.lost(
        `${node.pointer}/when`,
        `A part of this condition is not known in a plan, and counts as met: ${text.slice(0, 200)}.`,
        node.id,
      );
    return condition;
  }

  #loop({ task, pointer, id }: ArgoNode, scope: Scope): object {
    if (!isLoop(task)) return {};
    const items = getOwn(task, "withItems");
    const given = Array.isArray(items) ? carryValue(items, (text) => this.#carry(text, scope)) : undefined;
    const list = given ?? this.#carry(textOf(task, "withParam") ?? "", scope) ?? "";
    const sequence = objectOf(task, "withSequence");
    if (sequence !== undefined) {
      const start = numberOf(sequence, "start") ?? 0;
      const length = numberOf(sequence, "count") ?? (numberOf(sequence, "end") ?? -1) - start + 1;
      if (Number.isInteger(start) && Number.isInteger(length) && length > 0 && length <= 1_000)
        return { forEach: Array.from({ length }, (_, index) => String(start + index)) };
    }
    if (Array.isArray(list) || isJsonObject(list)) return { forEach: list };
    const written = typeof list === "string" ? listIn(list) : undefined;
    if (written !== undefined) return { forEach: carryValue(written) };
    this.#draft.lost(pointer, "The list that this task runs for is not known in a plan: write it as forEach.", id);
    return { forEach: [] };
  }

  #argumentsOf(holder: JsonObject, scope: Scope | undefined): Map<string, JsonValue> {
    const carried = new Map<string, JsonValue>();
    const own = scope === undefined ? (objectOf(holder, "arguments") ?? {}) : holder;
    for (const parameter of listOf(own, "parameters")) {
      const name = isJsonObject(parameter) ? textOf(parameter, "name") : undefined;
      const value = isJsonObject(parameter) ? getOwn(parameter, "value") : undefined;
      if (name === undefined || value === undefined) continue;
      carried.set(
        name,
        typeof value === "string" && scope !== undefined ? this.#carry(value, scope) : carryValue(value),
      );
    }
    return carried;
  }

  #carry(text: string, scope: Scope): JsonValue {
    const value = carryText(text, /\{\{([^{}]*)\}\}/g, (inner) => this.#resolve(inner, scope));
    return asText(value).length > PARAMETER_LENGTH_MAX && text.length < PARAMETER_LENGTH_MAX ? carryValue(text) : value;
  }

  /** `inputs.parameters.x`, `tasks.a.outputs.…`, `item`; undefined for what only the engine knows. */
  #resolve(inner: string, scope: Scope): JsonValue | undefined {
    const parameter = /^inputs\.parameters\.([\w.-]+)$/.exec(inner)?.[1];
    if (parameter !== undefined) return scope.parameters.get(parameter);
    const global = /^workflow\.parameters\.([\w.-]+)$/.exec(inner)?.[1];
    if (global !== undefined) return this.#globals.get(global);
    const item = /^item((?:\.[\w-]+)*)$/.exec(inner)?.[1];
    if (item !== undefined) return outputOf("item", item.replaceAll(".", "/"));
    const [, name = "", rest = ""] = /^(?:tasks|steps)\.([\w-]+)\.outputs((?:\.[\w-]+)*)$/.exec(inner) ?? [];
    const sibling = scope.siblings.get(name);
    if (sibling === undefined || sibling.children.length > 0) return undefined;
    const id = this.#draft.names.idFor(sibling.id);
    // A task that runs for each item gives a list of its outputs; the engine would pick the part of each.
    return isLoop(sibling.task) ? outputOf(id) : outputOf(id, rest.replaceAll(".", "/"));
  }
}

const ENDS: readonly End[] = ["succeeded", "failed", "skipped", "cancelled"];

const STATUSES: ReadonlyMap<string, readonly End[]> = new Map([
  ["Succeeded", ["succeeded"]],
  ["AnySucceeded", ["succeeded"]],
  ["Failed", ["failed"]],
  ["Errored", ["failed"]],
  ["AllFailed", ["failed"]],
  ["Skipped", ["skipped"]],
  ["Omitted", ["skipped", "cancelled"]],
]);

/** The tasks of a node that nothing within it waits for. */
function lastOf(node: ArgoNode): readonly ArgoNode[] {
  if (node.children.length === 0) return [node];
  const followed = new Set(
    node.children.flatMap(({ task, before }) => {
      const depends = textOf(task, "depends");
      return [
        ...textsOf(task, "dependencies"),
        ...before,
        ...(depends === undefined ? [] : namesIn(parseExpression(depends))),
      ];
    }),
  );
  return node.children.filter(({ name }) => !followed.has(name)).flatMap(lastOf);
}

/** `a && b`, nothing but names; undefined for any other expression. */
function plainNames(expression: Expression): readonly string[] | undefined {
  const parts = expression.kind === "and" ? expression.parts : [expression];
  const names = parts.flatMap((part) => (part.kind === "path" && part.path.length === 1 ? part.path : []));
  return names.length === parts.length ? names : undefined;
}

function namesIn(expression: Expression | undefined): readonly string[] {
  if (expression === undefined) return [];
  if (expression.kind === "path") return expression.path.slice(0, 1);
  if (expression.kind === "not") return namesIn(expression.part);
  return expression.kind === "and" || expression.kind === "or" ? expression.parts.flatMap(namesIn) : [];
}

/** Siblings whose failure this task is there for. */
const handledFailures = (task: JsonObject): readonly string[] =>
  [...(textOf(task, "depends") ?? "").matchAll(/([\w-]+)\.(?:Failed|Errored|AllFailed)\b/g)].map(
    (match) => match[1] ?? "",
  );

function listIn(text: string): readonly JsonValue[] | undefined {
  try {
    const value: unknown = JSON.parse(text.replaceAll("$${", () => "${"));
    return Array.isArray(value) ? (value as readonly JsonValue[]) : undefined;
  } catch {
    return undefined;
  }
}

const wholeAbove0 = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isInteger(value) && value > 0 && value <= 10_000 ? value : undefined;
