import { type JsonObject, type JsonValue, setOwn } from "#kernel/json";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import type { Result } from "#kernel/result";
import { diagnose } from "../diagnose";
import { finishImport, placeDiagnostics } from "../finish-import";
import { locateThrough } from "../locate-through";
import { Placeholders } from "../placeholders";
import type { ImportedPlan, PlanFormat } from "../plan-format";
import type { StructuredDocument } from "../structured-document";
import { TaskNames } from "../task-names";
import { SECONDS_MAX } from "./durations";

/** A task as an importer makes it, before it is a task of ours. */
export interface DraftTask {
  /** Its name in the source. */
  readonly foreignId: string;
  /** Where the source says it. */
  readonly pointer: string;
  readonly title?: string | undefined;
  readonly capability: string;
  readonly arguments?: JsonValue;
  /** Tasks of ours to wait for, each with the place that says so. */
  readonly dependencies?: ReadonlyMap<string, string>;
  readonly notes?: string | undefined;
  /** Everything else, in the native notation. */
  readonly fields?: object;
}

interface Ending {
  readonly format: Pick<PlanFormat, "id" | "title">;
  readonly name: string | undefined;
  readonly objective?: string | undefined;
  readonly fileName: string | undefined;
  readonly notes: readonly string[];
  readonly maxParallel?: number | undefined;
  readonly deadlineSeconds?: number | undefined;
}

/** Collects what the importer of a workflow engine's file makes of it, and knows where in the file each part stood. */
export class WorkflowDraft {
  readonly names: TaskNames;
  readonly placeholders = new Placeholders();
  readonly #document: StructuredDocument;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #tasks: JsonObject[] = [];
  readonly #pointers: { readonly task: string; readonly dependencies: readonly string[] }[] = [];
  readonly #pools: Record<string, number> = {};

  constructor(document: StructuredDocument, foreignIds: Iterable<string>) {
    this.#document = document;
    this.names = new TaskNames(foreignIds);
  }

  get size(): number {
    return this.#tasks.length;
  }

  add(task: DraftTask): void {
    const { foreignId, pointer, dependencies = new Map<string, string>(), notes, fields } = task;
    const id = this.names.idFor(foreignId);
    const title = task.title ?? (id === foreignId ? undefined : foreignId);
    this.#tasks.push({
      id,
      ...(title === undefined || title === id || title === "" ? {} : { title: title.slice(0, 1_000) }),
      capability: task.capability,
      ...(task.arguments === undefined ? {} : { arguments: task.arguments }),
      dependsOn: [...dependencies.keys()],
      ...(notes === undefined || notes === "" ? {} : { notes: notes.slice(0, 10_000) }),
      ...fields,
    });
    this.#pointers.push({ task: pointer, dependencies: [...dependencies.values()] });
  }

  /** A pool of the plan; the first capacity that is given to a name stays. */
  addPool(name: string, units: number): void {
    if (!Object.hasOwn(this.#pools, name)) setOwn(this.#pools, name, units);
  }

  /** Something the plan does not say any more. */
  lost(pointer: string, message: string, foreignId?: string): void {
    const taskId = foreignId === undefined ? {} : { taskId: this.names.idFor(foreignId) };
    this.#diagnostics.push(diagnose({ code: "not_carried_over", severity: "warning", pointer, message, ...taskId }));
  }

  finish({ deadlineSeconds, maxParallel, ...ending }: Ending): Result<ImportedPlan, Diagnostic[]> {
    return finishImport({
      ...ending,
      tasks: this.#tasks,
      diagnostics: placeDiagnostics(this.#diagnostics, (pointers) => this.#document.locate(pointers)),
      renamed: this.names.renamed,
      placeholders: this.placeholders,
      pools: this.#pools,
      maxParallel,
      deadlineSeconds: deadlineSeconds === undefined ? undefined : Math.min(deadlineSeconds, SECONDS_MAX),
      locate: locateThrough(this.#document, (pointer) => this.#sourceOf(pointer)),
    });
  }

  #sourceOf(planPointer: string): string {
    const match = /^\/tasks\/(\d+)(?:\/dependsOn\/(\d+))?/.exec(planPointer);
    const task = match === null ? undefined : this.#pointers[Number(match[1])];
    if (task === undefined) return "";
    return (match?.[2] === undefined ? undefined : task.dependencies[Number(match[2])]) ?? task.task;
  }
}

/** A refusal: one error at a place of the document. */
export function refuseAt(document: StructuredDocument, pointer: string, message: string): Diagnostic[] {
  return placeDiagnostics([diagnose({ code: "schema", pointer, message })], (pointers) => document.locate(pointers));
}
