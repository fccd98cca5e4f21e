import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import type { Condition } from "#kernel/plan/plan";
import { err } from "#kernel/result";
import { diagnose } from "../diagnose";
import type { PlanFormat } from "../plan-format";
import type { StructuredDocument } from "../structured-document";
import { type ChoiceConditions, choiceConditions } from "./asl-choice";
import { type Machine, readMachine, type State, type Transition } from "./asl-machine";
import { carryRetry, carryTimeout } from "./carry-retry";
import { allOf, anyOf, endedAs } from "./conditions";
import { passOn } from "./control-tasks";
import { carryValue, outputOf } from "./foreign-values";
import { listOf, numberOf, textOf } from "./read-fields";
import { refuseAt, WorkflowDraft } from "./workflow-draft";

/**
 * Amazon States Language: every state is a task, every transition an edge. A choice passes on what decides it, and the
 * states behind it have its rules as their conditions. The states of a parallel state's branches come before the
 * state itself, which gathers them. A loop of states stays a loop: it is drawn, and must be taken apart before a run.
 */
export const aslFormat: PlanFormat = {
  id: "asl",
  title: "Amazon States Language",

  detect: ({ document }) =>
    isJsonObject(document?.value) &&
    typeof getOwn(document.value, "StartAt") === "string" &&
    isJsonObject(getOwn(document.value, "States")),

  import: ({ document, fileName }) => {
    if (document === undefined || !isJsonObject(document.value))
      return err([diagnose({ code: "syntax", message: "A state machine is JSON." })]);
    const machine = readMachine(document.value);
    if (machine === undefined)
      return err(refuseAt(document, "/States", "There are more transitions than a plan may have."));
    const [repeated] = machine.repeated;
    if (repeated !== undefined)
      return err(refuseAt(document, repeated, "Another state of this machine has the same name already."));
    return new AslImport(document, document.value, machine).finish(fileName);
  },
};

class AslImport {
  readonly #draft: WorkflowDraft;
  readonly #machine: Machine;
  readonly #definition: JsonObject;
  readonly #choices = new Map<string, ChoiceConditions | undefined>();

  constructor(document: StructuredDocument, definition: JsonObject, machine: Machine) {
    this.#definition = definition;
    this.#machine = machine;
    const { states, incoming } = machine;
    this.#draft = new WorkflowDraft(document, [...states.keys(), ...incoming.keys()]);
  }

  finish(fileName: string | undefined) {
    for (const state of this.#machine.states.values()) this.#add(state);
    return this.#draft.finish({
      format: aslFormat,
      name: undefined,
      objective: textOf(this.#definition, "Comment"),
      fileName,
      deadlineSeconds: numberOf(this.#definition, "TimeoutSeconds"),
      notes: [
        "A Task became a placeholder named after its resource, called with its parameters; paths such as $.a stay as text, since a state's input is not one task's output.",
        "Where a path of a choice cannot be followed, fill in the value that it is passed: until then the rule does not hold.",
        "ResultPath, ResultSelector and OutputPath are left out: what a task gives stands in its own output.",
      ],
    });
  }

  #add(state: State): void {
    const { definition, name, pointer, type } = state;
    const draft = this.#draft;
    const incoming = this.#machine.incoming.get(name) ?? [];
    const dependencies = new Map(incoming.map((edge) => [draft.names.idFor(edge.from), edge.pointer]));
    for (const end of state.branchEnds) dependencies.set(draft.names.idFor(end), pointer);
    const caught = listOf(definition, "Catch").length > 0;
    const retriers = listOf(definition, "Retry").filter(isJsonObject);
    if (retriers.some((retrier) => !listOf(retrier, "ErrorEquals").includes("States.ALL")))
      draft.lost(
        `${pointer}/Retry`,
        "Only these errors are tried again there; the plan tries again what its capability calls retryable.",
        name,
      );
    if (Object.hasOwn(definition, "HeartbeatSeconds"))
      draft.lost(`${pointer}/HeartbeatSeconds`, "A plan knows no heartbeat of a task.", name);
    draft.add({
      foreignId: name,
      pointer,
      ...this.#call(state),
      dependencies,
      notes: textOf(definition, "Comment"),
      fields: {
        ...this.#joined(state, incoming),
        ...this.#loop(state),
        ...(caught && type !== "Parallel" ? { onFailure: "continue" } : {}),
        ...this.#retry(retriers),
        ...carryTimeout(numberOf(definition, "TimeoutSeconds")),
      },
    });
  }

  #call({ definition, name, type, pointer, branchEnds }: State): { capability: string; arguments: JsonObject } {
    const { names, placeholders } = this.#draft;
    const given = getOwn(definition, "Parameters") ?? getOwn(definition, "Arguments") ?? {};
    const parameters = isJsonObject(given) ? carryValue(given) : { input: carryValue(given) };
    const asArguments = isJsonObject(parameters) ? parameters : {};
    switch (type) {
      case "Task":
        return {
          capability: placeholders.nameFor(capabilityOf(textOf(definition, "Resource") ?? "")),
          arguments: asArguments,
        };
      case "Wait": {
        const seconds = numberOf(definition, "Seconds");
        if (seconds !== undefined && seconds >= 0)
          return { capability: "wait.sleep", arguments: { seconds: Math.min(seconds, 604_800) } };
        this.#draft.lost(pointer, "Until when this waits is not known in a plan.", name);
        return { capability: placeholders.nameFor("states.wait"), arguments: carryFields(definition) };
      }
      case "Choice": {
        const choice = this.#choice(name, definition);
        if (choice !== undefined) {
          this.#draft.lost(
            `${pointer}/Choices`,
            `Fill in what decides here: ${choice.variables.join(", ").slice(0, 300)}.`,
            name,
          );
          return passOn({});
        }
        this.#draft.lost(
          `${pointer}/Choices`,
          "These rules have no counterpart: the placeholder must say at #/next which state follows.",
          name,
        );
        return { capability: placeholders.nameFor("states.choice"), arguments: carryFields(definition) };
      }
      case "Parallel":
      case "Map":
        return passOn(branchEnds.map((end) => outputOf(names.idFor(end))));
      case "Pass":
        return passOn(carryValue(getOwn(definition, "Result") ?? given));
      case "Succeed":
        return passOn({});
      case "Fail":
        return {
          capability: "test.fail",
          arguments: {
            message: (textOf(definition, "Cause") ?? textOf(definition, "Error") ?? name)
              .slice(0, 1_000)
              .replaceAll("${", () => "$${"),
          },
        };
      default:
        return { capability: placeholders.nameFor(`states.${type}`), arguments: carryFields(definition) };
    }
  }

  /** A state runs when one of the transitions into it is taken; which, its condition says. */
  #joined(state: State, incoming: readonly Transition[]): object {
    if (incoming.length === 0) return {};
    const [only] = incoming;
    if (incoming.length === 1 && only?.kind === "next" && state.branchEnds.length === 0) return {};
    const taken = incoming.map((edge) => this.#taken(edge, state));
    if (only !== undefined && incoming.length === 1 && only.kind === "choice") return { when: taken[0] };
    return { join: "all_done", when: anyOf(taken) };
  }

  #taken(edge: Transition, state: State): Condition {
    const taskId = this.#draft.names.idFor(edge.from);
    const succeeded = endedAs({ taskId, ends: ["succeeded"] });
    const from = this.#machine.states.get(edge.from);
    if (edge.kind === "next") return succeeded;
    if (edge.kind === "choice") return allOf([succeeded, this.#chosen(from, taskId, edge.to)]);
    if (!edge.catchesAll)
      this.#draft.lost(
        edge.pointer,
        "A plan does not tell errors apart: what catches only some of them never runs, until its condition is changed.",
        state.name,
      );
    if (!edge.catchesAll) return false;
    const inner = from === undefined || from.inner.length === 0 ? [edge.from] : from.inner;
    return anyOf(inner.map((name) => endedAs({ taskId: this.#draft.names.idFor(name), ends: ["failed"] })));
  }

  #chosen(choice: State | undefined, taskId: string, to: string): Condition {
    const conditions = choice === undefined ? undefined : this.#choice(choice.name, choice.definition);
    if (conditions === undefined) return { value: outputOf(taskId, "/next"), equals: to };
    return conditions.chosen(taskId, to);
  }

  #choice(name: string, definition: JsonObject): ChoiceConditions | undefined {
    if (!this.#choices.has(name)) this.#choices.set(name, choiceConditions(definition));
    return this.#choices.get(name);
  }

  /** The states of a Map run once for each item. */
  #loop({ map, name, pointer }: State): object {
    if (map === undefined) return {};
    this.#draft.lost(pointer, `“${map}” runs this for each of its items: give the list as forEach.`, name);
    return { forEach: [] };
  }

  #retry(retriers: readonly JsonObject[]): object {
    const most = retriers.reduce<JsonObject | undefined>(
      (best, retrier) => (best === undefined || attempts(retrier) > attempts(best) ? retrier : best),
      undefined,
    );
    if (most === undefined) return {};
    return carryRetry({
      retries: attempts(most),
      backoffSeconds: numberOf(most, "IntervalSeconds") ?? 1,
      backoffFactor: numberOf(most, "BackoffRate") ?? 2,
      maxBackoffSeconds: numberOf(most, "MaxDelaySeconds"),
    });
  }
}

const attempts = (retrier: JsonObject): number => numberOf(retrier, "MaxAttempts") ?? 3;

function carryFields(definition: JsonObject): JsonObject {
  const carried: JsonValue = carryValue(definition);
  return isJsonObject(carried) ? carried : {};
}

/** `arn:aws:states:::aws-sdk:s3:getObject` → `aws.s3.getObject`; a function or an activity by its name. */
function capabilityOf(resource: string): string {
  const service = /^arn:[\w-]+:states:[^:]*:[^:]*:(?:aws-sdk:)?([^:]+):([^.:]+)/.exec(resource);
  if (service !== null) return `aws.${service[1]}.${service[2]}`;
  const called = /^arn:[\w-]+:lambda:[^:]*:[^:]*:function:([^:]+)/.exec(resource);
  return called === null ? `aws.${resource === "" ? "task" : resource}` : `aws.lambda.${called[1]}`;
}
