import type { Capability } from "../capability/capability";
import { expandResources, templateArguments } from "../capability/resource";
import { type JsonObject, type JsonValue, setOwn } from "../json";
import { holdsReference } from "./find-references";
import type { Task } from "./plan";
import { resolveValue } from "./reference";

/** What a task will touch, by name; two names are one resource when they are the same text. */
export interface PlannedResources {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Templates of the capability whose arguments come from another task, so that only the run can tell. */
  readonly unknown: readonly string[];
}

/**
 * The resources of a task as far as its plan tells: those it names itself, and the capability's templates over the
 * arguments that hold no reference. At run time the same templates are filled in from the resolved arguments.
 */
export function plannedResourcesOf(
  task: Pick<Task, "reads" | "writes" | "arguments">,
  capability: Pick<Capability, "reads" | "writes"> | undefined,
): PlannedResources {
  const unknown: string[] = [];
  const expand = (templates: readonly string[]): readonly string[] => {
    if (templates.length === 0) return [];
    const known = knownArguments(task.arguments);
    const tellable = templates.filter((template) => templateArguments(template).every((name) => !known.open(name)));
    unknown.push(...templates.filter((template) => !tellable.includes(template)));
    return expandResources(tellable, known.values);
  };
  return {
    reads: [...new Set([...task.reads, ...expand(capability?.reads ?? [])])],
    writes: [...new Set([...task.writes, ...expand(capability?.writes ?? [])])],
    unknown,
  };
}

export interface KnownArguments {
  readonly values: JsonObject;
  /** True for an argument that a reference may bring. */
  open(name: string): boolean;
}

/** The arguments of a task that its plan tells, and which of them only the run will know. */
export function knownArguments(taskArguments: JsonObject): KnownArguments {
  const values: Record<string, JsonValue> = {};
  const open = new Set<string>();
  let anyName = false;
  for (const key of Object.keys(taskArguments)) {
    const value = taskArguments[key] as JsonValue;
    if (key === "$output" || holdsReference(key)) anyName = true;
    const resolved = resolveValue(value, () => ({ found: false, reason: "known at run time" }));
    if (resolved.ok) setOwn(values, key, resolved.value.value);
    else open.add(key);
  }
  return { values, open: (name) => open.has(name) || (anyName && !Object.hasOwn(values, name)) };
}
