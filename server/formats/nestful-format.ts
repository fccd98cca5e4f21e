import { formatPointer, getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import { err } from "#kernel/result";
import { diagnose } from "./diagnose";
import { finishImport } from "./finish-import";
import { locateThrough } from "./locate-through";
import { Placeholders } from "./placeholders";
import type { PlanFormat } from "./plan-format";
import { convertValue } from "./reference-text";
import { TaskNames } from "./task-names";

/** `$var1$`, `$var1.skyId$`, `$var1.author[0].id$`; a field's name may hold blanks. */
const REFERENCE = /\$(\w{1,100})((?:[.[][^$\n]{1,300})?)\$/g;
/** The call that is none: it names what the answer is made of. */
const RESULT = "var_result";

type Call = JsonObject & { readonly name: string; readonly arguments: JsonObject };

/**
 * Nested call sequences of NESTFUL: calls with a label each, in whose arguments `$label.field$` stands for a part of an
 * earlier result. Alone as a list, or with the question it answers.
 */
export const nestfulFormat: PlanFormat = {
  id: "nestful",
  title: "NESTFUL call sequence",

  detect: ({ document }) => callsOf(document?.value) !== undefined,

  import: ({ document, fileName }) => {
    const found = callsOf(document?.value);
    if (document === undefined || found === undefined) {
      return err([diagnose({ code: "syntax", message: "A NESTFUL call sequence is JSON." })]);
    }
    const { calls, pointer } = found;
    const labels = calls.map(labelOf);
    const known = new Set(labels);
    const alone = labels.filter((label) => label === undefined).length === 1;
    // A call without a label has the name of its function where that names one task, else with its place.
    const foreignIds = calls.map(
      ({ name }, index) => labels[index] ?? (alone && !known.has(name) ? name : `${name}-${index}`),
    );
    const names = new TaskNames(foreignIds);
    const ids = foreignIds.map((id) => names.idFor(id));
    const placeholders = new Placeholders();
    const locate = locateThrough(document, (planPointer) =>
      planPointer
        .replace(/^\/tasks/, pointer)
        .replace(/^(.*)\/capability$/, "$1/name")
        .replace(/\/id$/, "/label"),
    );

    const tasks = calls.map((call, index): JsonValue => {
      const taskArguments = convertValue(call.arguments, REFERENCE, ([, label = "", path = ""]) => {
        if (known.has(label)) return `${names.idFor(label)}${pointerOf(path)}`;
        // A price in a text looks the same; a label that the sequence could have is a reference to nothing.
        return /^var/i.test(label) ? `${names.idFor(label)}${pointerOf(path)}` : undefined;
      });
      if (call.name === RESULT && !Object.hasOwn(call, "label")) {
        const input = { expression: "@", input: taskArguments };
        return { id: ids[index] ?? "", title: "The answer", capability: "json.transform", arguments: input };
      }
      return {
        id: ids[index] ?? "",
        title: call.name,
        capability: placeholders.nameFor(call.name),
        arguments: taskArguments,
      };
    });
    const input = isJsonObject(document.value) ? getOwn(document.value, "input") : undefined;
    const objective = typeof input === "string" ? input : undefined;
    return finishImport({
      format: nestfulFormat,
      name: objective?.split("\n", 1)[0]?.slice(0, 200),
      objective,
      fileName,
      tasks,
      diagnostics: [],
      renamed: names.renamed,
      placeholders,
      notes: calls.some((call) => call.name === RESULT)
        ? ["var_result became json.transform of the values it names."]
        : [],
      locate,
    });
  },
};

function callsOf(value: JsonValue | undefined): { calls: readonly Call[]; pointer: string } | undefined {
  if (Array.isArray(value)) return isCalls(value) ? { calls: value, pointer: "" } : undefined;
  if (!isJsonObject(value)) return undefined;
  const output = getOwn(value, "output");
  return Array.isArray(output) && isCalls(output) ? { calls: output, pointer: "/output" } : undefined;
}

function isCalls(entries: readonly JsonValue[]): entries is readonly Call[] {
  return entries.length > 0 && entries.every((entry) => isJsonObject(entry) && isCall(entry));
}

const isCall = (entry: JsonObject): entry is Call =>
  typeof getOwn(entry, "name") === "string" &&
  isJsonObject(getOwn(entry, "arguments")) &&
  ["string", "undefined"].includes(typeof getOwn(entry, "label"));

/** `$var_1` and `var1` are both written in the data; references leave out what marks the label. */
function labelOf(call: Call): string | undefined {
  const label = getOwn(call, "label");
  return typeof label === "string" && label !== "" ? label.replace(/^\$/, "") : undefined;
}

/** `.author[0].id` → `#/author/0/id` */
function pointerOf(path: string): string {
  const parts = [...path.matchAll(/\.([^.[\]]+)|\[([^\]]*)\]/g)].map((match) => match[1] ?? match[2] ?? "");
  return parts.length === 0 ? "" : `#${formatPointer(parts)}`;
}
