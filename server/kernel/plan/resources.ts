import type { Capability } from "../capability/capability";
import { getAtPointer, getOwn, type JsonObject, type JsonValue, setOwn } from "../json";
import type { Task } from "./plan";
import { holdsReference, resolveValue } from "./reference";

/** What a task touches, by name; two names are one resource when they are the same text. */
export interface TouchedResources {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Templates whose values are not known (yet): an argument is missing, or comes from another task. */
  readonly unknown: readonly string[];
}

/**
 * The resources of a task: those its capability declares over the arguments, and those the task adds. In a template,
 * `${name}` is the argument of that name and `${/a/b}` the argument at that JSON pointer.
 *
 * @param taskArguments resolved arguments: their text is taken as it is.
 */
export function resourcesOf(
  task: Pick<Task, "reads" | "writes">,
  capability: Pick<Capability, "reads" | "writes"> | undefined,
  taskArguments: JsonObject,
): TouchedResources {
  const unknown: string[] = [];
  const expand = (templates: readonly string[]): string[] => {
    const names = new Set<string>();
    for (const template of templates) {
      const name = expandTemplate(template, taskArguments);
      if (name === undefined) unknown.push(template);
      else names.add(name);
    }
    return [...names];
  };
  return {
    reads: expand([...(capability?.reads ?? []), ...task.reads]),
    writes: expand([...(capability?.writes ?? []), ...task.writes]),
    unknown,
  };
}

function expandTemplate(template: string, taskArguments: JsonObject): string | undefined {
  let known = true;
  const name = template.replaceAll(/\$\{([^}]*)\}/g, (_, key: string) => {
    const value = key.startsWith("/") ? getAtPointer(taskArguments, key) : getOwn(taskArguments, key);
    if (value === undefined) known = false;
    return typeof value === "string" ? value : JSON.stringify(value);
  });
  return known ? name : undefined;
}

/**
 * The resources of a task as far as its plan tells: arguments that hold references to other tasks are not known yet.
 * An item of `forEach` is not known either.
 */
export function plannedResourcesOf(
  task: Pick<Task, "reads" | "writes" | "arguments">,
  capability: Pick<Capability, "reads" | "writes"> | undefined,
): TouchedResources {
  if (!holdsReference(task.arguments)) return resourcesOf(task, capability, task.arguments);
  const known: Record<string, JsonValue> = {};
  for (const key of Object.keys(task.arguments)) {
    const resolved = resolveValue(task.arguments[key] as JsonValue, () => ({ found: false, reason: "not yet known" }));
    if (resolved.ok) setOwn(known, key, resolved.value.value);
  }
  return resourcesOf(task, capability, known);
}
