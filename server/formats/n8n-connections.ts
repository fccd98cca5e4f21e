import { formatPointer, getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { count, diagnose, quote } from "./diagnose";

interface Node {
  readonly node: JsonObject;
  readonly name: string;
}

export interface Connections {
  /** Names of the nodes before each node, each once, in the order of the document. */
  readonly parents: ReadonlyMap<string, readonly string[]>;
  readonly diagnostics: readonly Diagnostic[];
  /** Not empty where no connection leads to a node: a plan of it would be a heap of tasks in no order. */
  readonly errors: readonly Diagnostic[];
  readonly pointerOf: (parent: string, child: string) => string;
}

/** `{ "source name": { main: [[{ node: "target name" }]] } }`, outputs within kinds. */
export function readConnections(value: JsonValue | undefined, nodes: readonly Node[]): Connections {
  const known = new Set(nodes.map(({ name }) => name));
  const nameById = new Map(nodes.map(({ node, name }) => [String(getOwn(node, "id") ?? ""), name]));
  const pointers = new Map<string, Map<string, string>>();
  const parents = new Map<string, string[]>();
  const diagnostics: Diagnostic[] = [];
  const dangling: Diagnostic[] = [];
  const report = (code: "missing_dependency" | "not_carried_over", pointer: string, message: string) =>
    diagnose({ code, severity: "warning", pointer, message });
  let edges = 0;

  for (const [key, kinds] of Object.entries(isJsonObject(value) ? value : {})) {
    const source = known.has(key) ? key : nameById.get(key);
    const at = formatPointer(["connections", key]);
    if (source === undefined) {
      dangling.push(
        report("missing_dependency", at, `Connections leave ${quote(key)}, which is no node; they are left out.`),
      );
      continue;
    }
    if (!known.has(key))
      diagnostics.push(
        report("not_carried_over", at, `${quote(key)} is the id of ${quote(source)}; n8n goes by names.`),
      );
    for (const { kind, output, outputs, target, place } of targetsOf(kinds)) {
      const pointer = formatPointer(["connections", key, ...place]);
      if (!known.has(target)) {
        dangling.push(
          report(
            "missing_dependency",
            pointer,
            `A connection of ${quote(source)} leads to ${quote(target)}, which is no node; it is left out.`,
          ),
        );
        continue;
      }
      edges++;
      const places = pointers.get(target) ?? new Map<string, string>();
      pointers.set(target, places);
      if (!places.has(source)) {
        places.set(source, pointer);
        const list = parents.get(target);
        if (list === undefined) parents.set(target, [source]);
        else list.push(source);
      }
      if (kind === "main" && outputs > 1) {
        const message = `${quote(target)} follows output ${output + 1} of ${outputs} of ${quote(source)}; here it runs whichever way that decides. Give it a condition.`;
        diagnostics.push(report("not_carried_over", pointer, message));
      }
    }
  }
  const errors =
    edges === 0 && dangling.length > 0
      ? [
          diagnose({
            code: "missing_dependency",
            pointer: "/connections",
            message: `None of the ${count(dangling.length, "connection")} leads from a node to a node, so the order of the tasks is lost.`,
          }),
          ...dangling.map((problem): Diagnostic => ({ ...problem, severity: "error" })),
        ]
      : [];
  return {
    parents,
    diagnostics: [...diagnostics, ...dangling],
    errors,
    pointerOf: (parent, child) => pointers.get(child)?.get(parent) ?? "/connections",
  };
}

interface Target {
  readonly kind: string;
  readonly output: number;
  /** Outputs of this kind that lead anywhere. */
  readonly outputs: number;
  readonly target: string;
  readonly place: readonly (string | number)[];
}

function* targetsOf(kinds: JsonValue): Generator<Target> {
  if (!isJsonObject(kinds)) return;
  for (const [kind, listed] of Object.entries(kinds)) {
    const outputs: readonly JsonValue[] = Array.isArray(listed) ? listed : [];
    const used = outputs.filter((targets) => Array.isArray(targets) && targets.length > 0).length;
    for (const [output, targets] of outputs.entries()) {
      if (!Array.isArray(targets)) continue;
      for (const [index, entry] of targets.entries()) {
        const target = isJsonObject(entry) ? getOwn(entry, "node") : undefined;
        if (typeof target === "string") yield { kind, output, outputs: used, target, place: [kind, output, index] };
      }
    }
  }
}
