import type { JsonObject } from "../json";
import { referencesOfTask } from "./edge-place";
import { holdsReference, type Reference } from "./find-references";
import { listNames, nearNames } from "./near-names";
import type { Task } from "./plan";
import { type SchemaView, viewSchema } from "./schema-view";
import { meansItem } from "./validate-references";
import type { ValidationContext } from "./validation-context";

/** References against schemas: the part that is referred to exists, and its type can stand where it is used. */
export function validateReferenceTypes(context: ValidationContext): void {
  if (context.options.registry === undefined) return;
  context.plan.tasks.forEach((task, index) => {
    if (!(holdsReference(task.arguments) || task.when !== undefined || holdsReference(task.forEach ?? null))) return;
    for (const reference of referencesOfTask(task, index)) {
      if (!meansItem(task, index, reference)) validateReference(context, task, index, reference);
    }
  });
}

function validateReference(context: ValidationContext, task: Task, index: number, reference: Reference): void {
  const source = context.task(reference.taskId);
  const schema = source === undefined ? undefined : context.capabilityOf(source)?.outputSchema;
  if (source === undefined || schema === undefined) return;
  const output = viewSchema(outputSchemaOf(source, schema), reference.pointer);
  if (output.status !== "present") {
    reportPath(context, reference, output);
    return;
  }
  if (reference.form === "output" && output.types !== undefined) {
    validateType(context, task, index, reference, output.types);
  }
}

/** The output of a task with `forEach` is the list of its instances' outputs. */
const outputSchemaOf = (source: Task, schema: JsonObject): JsonObject =>
  source.forEach === undefined || source.forEach === null ? schema : { type: "array", items: schema };

function reportPath(
  context: ValidationContext,
  { at, taskId, pointer }: Reference,
  { status, names }: Exclude<SchemaView, { status: "present" }>,
): void {
  const last = pointer.slice(pointer.lastIndexOf("/") + 1);
  const near = nearNames(last, names);
  const known = near.length > 0 ? near : names.slice(0, 5);
  const hint =
    known.length === 0
      ? ""
      : ` It has ${listNames(
          known.map((name) => `“${name}”`),
          "and",
        )}.`;
  context.report({
    code: "reference_unknown_path",
    severity: status === "absent" ? "error" : "warning",
    place: at,
    message: `The output of “${taskId}” ${status === "absent" ? "has nothing" : "lists nothing"} at “${pointer}”.${hint}`,
    related: [{ pointer: `/tasks/${context.graph.indexOf.get(taskId)}`, taskId }],
  });
}

function validateType(
  context: ValidationContext,
  task: Task,
  index: number,
  reference: Reference,
  types: ReadonlySet<string>,
): void {
  const wanted = wantedTypes(context, task, index, reference);
  if (wanted === undefined || [...types].some((type) => accepts(wanted, type))) return;
  context.report({
    code: "reference_type_mismatch",
    place: reference.at,
    message: `“${reference.taskId}” gives ${listNames([...types])} here, where ${listNames([...wanted])} is needed.`,
    related: [{ pointer: `/tasks/${context.graph.indexOf.get(reference.taskId)}`, taskId: reference.taskId }],
  });
}

/** The types that can stand where the reference does; undefined where any can. */
function wantedTypes(
  context: ValidationContext,
  task: Task,
  index: number,
  reference: Reference,
): ReadonlySet<string> | undefined {
  if (reference.at === `/tasks/${index}/forEach`) return new Set(["array"]);
  const base = `/tasks/${index}/arguments`;
  const schema = context.capabilityOf(task)?.inputSchema;
  if (schema === undefined || !(reference.at === base || reference.at.startsWith(`${base}/`))) return undefined;
  const input = viewSchema(schema, reference.at.slice(base.length));
  return input.status === "present" ? input.types : undefined;
}

/** Numbers and integers meet half way: whether 2.0 is whole is known only once it is there. */
const accepts = (wanted: ReadonlySet<string>, type: string): boolean =>
  wanted.has(type) || (type === "integer" && wanted.has("number")) || (type === "number" && wanted.has("integer"));
