import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import { err } from "#kernel/result";
import { diagnose } from "./diagnose";
import { finishImport, placeDiagnostics } from "./finish-import";
import { locateThrough } from "./locate-through";
import { Placeholders } from "./placeholders";
import type { PlanFormat } from "./plan-format";
import { convertValue } from "./reference-text";

/** `<GENERATED>-0` is what task 0 made; some plans write the kind before the number. */
const REFERENCE = /<GENERATED>-(?:[a-z]{1,20}-)?(\d{1,9})/g;

/** Tasks of HuggingGPT: a list of model calls with a number, the numbers they depend on (-1: none), and arguments. */
export const huggingGptFormat: PlanFormat = {
  id: "hugginggpt",
  title: "HuggingGPT task list",

  detect: ({ document }) => tasksOf(document?.value) !== undefined,

  import: ({ document, fileName }) => {
    const entries = tasksOf(document?.value);
    if (document === undefined || entries === undefined) {
      return err([diagnose({ code: "syntax", message: "A HuggingGPT task list is JSON." })]);
    }
    const placeholders = new Placeholders();
    const locate = locateThrough(document, (pointer) =>
      pointer
        .replace(/^\/tasks/, "")
        .replace(/^(\/\d+)\/arguments/, "$1/args")
        .replace(/^(\/\d+)\/dependsOn(?:\/\d+)?$/, "$1/dep")
        .replace(/^(\/\d+)\/capability$/, "$1/task"),
    );
    const diagnostics = entries.flatMap((entry, index) => {
      const named = dependencies(entry);
      return [...usedBy(entry)].flatMap((target) => {
        if (named.includes(target)) return [];
        const message = `The arguments of task ${idOf(entry)} use what task ${target} made, and "dep" does not name it.`;
        const taskId = idOf(entry);
        const pointer = `/${index}/args`;
        return [diagnose({ code: "reference_not_upstream", severity: "warning", pointer, taskId, message })];
      });
    });
    return finishImport({
      format: huggingGptFormat,
      name: undefined,
      fileName,
      tasks: entries.map((entry): JsonValue => {
        const used = usedBy(entry);
        const tool = String(getOwn(entry, "task"));
        return {
          id: idOf(entry),
          title: tool.slice(0, 1_000),
          capability: placeholders.nameFor(tool),
          arguments: convertValue(getOwn(entry, "args") ?? {}, REFERENCE, ([, target]) => target),
          dependsOn: dependencies(entry).filter((id) => !used.has(id)),
        };
      }),
      diagnostics: placeDiagnostics(diagnostics, (pointers) => document.locate(pointers)),
      placeholders,
      notes: ["Which model serves a task is chosen when the capability is mapped; the list does not say."],
      locate,
    });
  },
};

function tasksOf(value: JsonValue | undefined): readonly JsonObject[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const isTask = (entry: JsonValue): entry is JsonObject =>
    isJsonObject(entry) &&
    typeof getOwn(entry, "task") === "string" &&
    ["number", "string"].includes(typeof getOwn(entry, "id")) &&
    Array.isArray(getOwn(entry, "dep"));
  const entries: readonly JsonValue[] = value;
  return entries.every(isTask) ? entries : undefined;
}

const idOf = (entry: JsonObject): string => String(getOwn(entry, "id"));

function dependencies(entry: JsonObject): string[] {
  const listed = getOwn(entry, "dep");
  return Array.isArray(listed) ? [...new Set(listed.map(String))].filter((id) => id !== "-1") : [];
}

function usedBy(entry: JsonObject): Set<string> {
  const used = new Set<string>();
  convertValue(getOwn(entry, "args") ?? {}, REFERENCE, ([, target = ""]) => {
    used.add(target);
    return target;
  });
  return used;
}
