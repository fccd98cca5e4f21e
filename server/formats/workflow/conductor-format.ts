import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import type { Condition } from "#kernel/plan/plan";
import { err } from "#kernel/result";
import { diagnose } from "../diagnose";
import type { PlanFormat } from "../plan-format";
import type { StructuredDocument } from "../structured-document";
import { carryRetry, carryTimeout } from "./carry-retry";
import { allOf, type End, equalsText, joinOf, notOf, whenOf } from "./conditions";
import { PASSED_ON, passOn } from "./control-tasks";
import { carryText, carryValue, outputOf } from "./foreign-values";
import { listOf, numberOf, objectOf, textOf, textsOf } from "./read-fields";
import { WorkflowDraft } from "./workflow-draft";

const isTask = (value: JsonValue): value is JsonObject =>
  isJsonObject(value) && typeof getOwn(value, "taskReferenceName") === "string";

/**
 * Conductor workflow definitions: tasks in their order, forks and joins, decisions with their cases. Forks, joins and
 * decisions are tasks that pass on what they were given; a worker becomes a placeholder of its own name.
 */
export const conductorFormat: PlanFormat = {
  id: "conductor",
  title: "Conductor workflow",

  detect: ({ document }) => {
    const value = document?.value;
    if (!isJsonObject(value) || (textOf(value, "format") ?? "").startsWith("planwright/")) return false;
    return listOf(value, "tasks").some(isTask);
  },

  import: ({ document, fileName }) => {
    if (document === undefined || !isJsonObject(document.value))
      return err([diagnose({ code: "syntax", message: "A Conductor workflow is JSON." })]);
    return new ConductorImport(document, document.value).finish(fileName);
  },
};

/** What a task waits for, and the case of a decision that it stands in. */
interface Before {
  readonly tasks: readonly string[];
  readonly when?: Condition;
}

class ConductorImport {
  readonly #draft: WorkflowDraft;
  readonly #definition: JsonObject;
  /** Tasks that were drawn, and the ends with which the next one goes on. */
  readonly #ends = new Map<string, readonly End[]>();

  constructor(document: StructuredDocument, definition: JsonObject) {
    this.#definition = definition;
    this.#draft = new WorkflowDraft(document, referenceNames(definition));
  }

  finish(fileName: string | undefined) {
    this.#sequence(listOf(this.#definition, "tasks"), "/tasks", { tasks: [] });
    const seconds = numberOf(this.#definition, "timeoutSeconds");
    if (Object.hasOwn(this.#definition, "failureWorkflow"))
      this.#draft.lost("/failureWorkflow", "The workflow that follows a failure has no place in a plan.");
    return this.#draft.finish({
      format: conductorFormat,
      name: textOf(this.#definition, "name"),
      objective: textOf(this.#definition, "description"),
      fileName,
      deadlineSeconds: seconds === undefined || seconds <= 0 ? undefined : seconds,
      notes: [
        "A worker became a placeholder of its name, called with its inputParameters; ${task.output.x} is read at #/x of its output.",
        "What the workflow is started with is not known in a plan: ${workflow.input.…} stays as text.",
      ],
    });
  }

  /** Tasks one after the other. @returns what the task behind them waits for. */
  #sequence(tasks: readonly JsonValue[], pointer: string, before: Before): readonly string[] {
    let waits: Before = before;
    for (const [index, task] of tasks.entries()) {
      if (isTask(task)) waits = { tasks: this.#add(task, `${pointer}/${index}`, waits) };
      else this.#draft.lost(`${pointer}/${index}`, "This is no task: it has no taskReferenceName. It is left out.");
    }
    return waits.tasks;
  }

  #add(task: JsonObject, pointer: string, before: Before): readonly string[] {
    const name = textOf(task, "taskReferenceName") ?? "";
    const type = textOf(task, "type") ?? "SIMPLE";
    const joinOn = textsOf(task, "joinOn");
    const parents = type === "JOIN" && joinOn.length > 0 ? joinOn : before.tasks;
    const body =
      type === "DO_WHILE" ? this.#sequence(listOf(task, "loopOver"), `${pointer}/loopOver`, before) : parents;
    if (type === "DO_WHILE")
      this.#draft.lost(`${pointer}/loopOver`, "A plan has no loops: what is repeated runs once.", name);
    this.#emit(task, { name, type, pointer, parents: body, when: type === "DO_WHILE" ? undefined : before.when });
    if (type === "FORK_JOIN") {
      const ends = listOf(task, "forkTasks").flatMap((branch, index) =>
        this.#sequence(Array.isArray(branch) ? branch : [], `${pointer}/forkTasks/${index}`, { tasks: [name] }),
      );
      // Without branches what follows still waits for the fork.
      return ends.length > 0 ? ends : [name];
    }
    return type === "DECISION" || type === "SWITCH" ? this.#cases(task, name, pointer) : [name];
  }

  #cases(task: JsonObject, name: string, pointer: string): readonly string[] {
    const value = outputOf(this.#draft.names.idFor(name), `${PASSED_ON}/case`);
    const cases = Object.entries(objectOf(task, "decisionCases") ?? {});
    const chosen = cases.map(([label]) => equalsText(value, label));
    const ends = cases.flatMap(([label, tasks], index) => {
      const at = `${pointer}/decisionCases/${label.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      return this.#sequence(Array.isArray(tasks) ? tasks : [], at, { tasks: [name], when: chosen[index] ?? true });
    });
    const otherwise = { tasks: [name], when: allOf(chosen.map(notOf)) };
    return [
      ...new Set([...ends, ...this.#sequence(listOf(task, "defaultCase"), `${pointer}/defaultCase`, otherwise), name]),
    ];
  }

  #emit(
    task: JsonObject,
    place: { name: string; type: string; pointer: string; parents: readonly string[]; when: Condition | undefined },
  ): void {
    const { name, type, pointer, parents, when } = place;
    const draft = this.#draft;
    const optional = getOwn(task, "optional") === true;
    const settings = objectOf(task, "taskDefinition") ?? {};
    // Behind a decision only one case ran; what was not chosen is skipped.
    const several = parents.length > 1 && type !== "JOIN";
    const requirements = parents.map((parent) => ({
      taskId: draft.names.idFor(parent),
      ends: [
        ...new Set<End>([...(this.#ends.get(parent) ?? ["succeeded"]), ...(several ? (["skipped"] as const) : [])]),
      ],
    }));
    const joined = joinOf(requirements);
    this.#ends.set(name, optional ? ["succeeded", "failed"] : ["succeeded"]);
    draft.add({
      foreignId: name,
      pointer,
      title: textOf(task, "description"),
      ...this.#call(task, { name, type, pointer, parents }),
      dependencies: new Map(requirements.map(({ taskId }) => [taskId, pointer])),
      fields: {
        ...(type === "EXCLUSIVE_JOIN" ? { join: "any_succeeded" } : joined),
        ...whenOf(type === "EXCLUSIVE_JOIN" ? undefined : joined.when, when),
        ...(optional ? { onFailure: "continue" } : {}),
        ...carryRetry({
          retries: numberOf(settings, "retryCount") ?? 0,
          backoffSeconds: numberOf(settings, "retryDelaySeconds"),
          backoffFactor: textOf(settings, "retryLogic") === "EXPONENTIAL_BACKOFF" ? 2 : 1,
        }),
        ...carryTimeout(numberOf(settings, "timeoutSeconds")),
        ...(type === "FORK_JOIN_DYNAMIC" ? this.#dynamic(task, pointer, name) : {}),
      },
    });
  }

  #call(
    task: JsonObject,
    { name, type, pointer, parents }: { name: string; type: string; pointer: string; parents: readonly string[] },
  ) {
    const { names, placeholders } = this.#draft;
    const kept = new Set<string>();
    const input = this.#carry(getOwn(task, "inputParameters") ?? {}, kept);
    if (kept.size > 0)
      this.#draft.lost(`${pointer}/inputParameters`, `Stays as text: ${[...kept].join(", ").slice(0, 300)}.`, name);
    const called = isJsonObject(input) ? input : {};
    const worker = (tool: string) => ({ capability: placeholders.nameFor(tool), arguments: called });
    switch (type) {
      case "SIMPLE":
        return worker(textOf(task, "name") ?? name);
      case "FORK_JOIN":
        return passOn({});
      case "JOIN":
      case "EXCLUSIVE_JOIN":
        return passOn(parents.map((parent) => outputOf(names.idFor(parent), "", null)));
      case "DECISION":
      case "SWITCH": {
        const parameter = textOf(task, "caseValueParam") ?? textOf(task, "expression") ?? "";
        const decides = Object.hasOwn(called, parameter) ? called[parameter] : undefined;
        if (decides === undefined)
          this.#draft.lost(
            pointer,
            "The expression that decides here has no counterpart: give its value as “case”.",
            name,
          );
        return passOn({ case: decides ?? null });
      }
      case "SUB_WORKFLOW":
        return worker(`conductor.workflow.${textOf(objectOf(task, "subWorkflowParam") ?? {}, "name") ?? name}`);
      case "FORK_JOIN_DYNAMIC":
        return {
          capability: placeholders.nameFor("conductor.dynamic"),
          arguments: { ...called, task: outputOf("item") },
        };
      default:
        return worker(`conductor.${type.toLowerCase()}`);
    }
  }

  /** The tasks that a task makes at run time: one instance each. */
  #dynamic(task: JsonObject, pointer: string, name: string): object {
    const list = this.#carry(
      getOwn(objectOf(task, "inputParameters") ?? {}, textOf(task, "dynamicForkTasksParam") ?? "") ?? null,
    );
    if (isJsonObject(list) || Array.isArray(list)) return { forEach: list };
    this.#draft.lost(pointer, "The list of tasks is not known in a plan: give it as forEach.", name);
    return { forEach: [] };
  }

  /** @param kept gets the expressions that stay as text. */
  #carry(value: JsonValue, kept = new Set<string>()): JsonValue {
    return carryValue(value, (text) =>
      carryText(text, /\$\{([^{}]*)\}/g, (inner) => {
        const [, name = "", path = ""] = /^([\w-]+)\.output((?:\.[\w-]+|\[\d+\])*)$/.exec(inner) ?? [];
        if (!this.#ends.has(name)) {
          kept.add(inner);
          return undefined;
        }
        return outputOf(this.#draft.names.idFor(name), path.replaceAll(/\[(\d+)\]/g, ".$1").replaceAll(".", "/"));
      }),
    );
  }
}

/** Every reference name in the definition, however deep. */
function referenceNames(definition: JsonObject): string[] {
  const names: string[] = [];
  const open: JsonValue[] = [definition];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (isTask(value)) names.push(textOf(value, "taskReferenceName") ?? "");
    for (const member of Object.values(value)) open.push(member);
  }
  return names;
}
