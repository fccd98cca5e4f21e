import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import { DEFAULT_PLAN_LIMITS } from "#kernel/plan/limits";
import type { Condition } from "#kernel/plan/plan";
import { err } from "#kernel/result";
import { diagnose } from "../diagnose";
import type { PlanFormat, PlanSource } from "../plan-format";
import type { StructuredDocument } from "../structured-document";
import { carryRetry, carryTimeout } from "./carry-retry";
import { allOf, anyOf, type End, equalsText, joinOf, notOf, whenOf } from "./conditions";
import { secondsOf } from "./durations";
import { carryText, carryValue, outputOf } from "./foreign-values";
import { listOf, numberOf, objectOf, textOf, textsOf } from "./read-fields";
import { refuseAt, WorkflowDraft } from "./workflow-draft";

interface Resource {
  readonly value: JsonObject;
  readonly pointer: string;
}

interface PipelineTask {
  readonly task: JsonObject;
  readonly pointer: string;
  readonly name: string;
  readonly final: boolean;
}

const isTekton = (value: JsonObject): boolean => (textOf(value, "apiVersion") ?? "").startsWith("tekton.dev/");

/** The manifests of a file, one a document. */
function resourcesOf({ document, documents }: PlanSource): Resource[] {
  if (documents === undefined) return isJsonObject(document?.value) ? [{ value: document.value, pointer: "" }] : [];
  return (documents.value as readonly JsonValue[]).flatMap((value, index) =>
    isJsonObject(value) ? [{ value, pointer: `/${index}` }] : [],
  );
}

/**
 * Tekton pipelines. Edges come from `runAfter` and from results that one task uses of another; `finally` tasks wait for
 * everything, however it ended. What the tasks do is not carried over: each Task becomes a placeholder that is called
 * with its params.
 */
export const tektonFormat: PlanFormat = {
  id: "tekton",
  title: "Tekton pipeline",
  readsSeveralDocuments: true,

  detect: (source) => resourcesOf(source).some(({ value }) => isTekton(value)),

  import: (source) => {
    const document = source.documents ?? source.document;
    if (document === undefined) return err([diagnose({ code: "syntax", message: "A Tekton pipeline is YAML." })]);
    const resources = resourcesOf(source).filter(({ value }) => isTekton(value));
    const pipeline = findPipeline(resources);
    if (pipeline === undefined)
      return err(refuseAt(document, resources[0]?.pointer ?? "", "No Pipeline with its tasks stands in this file."));
    const tasks = tasksOf(pipeline.spec, pipeline.pointer);
    const finals = tasks.filter(({ final }) => final).length;
    if (finals * (tasks.length - finals) > DEFAULT_PLAN_LIMITS.edges)
      return err(refuseAt(document, `${pipeline.pointer}/finally`, "There are more edges than a plan may have."));
    return new PipelineImport(document, pipeline, tasks).finish(source.fileName);
  },
};

interface FoundPipeline {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly spec: JsonObject;
  readonly pointer: string;
  readonly run: JsonObject | undefined;
  /** Where further pipelines stand, of which the plan says nothing. */
  readonly others?: readonly string[];
}

/** The pipeline that a PipelineRun of the file holds or names, else the first one. */
function findPipeline(resources: readonly Resource[]): FoundPipeline | undefined {
  const ofKind = (kind: string) => resources.filter(({ value }) => textOf(value, "kind") === kind);
  const nameOf = (value: JsonObject) => textOf(objectOf(value, "metadata") ?? {}, "name");
  const run = ofKind("PipelineRun")[0];
  const runSpec = run === undefined ? undefined : objectOf(run.value, "spec");
  const inline = runSpec === undefined ? undefined : objectOf(runSpec, "pipelineSpec");
  if (run !== undefined && inline !== undefined) {
    const metadata = objectOf(run.value, "metadata") ?? {};
    const name = textOf(metadata, "name") ?? textOf(metadata, "generateName")?.replace(/-+$/, "");
    return { name, description: undefined, spec: inline, pointer: `${run.pointer}/spec/pipelineSpec`, run: runSpec };
  }
  const wanted = textOf(objectOf(runSpec ?? {}, "pipelineRef") ?? {}, "name");
  const pipelines = ofKind("Pipeline");
  // One that a run names and that is not here is not another one.
  const found = wanted === undefined ? pipelines[0] : pipelines.find(({ value }) => nameOf(value) === wanted);
  const spec = found === undefined ? undefined : objectOf(found.value, "spec");
  if (found === undefined || spec === undefined) return undefined;
  const description = textOf(spec, "description");
  const others = pipelines.filter((each) => each !== found).map((each) => each.pointer);
  return { name: nameOf(found.value), description, spec, pointer: `${found.pointer}/spec`, run: runSpec, others };
}

function tasksOf(spec: JsonObject, pointer: string): PipelineTask[] {
  return ["tasks", "finally"].flatMap((key) =>
    listOf(spec, key).flatMap((task, index): PipelineTask[] => {
      if (!isJsonObject(task)) return [];
      const name = textOf(task, "name") ?? `task-${index + 1}`;
      return [{ task, pointer: `${pointer}/${key}/${index}`, name, final: key === "finally" }];
    }),
  );
}

const EXPRESSION = /\$\(([^()]*)\)/g;
const RESULT = /^tasks\.([\w-]+)\.results\.([\w-]+|\['[^']+'\])(?:\[(\*|\d+)\]|\.([\w-]+))?$/;

class PipelineImport {
  readonly #draft: WorkflowDraft;
  /** Time limits that the run sets in the pipeline's place. */
  readonly #timeouts: ReadonlyMap<string, string>;
  readonly #params = new Map<string, JsonValue>();
  readonly #byName: ReadonlyMap<string, PipelineTask>;
  readonly #pipeline: FoundPipeline;
  readonly #tasks: readonly PipelineTask[];

  constructor(document: StructuredDocument, pipeline: FoundPipeline, tasks: readonly PipelineTask[]) {
    this.#pipeline = pipeline;
    this.#tasks = tasks;
    this.#byName = new Map(tasks.map((task) => [task.name, task]));
    const referred = tasks.flatMap(({ task }) => textsOf(task, "runAfter"));
    this.#draft = new WorkflowDraft(document, [...tasks.map(({ name }) => name), ...referred]);
    this.#timeouts = new Map(
      listOf(pipeline.run ?? {}, "taskRunSpecs").flatMap((spec): [string, string][] => {
        const timeout = isJsonObject(spec) ? textOf(spec, "timeout") : undefined;
        return timeout === undefined || !isJsonObject(spec) ? [] : [[textOf(spec, "pipelineTaskName") ?? "", timeout]];
      }),
    );
    for (const pointer of pipeline.others ?? [])
      this.#draft.lost(pointer, "This is another pipeline, which has no place in the same plan.");
    for (const param of listOf(pipeline.spec, "params")) this.#setParam(param, "default");
    for (const param of listOf(pipeline.run ?? {}, "params")) this.#setParam(param, "value");
  }

  #setParam(param: JsonValue, key: string): void {
    const value = isJsonObject(param) ? getOwn(param, key) : undefined;
    const name = isJsonObject(param) ? textOf(param, "name") : undefined;
    if (name !== undefined && value !== undefined) this.#params.set(name, carryValue(value));
  }

  finish(fileName: string | undefined) {
    const followed = new Set<string>();
    for (const { task, name, final } of this.#tasks) {
      if (final) continue;
      for (const parent of this.#resultParents(task)) if (parent !== name) followed.add(parent);
      for (const parent of textsOf(task, "runAfter")) followed.add(parent);
    }
    const last = this.#tasks.filter(({ name, final }) => !final && !followed.has(name));
    for (const task of this.#tasks) this.#add(task, last);
    const { name, description, run, spec, pointer } = this.#pipeline;
    const unset = listOf(spec, "params").flatMap((param) => {
      const param_ = isJsonObject(param) ? textOf(param, "name") : undefined;
      return param_ === undefined || this.#params.has(param_) ? [] : [param_];
    });
    if (unset.length > 0)
      this.#draft.lost(pointer, `No value is given for ${unset.join(", ")}; $(params.…) stays as text.`);
    return this.#draft.finish({
      format: tektonFormat,
      name,
      objective: description,
      fileName,
      deadlineSeconds: secondsOf(textOf(objectOf(run ?? {}, "timeouts") ?? {}, "pipeline")),
      notes: [
        "Steps, images and scripts are not run: a Task became a placeholder, called with its params; a result NAME is read at #/results/NAME of its output.",
        "A workspace stands in the arguments and in reads; which task writes to it the file does not say.",
      ],
    });
  }

  /** Tasks whose results this one uses, in params, conditions and its matrix. */
  #resultParents(task: JsonObject): Set<string> {
    const text = JSON.stringify([getOwn(task, "params"), getOwn(task, "when"), getOwn(task, "matrix")]);
    const names = [...text.matchAll(/\$\(tasks\.([\w-]+)\.results\./g)].map((match) => match[1] ?? "");
    return new Set(names.filter((name) => this.#byName.has(name)));
  }

  #add({ task, pointer, name, final }: PipelineTask, last: readonly PipelineTask[]): void {
    const draft = this.#draft;
    const results = this.#resultParents(task);
    const dependencies = new Map<string, string>();
    const ends: { taskId: string; ends: readonly End[] }[] = [];
    const wait = (parent: string, at: string): void => {
      const taskId = draft.names.idFor(parent);
      if (dependencies.has(taskId)) return;
      dependencies.set(taskId, at);
      const other = this.#byName.get(parent)?.task;
      const may: End[] = ["succeeded"];
      if (other !== undefined && !results.has(parent) && listOf(other, "when").length > 0) may.push("skipped");
      if (other !== undefined && textOf(other, "onError") === "continue") may.push("failed");
      ends.push({ taskId, ends: may });
    };
    for (const [index, parent] of textsOf(task, "runAfter").entries()) wait(parent, `${pointer}/runAfter/${index}`);
    for (const parent of results) wait(parent, pointer);
    if (final) for (const parent of last) wait(parent.name, pointer);

    const condition = this.#when(task, pointer, name);
    const joined = joinOf(ends);
    const matrix = this.#matrix(task, pointer, name);
    const workspaces = listOf(task, "workspaces").flatMap((workspace) =>
      isJsonObject(workspace) ? [textOf(workspace, "workspace") ?? textOf(workspace, "name") ?? ""] : [],
    );
    const timeout = this.#timeouts.get(name) ?? textOf(task, "timeout");
    const hasParents = dependencies.size > 0;
    draft.add({
      foreignId: name,
      pointer,
      title: textOf(task, "displayName"),
      capability: draft.placeholders.nameFor(`tekton.${toolOf(task, name)}`),
      arguments: {
        ...this.#arguments(task, final, matrix?.param),
        ...(workspaces.length === 0 ? {} : { workspaces: carryValue(getOwn(task, "workspaces") ?? []) }),
      },
      dependencies,
      notes: textOf(task, "description"),
      fields: {
        ...(final && hasParents
          ? { join: "all_done", ...whenOf(condition) }
          : { ...joined, ...whenOf(joined.when, condition) }),
        ...(matrix === undefined ? {} : { forEach: matrix.forEach }),
        ...(workspaces.length === 0
          ? {}
          : { reads: workspaces.map((workspace) => `workspace:${workspace}`.slice(0, 1_000)) }),
        ...(textOf(task, "onError") === "continue" ? { onFailure: "continue" } : {}),
        ...carryRetry({ retries: numberOf(task, "retries") ?? 0 }),
        ...carryTimeout(secondsOf(timeout)),
      },
    });
  }

  #arguments(task: JsonObject, final: boolean, item: string | undefined): JsonObject {
    const entries = listOf(task, "params").flatMap((param): [string, JsonValue][] => {
      const name = isJsonObject(param) ? textOf(param, "name") : undefined;
      const value = isJsonObject(param) ? getOwn(param, "value") : undefined;
      return name === undefined || value === undefined ? [] : [[name, this.#value(value, final)]];
    });
    if (item !== undefined) entries.push([item, outputOf("item")]);
    return entries.length === 0 ? {} : { params: Object.fromEntries(entries) };
  }

  #value(value: JsonValue, final = false): JsonValue {
    return carryValue(value, (text) => carryText(text, EXPRESSION, (inner) => this.#resolve(inner, final)));
  }

  #resolve(inner: string, final: boolean): JsonValue | undefined {
    const param = /^params\.([\w-]+)(?:\[\*\])?$/.exec(inner) ?? /^params\[['"]([^'"]+)['"]\]$/.exec(inner);
    if (param !== null) return this.#params.get(param[1] ?? "");
    const result = RESULT.exec(inner);
    const [, task = "", written = "", index, member] = result ?? [];
    if (result === null || !this.#byName.has(task)) return undefined;
    const name = written.replace(/^\['|'\]$/g, "");
    const rest = index === undefined || index === "*" ? "" : `/${index}`;
    const pointer = `/results/${name.replaceAll("~", "~0").replaceAll("/", "~1")}${rest}${member === undefined ? "" : `/${member}`}`;
    return outputOf(this.#draft.names.idFor(task), pointer, final ? null : undefined);
  }

  /** `when` guards: all of them must hold. */
  #when(task: JsonObject, pointer: string, name: string): Condition | undefined {
    const conditions = listOf(task, "when").map((guard, index): Condition => {
      const operator = isJsonObject(guard) ? textOf(guard, "operator") : undefined;
      const input = isJsonObject(guard) ? textOf(guard, "input") : undefined;
      const values = isJsonObject(guard) ? listOf(guard, "values") : [];
      if (input === undefined || (operator !== "in" && operator !== "notin")) {
        this.#draft.lost(`${pointer}/when/${index}`, "This condition has no counterpart; it counts as met.", name);
        return true;
      }
      const status = /^\$\(tasks\.([\w-]+)\.status\)$/.exec(input)?.[1];
      const met = anyOf(
        values.map(
          (value): Condition =>
            status === undefined ? equalsText(this.#value(input), this.#value(value)) : this.#ended(status, value),
        ),
      );
      return operator === "in" ? met : notOf(met);
    });
    return conditions.length === 0 ? undefined : allOf(conditions);
  }

  #ended(task: string, value: JsonValue): Condition {
    const status = this.#draft.names.idFor(task);
    if (value === "Succeeded") return { status, is: "succeeded" };
    if (value === "Failed") return { status, is: "failed" };
    return anyOf([
      { status, is: "skipped" },
      { status, is: "cancelled" },
    ]);
  }

  /** A matrix of one param becomes `forEach`; several would multiply, which no list of this plan says. */
  #matrix(task: JsonObject, pointer: string, name: string): { forEach: JsonValue; param: string } | undefined {
    const matrix = objectOf(task, "matrix");
    if (matrix === undefined) return undefined;
    const params = listOf(matrix, "params").filter(isJsonObject);
    const [only] = params;
    const param = only === undefined ? undefined : textOf(only, "name");
    const forEach = only === undefined ? undefined : this.#value(getOwn(only, "value") ?? null);
    if (params.length === 1 && param !== undefined && (Array.isArray(forEach) || isJsonObject(forEach)))
      return { forEach, param };
    this.#draft.lost(`${pointer}/matrix`, "This matrix does not come over: write it as forEach.", name);
    return undefined;
  }
}

function toolOf(task: JsonObject, name: string): string {
  const reference = objectOf(task, "taskRef") ?? objectOf(task, "pipelineRef");
  return (reference === undefined ? undefined : textOf(reference, "name")) ?? name;
}
