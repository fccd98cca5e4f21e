import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import { listOf, objectOf, textOf } from "./read-fields";

/** A task of the workflow; one whose template is a DAG or steps of its own holds their tasks. */
export interface ArgoNode {
  /** Its name within its template. */
  readonly name: string;
  /** Its name in the plan: the names of the tasks around it before its own. */
  readonly id: string;
  readonly task: JsonObject;
  readonly pointer: string;
  readonly template: string;
  readonly children: readonly ArgoNode[];
  /** Names of the siblings that it waits for because they stand in the group of steps before it. */
  readonly before: readonly string[];
}

export interface ArgoTemplate {
  readonly value: JsonObject;
  readonly pointer: string;
}

interface Expansion {
  readonly templates: ReadonlyMap<string, ArgoTemplate>;
  /** Tasks that may still be made: templates that call each other would make them without end. */
  room: number;
  readonly lost: (pointer: string, message: string) => void;
}

const LOOPS = ["withItems", "withParam", "withSequence"] as const;

export const isLoop = (task: JsonObject): boolean => LOOPS.some((key) => Object.hasOwn(task, key));

/** The tasks of a template, with those of the templates they call within them. */
export function expandTemplate(
  name: string,
  prefix: string,
  expansion: Expansion,
  open: readonly string[] = [],
): readonly ArgoNode[] {
  const template = expansion.templates.get(name);
  if (template === undefined) return [];
  return callsOf(template).map(({ task, pointer, before }, index): ArgoNode => {
    const taskName = textOf(task, "name") ?? `task-${index + 1}`;
    const id = `${prefix}${taskName}`;
    const called = calledTemplate(task);
    const node = { name: taskName, id, task, pointer, before, template: called };
    expansion.room--;
    const inner = expansion.templates.get(called);
    if (inner === undefined || !isComposite(inner.value)) return { ...node, children: [] };
    const keep = (why: string): ArgoNode => {
      expansion.lost(pointer, `The template “${called}” stands as one task: ${why}.`);
      return { ...node, children: [] };
    };
    if (isLoop(task)) return keep("it runs once for each item, and a plan repeats single tasks");
    if (called === name || open.includes(called)) return keep("it calls itself, and a plan has no loops");
    if (open.length >= 20 || expansion.room < callsOf(inner).length) return keep("there would be too many tasks");
    return { ...node, children: expandTemplate(called, `${id}.`, expansion, [...open, name]) };
  });
}

export const isComposite = (template: JsonObject): boolean =>
  objectOf(template, "dag") !== undefined || Array.isArray(getOwn(template, "steps"));

interface Call {
  readonly task: JsonObject;
  readonly pointer: string;
  readonly before: readonly string[];
}

const callsByTemplate = new WeakMap<ArgoTemplate, readonly Call[]>();

/** Read once for each template, however often it is called. */
function callsOf(template: ArgoTemplate): readonly Call[] {
  const calls = callsByTemplate.get(template) ?? readCalls(template);
  callsByTemplate.set(template, calls);
  return calls;
}

function readCalls({ value, pointer }: ArgoTemplate): readonly Call[] {
  const dag = objectOf(value, "dag");
  if (dag !== undefined) {
    return listOf(dag, "tasks").flatMap((task, index) =>
      isJsonObject(task) ? [{ task, pointer: `${pointer}/dag/tasks/${index}`, before: [] }] : [],
    );
  }
  let before: readonly string[] = [];
  return listOf(value, "steps").flatMap((group, groupIndex) => {
    const steps = (Array.isArray(group) ? (group as readonly JsonValue[]) : [group]).flatMap((task, index) =>
      isJsonObject(task) ? [{ task, pointer: `${pointer}/steps/${groupIndex}/${index}`, before }] : [],
    );
    if (steps.length > 0) before = steps.flatMap(({ task }) => textOf(task, "name") ?? []);
    return steps;
  });
}

function calledTemplate(task: JsonObject): string {
  const reference = objectOf(task, "templateRef") ?? {};
  return textOf(task, "template") ?? textOf(reference, "template") ?? textOf(task, "name") ?? "template";
}
