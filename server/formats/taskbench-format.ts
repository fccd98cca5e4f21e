import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "#kernel/json";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { err } from "#kernel/result";
import { diagnose, quote } from "./diagnose";
import { finishImport, placeDiagnostics } from "./finish-import";
import { locateThrough } from "./locate-through";
import { Placeholders } from "./placeholders";
import type { PlanFormat } from "./plan-format";
import { convertValue } from "./reference-text";

/** `<node-0>`, and `<node-0>.output` as some of the data writes it. */
const REFERENCE = /<node-(\d{1,6})>(?:\.output\b)?/g;

interface Row {
  readonly nodes: readonly JsonObject[];
  readonly links: readonly JsonObject[];
  readonly nodesPointer: string;
  readonly linksPointer: string;
}

/**
 * Gold plans of TaskBench: tools to call (`task_nodes`, in which `<node-0>` stands for the first one's result) and links
 * between the tools by name. Both say what waits for what; where they disagree, both count and the report says so.
 */
export const taskBenchFormat: PlanFormat = {
  id: "taskbench",
  title: "TaskBench plan",

  detect: ({ document }) => rowOf(document?.value) !== undefined,

  import: ({ document, fileName }) => {
    const row = rowOf(document?.value);
    if (document === undefined || row === undefined) {
      return err([diagnose({ code: "syntax", message: "A TaskBench plan is JSON." })]);
    }
    const { nodes, nodesPointer, linksPointer } = row;
    const locate = locateThrough(document, (planPointer) => planPointer.replace(/^\/tasks/, nodesPointer));
    const placeholders = new Placeholders();
    const diagnostics: Diagnostic[] = [];
    const tools = nodes.map((node) => String(getOwn(node, "task")));
    const references = nodes.map((): Set<number> => new Set());
    const taskArguments = nodes.map((node, index) =>
      convertValue(namedArguments(getOwn(node, "arguments")), REFERENCE, ([, number = ""]) => {
        references[index]?.add(Number(number));
        return idOf(Number(number));
      }),
    );
    const links = resolveLinks(row, tools, references, diagnostics);
    const linkedTo = new Map<number, number[]>();
    for (const { from, to } of links)
      linkedTo
        .set(to, linkedTo.get(to) ?? [])
        .get(to)
        ?.push(from);
    const linked = new Set(links.map(({ from, to }) => `${from}>${to}`));
    if (row.links.length > 0) {
      for (const [index, targets] of references.entries()) {
        for (const target of targets) {
          if (linked.has(`${target}>${index}`)) continue;
          const message = `The arguments of node ${index} use node ${target}, and no link says so.`;
          const pointer = `${nodesPointer}/${index}/arguments`;
          diagnostics.push(
            diagnose({ code: "reference_not_upstream", severity: "warning", pointer, taskId: idOf(index), message }),
          );
        }
      }
    }
    const instruction = [getOwn(row.root, "instruction"), getOwn(row.root, "user_request")].find(
      (candidate) => typeof candidate === "string",
    );
    const objective = typeof instruction === "string" ? instruction : undefined;
    return finishImport({
      format: taskBenchFormat,
      name: objective?.slice(0, 200),
      objective,
      fileName,
      tasks: nodes.map((_, index): JsonValue => {
        const parents = linkedTo.get(index) ?? [];
        return {
          id: idOf(index),
          title: (tools[index] ?? "").slice(0, 1_000),
          capability: placeholders.nameFor(tools[index] ?? ""),
          arguments: taskArguments[index] ?? {},
          dependsOn: parents.filter((from) => references[index]?.has(from) === false).map(idOf),
        };
      }),
      diagnostics: placeDiagnostics(diagnostics, (pointers) => document.locate(pointers)),
      placeholders,
      notes: linksPointer === "" ? [] : ["A link that the arguments do not use is kept as an edge of its own."],
      locate,
    });
  },
};

const idOf = (index: number): string => `node-${index}`;

function rowOf(value: JsonValue | undefined): (Row & { readonly root: JsonObject }) | undefined {
  if (!isJsonObject(value)) return undefined;
  for (const prefix of ["task", "tool"]) {
    const nodes = getOwn(value, `${prefix}_nodes`);
    const links = getOwn(value, `${prefix}_links`) ?? [];
    if (!Array.isArray(nodes) || !Array.isArray(links)) continue;
    const isNodes = nodes.every((node: JsonValue) => isJsonObject(node) && typeof getOwn(node, "task") === "string");
    if (isNodes && links.every(isJsonObject)) {
      return { root: value, nodes, links, nodesPointer: `/${prefix}_nodes`, linksPointer: `/${prefix}_links` };
    }
  }
  return undefined;
}

/** A list of values, or of `{name, value}`. */
function namedArguments(given: JsonValue | undefined): JsonValue {
  if (given === undefined || given === null) return {};
  if (isJsonObject(given)) return given;
  const values: readonly JsonValue[] = Array.isArray(given) ? given : [given];
  const named: Record<string, JsonValue> = {};
  for (const [index, value] of values.entries()) {
    const name = isJsonObject(value) && Object.hasOwn(value, "value") ? getOwn(value, "name") : undefined;
    if (typeof name === "string" && isJsonObject(value)) setOwn(named, name, getOwn(value, "value") ?? null);
    else setOwn(named, values.length === 1 ? "input" : `input${index + 1}`, value);
  }
  return named;
}

/** Links name tools. A tool that stands at several nodes is told by the arguments, else by its place in the list. */
function resolveLinks(
  { links, linksPointer }: Row,
  tools: readonly string[],
  references: readonly ReadonlySet<number>[],
  diagnostics: Diagnostic[],
): { from: number; to: number }[] {
  const places = new Map<string, number[]>();
  for (const [index, tool] of tools.entries()) {
    const known = places.get(tool);
    if (known === undefined) places.set(tool, [index]);
    else known.push(index);
  }
  // Gathered once: ten thousand links may lead to a tool that stands at ten thousand nodes.
  const usedBy = new Map<string, { from: number; to: number }[]>();
  for (const [to, sources] of references.entries()) {
    for (const from of sources) {
      const pair = JSON.stringify([tools[from], tools[to]]);
      const known = usedBy.get(pair) ?? [];
      if (known.length === 0) usedBy.set(pair, known);
      known.push({ from, to });
    }
  }
  const resolve = (source: string, target: string): { from: number; to: number }[] => {
    const used = usedBy.get(JSON.stringify([source, target]));
    if (used !== undefined) return used;
    const targets = places.get(target) ?? [];
    const from = places.get(source)?.[0] ?? 0;
    return [{ from, to: firstAfter(targets, from) ?? targets[0] ?? 0 }];
  };
  const pairs = links.flatMap((link, index) => {
    const [source, target] = (["source", "target"] as const).map((key) => {
      const name = getOwn(link, key);
      if (typeof name === "string" && places.has(name)) return name;
      const shown = typeof name === "string" ? quote(name) : "what is not a name";
      const message = `The link's ${key} is ${shown}, which is no node of this plan; the link is left out.`;
      const pointer = `${linksPointer}/${index}`;
      diagnostics.push(diagnose({ code: "missing_dependency", severity: "warning", pointer, message }));
      return undefined;
    });
    return source === undefined || target === undefined ? [] : [JSON.stringify([source, target])];
  });
  // A pair of tools is resolved once, since ten thousand links may name the same two.
  return [...new Set(pairs)].flatMap((pair) => {
    const [source = "", target = ""]: string[] = JSON.parse(pair);
    return resolve(source, target);
  });
}

/** The first of ascending numbers that is greater; found by halves. */
function firstAfter(ascending: readonly number[], bound: number): number | undefined {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) > bound) high = middle;
    else low = middle + 1;
  }
  return ascending[low];
}
