import { isJsonObject, type JsonValue } from "#kernel/json";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { diagnosticsOfIssues } from "#kernel/plan/parse-issues";
import { err } from "#kernel/result";
import { count, diagnose, quote } from "./diagnose";
import { finishImport, placeDiagnostics } from "./finish-import";
import { locateThrough } from "./locate-through";
import type { PlanFormat } from "./plan-format";
import { WAIT_CAPABILITY, WAIT_SECONDS_MAX, waitArguments } from "./recorded-duration";
import { TaskNames } from "./task-names";
import { commandLineOf, filesOf, runtimeOf, tasksOf, type WfTasks, wfFormatSchema } from "./wfformat-tasks";

type WfTask = WfTasks["tasks"][number];

/**
 * Scientific workflows of WfCommons. The programs they name are not ours to run: each task becomes a wait as long as
 * its recorded run took, so that an instance can be analysed at once and rehearsed with its real shape and times.
 */
export const wfFormat: PlanFormat = {
  id: "wfformat",
  title: "WfFormat (WfCommons)",

  detect: ({ document }) => {
    if (!isJsonObject(document?.value)) return false;
    const { workflow, schemaVersion } = document.value;
    if (!isJsonObject(workflow)) return false;
    return (
      schemaVersion !== undefined || ["specification", "tasks", "jobs"].some((key) => Object.hasOwn(workflow, key))
    );
  },

  import: ({ document, fileName }) => {
    if (document === undefined) return err([diagnose({ code: "syntax", message: "A WfFormat instance is JSON." })]);
    const locateSource = document.locate.bind(document);
    const parsed = wfFormatSchema.safeParse(document.value);
    if (!parsed.success) {
      return err(placeDiagnostics(diagnosticsOfIssues(parsed.error.issues, document.value, []), locateSource));
    }

    const { name, description, workflow } = parsed.data;
    const { tasks, executions, pointer } = tasksOf(workflow);
    const structure = readStructure(tasks, pointer);
    const measured = new Map(executions.map((execution) => [execution.id, execution]));
    const diagnostics: Diagnostic[] = [...structure.diagnostics];
    let withoutRuntime = 0;
    let clamped = 0;

    const planTasks = tasks.map((task, index): JsonValue => {
      const foreignId = foreignIdOf(task, index);
      const id = structure.names.idFor(foreignId);
      const execution = measured.get(foreignId);
      const runtime = runtimeOf(task, execution);
      if (runtime === undefined) withoutRuntime++;
      else if (runtime > WAIT_SECONDS_MAX) clamped++;
      const title = id === foreignId ? task.name : foreignId;
      const commandLine = commandLineOf(task, execution);
      return {
        id,
        ...(title === undefined || title === id ? {} : { title: title.slice(0, 1_000) }),
        capability: WAIT_CAPABILITY,
        arguments: waitArguments(runtime ?? 1),
        dependsOn: structure.dependencies[index]?.map((dependency) => dependency.id) ?? [],
        ...(runtime === undefined ? {} : { estimate: { seconds: runtime } }),
        reads: filesOf(task, "input").map(fileResource),
        writes: filesOf(task, "output").map(fileResource),
        ...(commandLine === undefined ? {} : { notes: commandLine.slice(0, 10_000) }),
      };
    });

    const warn = (message: string) =>
      diagnostics.push(diagnose({ code: "not_carried_over", severity: "warning", pointer, message }));
    if (withoutRuntime > 0) warn(`${count(withoutRuntime, "task")} without a recorded run time: 1 second is assumed.`);
    if (clamped > 0)
      warn(`${count(clamped, "task")} ran longer than a wait can be; the estimate keeps the recorded time.`);

    return finishImport({
      format: wfFormat,
      name: name ?? undefined,
      objective: description ?? undefined,
      fileName,
      tasks: planTasks,
      diagnostics: placeDiagnostics(diagnostics, locateSource),
      renamed: structure.names.renamed,
      notes: [
        "The recorded programs are not run: each task waits as long as its recorded run took.",
        "Command lines stand in the notes, files in reads and writes; machines, sizes and energy are left out.",
      ],
      locate: locateThrough(document, structure.sourcePointer),
    });
  },
};

const foreignIdOf = (task: WfTask, index: number): string => task.id ?? task.name ?? `task-${index + 1}`;

/** Resource names are cut at the schema's bound; two names with the same first thousand characters are rare enough. */
const fileResource = (name: string): string => `file:${name}`.slice(0, 1_000);

interface Dependency {
  readonly id: string;
  /** Where the document says so. */
  readonly pointer: string;
}

interface Structure {
  readonly names: TaskNames;
  /** Per task, in the order of the document, each parent once. */
  readonly dependencies: readonly (readonly Dependency[])[];
  readonly diagnostics: readonly Diagnostic[];
  readonly sourcePointer: (planPointer: string) => string;
}

/** Edges from `parents` and `children`; versions up to 1.4 may name a task by its name where it has an id too. */
function readStructure(tasks: readonly WfTask[], pointer: string): Structure {
  const foreignIds = tasks.map(foreignIdOf);
  const indexById = new Map<string, number>();
  const indexByName = new Map<string, number>();
  for (const [index, task] of tasks.entries()) {
    const id = foreignIdOf(task, index);
    if (!indexById.has(id)) indexById.set(id, index);
    if (task.name !== undefined && !indexByName.has(task.name)) indexByName.set(task.name, index);
  }
  const indexOf = (reference: string) => indexById.get(reference) ?? indexByName.get(reference);
  const names = new TaskNames(foreignIds);
  const dependencies = tasks.map((): Map<string, Dependency> => new Map());
  const diagnostics: Diagnostic[] = [];

  const addEdge = (taskIndex: number, parentId: string, at: string) => {
    const known = dependencies[taskIndex];
    if (known !== undefined && !known.has(parentId)) known.set(parentId, { id: parentId, pointer: at });
  };
  for (const [index, task] of tasks.entries()) {
    for (const [place, parent] of (task.parents ?? []).entries()) {
      const parentIndex = indexOf(parent);
      // A parent that is not there stays: validation names it, at this place.
      addEdge(
        index,
        names.idFor(parentIndex === undefined ? parent : (foreignIds[parentIndex] ?? parent)),
        `${pointer}/${index}/parents/${place}`,
      );
    }
  }
  const saysParents = tasks.some((task) => task.parents !== undefined);
  for (const [index, task] of tasks.entries()) {
    for (const [place, child] of (task.children ?? []).entries()) {
      const at = `${pointer}/${index}/children/${place}`;
      const childIndex = indexOf(child);
      const ownId = names.idFor(foreignIds[index] ?? "");
      if (childIndex === undefined) {
        diagnostics.push(
          diagnose({
            code: "missing_dependency",
            severity: "warning",
            pointer: at,
            taskId: ownId,
            message: `The child ${quote(child)} is not a task of this workflow; the edge is left out.`,
          }),
        );
      } else if (dependencies[childIndex]?.has(ownId) === false) {
        addEdge(childIndex, ownId, at);
        if (saysParents) {
          diagnostics.push(
            diagnose({
              code: "not_carried_over",
              severity: "warning",
              pointer: at,
              taskId: ownId,
              message: `${quote(child)} stands among the children here but does not name this task as a parent; the edge is kept.`,
            }),
          );
        }
      }
    }
  }

  const lists = dependencies.map((byId) => [...byId.values()]);
  return {
    names,
    dependencies: lists,
    diagnostics,
    sourcePointer(planPointer) {
      const match = /^\/tasks\/(\d+)(?:\/dependsOn\/(\d+))?/.exec(planPointer);
      if (match === null) return "";
      const index = Number(match[1]);
      const dependency = match[2] === undefined ? undefined : lists[index]?.[Number(match[2])];
      return dependency?.pointer ?? `${pointer}/${index}`;
    },
  };
}
