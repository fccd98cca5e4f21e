import type { CapabilityRegistry, CapabilitySnapshot } from "../capability/capability";
import type { JsonObject } from "../json";
import { listNames } from "./near-names";
import type { Task } from "./plan";
import { approvalSchema } from "./plan";
import { scopesLacking } from "./scopes";
import type { ValidationContext } from "./validation-context";

/** Capabilities: each task names a registered one, which may ask for a gate and for scopes. */
export function validateCapabilities(context: ValidationContext): void {
  const { registry } = context.options;
  if (registry === undefined) return;
  const hints = new Map<string, string>();
  const hintFor = (name: string): string => {
    const known = hints.get(name);
    if (known !== undefined) return known;
    const hint = unknownCapability(context, registry, name);
    hints.set(name, hint);
    return hint;
  };
  context.plan.tasks.forEach((task, index) => {
    const capability = context.capabilityOf(task);
    const place = ["tasks", index, "capability"];
    if (capability === undefined) {
      context.report({ code: "unknown_capability", place, message: hintFor(task.capability) });
      return;
    }
    if (capability.approval === "always" && task.approval === undefined) reportApproval(context, task, place);
    reportScopes(context, { capability, given: task.arguments, place });
  });
  context.plan.completion.forEach((check, index) => {
    if (check.check !== "capability") return;
    const place = ["completion", index, "capability"];
    const capability = context.capability(check.capability);
    if (capability !== undefined) reportScopes(context, { capability, given: check.arguments, place });
    else context.report({ code: "unknown_capability", place, message: hintFor(check.capability) });
  });
}

interface Called {
  readonly capability: CapabilitySnapshot;
  readonly given: JsonObject;
  readonly place: readonly (string | number)[];
}

/** Scopes that whoever would run the plan lacks for this call, as far as the plan tells its arguments. */
function reportScopes(context: ValidationContext, { capability, given, place }: Called): void {
  const { registry, granted } = context.options;
  if (registry === undefined || granted === undefined) return;
  const { lacking, faults } = scopesLacking({ capability, given, registry, granted });
  if (lacking.length > 0) {
    const message = `“${capability.name}” needs the scope ${listNames(lacking, "and")}, which this run would not have.`;
    context.report({ code: "not_authorized", place, message });
  }
  for (const message of faults) context.report({ code: "not_authorized", place, message });
}

/** The gate stands whatever the plan says; a plan that says so too can choose who signs and how many. */
function reportApproval(context: ValidationContext, task: Task, place: readonly (string | number)[]): void {
  context.report({
    code: "approval_required",
    severity: "warning",
    place,
    message: `“${task.capability}” runs only with an approval, which this task does not ask for; a gate will stand before it.`,
    fix: {
      label: "Ask for the approval here",
      edits: [{ type: "replace_task", taskId: task.id, task: { ...task, approval: approvalSchema.parse({}) } }],
    },
  });
}

function unknownCapability(context: ValidationContext, registry: CapabilityRegistry, name: string): string {
  const shown = name.slice(0, 140);
  const bare = name.split("@", 1)[0] ?? "";
  const newest = registry.find(bare)?.version;
  if (newest !== undefined) return `“${shown}” is not registered; the newest version is ${newest}.`;
  return `No capability “${shown}” is registered.${context.hint(bare, registry.names())}`;
}
