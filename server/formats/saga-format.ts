import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { err } from "#kernel/result";
import { diagnose, quote } from "./diagnose";
import { finishImport, placeDiagnostics } from "./finish-import";
import { locateThrough } from "./locate-through";
import type { PlanFormat } from "./plan-format";
import { WAIT_CAPABILITY, waitArguments } from "./recorded-duration";
import { TaskNames } from "./task-names";

const TASKS = "/task_graph/tasks";
const DEPENDENCIES = "/task_graph/dependencies";
/** The longest estimate that a task may have. */
const SECONDS_MAX = 31_536_000;

/** Task graphs of SAGA, as DAGBench publishes them: tasks with a cost, dependencies with a size, and a network beside. */
export const sagaFormat: PlanFormat = {
  id: "saga",
  title: "SAGA task graph",

  detect: ({ document }) => {
    const graph = isJsonObject(document?.value) ? getOwn(document.value, "task_graph") : undefined;
    return isJsonObject(graph) && Array.isArray(getOwn(graph, "tasks")) && Array.isArray(getOwn(graph, "dependencies"));
  },

  import: ({ document, fileName }) => {
    const root = document?.value;
    const graph = isJsonObject(root) ? getOwn(root, "task_graph") : undefined;
    if (document === undefined || !isJsonObject(root) || !isJsonObject(graph)) {
      return err([diagnose({ code: "syntax", message: "A SAGA task graph is JSON." })]);
    }
    const locateSource = (pointers: Iterable<string>) => document.locate(pointers);
    const problems: Diagnostic[] = [];
    const report = (code: "schema" | "missing_dependency", pointer: string, message: string) =>
      problems.push(diagnose({ code, pointer, message }));
    const tasks = entriesOf(graph, "tasks").map((task, index) => {
      const name = isJsonObject(task) ? getOwn(task, "name") : undefined;
      const cost = isJsonObject(task) ? getOwn(task, "cost") : undefined;
      if (typeof name === "string" && typeof cost === "number" && cost >= 0 && cost <= SECONDS_MAX)
        return { name, cost };
      report("schema", `${TASKS}/${index}`, "A task has a name and a cost of at least 0.");
      return { name: "", cost: 0 };
    });
    const known = new Set(tasks.map(({ name }) => name));
    const parents = new Map<string, { source: string; index: number }[]>();
    for (const [index, edge] of entriesOf(graph, "dependencies").entries()) {
      const [source, target] = ["source", "target"].map((key) => (isJsonObject(edge) ? getOwn(edge, key) : undefined));
      if (typeof source !== "string" || typeof target !== "string") {
        report("schema", `${DEPENDENCIES}/${index}`, "A dependency has a source and a target.");
        continue;
      }
      const missing = [source, target].find((name) => !known.has(name));
      if (missing !== undefined) {
        report(
          "missing_dependency",
          `${DEPENDENCIES}/${index}`,
          `The dependency joins ${quote(missing)}, which is no task.`,
        );
        continue;
      }
      const list = parents.get(target);
      if (list === undefined) parents.set(target, [{ source, index }]);
      else list.push({ source, index });
    }
    if (problems.length > 0) return err(placeDiagnostics(problems.slice(0, 100), locateSource));
    const names = new TaskNames(known);
    const name = getOwn(root, "name");
    return finishImport({
      format: sagaFormat,
      name: typeof name === "string" ? name : undefined,
      fileName,
      tasks: tasks.map(({ name: foreignId, cost }): JsonValue => {
        const id = names.idFor(foreignId);
        return {
          id,
          ...(id === foreignId ? {} : { title: foreignId.slice(0, 1_000) }),
          capability: WAIT_CAPABILITY,
          arguments: waitArguments(cost),
          estimate: { seconds: cost },
          dependsOn: [...new Set((parents.get(foreignId) ?? []).map(({ source }) => names.idFor(source)))],
        };
      }),
      diagnostics: [],
      renamed: names.renamed,
      notes: [
        "Costs are read as seconds on a machine of speed 1; the tasks do nothing but wait as long.",
        "The network and the sizes of what is passed on are left out.",
      ],
      locate: locateThrough(document, (pointer) => pointer.replace(/^\/tasks/, TASKS)),
    });
  },
};

const entriesOf = (graph: JsonObject, key: string): readonly JsonValue[] => {
  const listed = getOwn(graph, key);
  return Array.isArray(listed) ? listed : [];
};
