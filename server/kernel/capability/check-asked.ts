import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json";
import type { CapabilityRegistry } from "./capability";
import type { CapabilityDraft, DraftIssue } from "./capability-draft";
import { changesSomething } from "./side-effect";

/** One call that a capability has made before or after its own. */
interface Asked {
  readonly pointer: string;
  readonly reference: string;
  readonly template: JsonObject;
  /** Pointers into what it answers. */
  readonly reads: readonly string[];
}

/**
 * What is wrong with the capabilities that a draft wants asked: its preconditions and its look-up. Found here, since at
 * a call it would keep the capability from ever being called, or an outcome from ever being known.
 *
 * @param registry what the workspace may call, this draft not among it.
 */
export function checkAsked(draft: CapabilityDraft, registry: Pick<CapabilityRegistry, "find">): readonly DraftIssue[] {
  return askedBy(draft).flatMap((asked) => {
    const { pointer, reference } = asked;
    const issues: DraftIssue[] = [];
    const report = (place: string, message: string): void => {
      issues.push({ pointer: `${pointer}${place}`, message });
    };
    if (pointer.startsWith("/preconditions") && !reference.includes("@"))
      report("/capability", `“${reference}” has to name its version, as in “${reference}@1”.`);
    const capability = registry.find(reference);
    if (capability === undefined) report("/capability", `There is no capability “${reference}” in use.`);
    else if (changesSomething(capability))
      report("/capability", `“${reference}” changes something; only one that reads can be asked.`);
    else for (const message of misfits(asked.template, capability.inputSchema)) report("/arguments", message);
    for (const message of missingArguments(asked.template, draft.inputSchema)) report("/arguments", message);
    for (const each of asked.reads)
      if (each !== "" && !each.startsWith("/")) report("", `“${each}” is no JSON pointer: it begins with /.`);
    return issues;
  });
}

function askedBy({ preconditions = [], lookUp }: CapabilityDraft): readonly Asked[] {
  const asked: Asked[] = preconditions.map(({ capability, arguments: template, expect }, index) => ({
    pointer: `/preconditions/${index}`,
    reference: capability,
    template,
    reads: [expect.pointer],
  }));
  if (lookUp === undefined) return asked;
  const { capability, arguments: template, committed, notCommitted, output } = lookUp;
  const reads = [committed.pointer, notCommitted?.pointer ?? "", output ?? ""];
  return [...asked, { pointer: "/lookUp", reference: capability, template, reads }];
}

/** Arguments that the asked one does not know or misses. What a filled-in value is, only the call will tell. */
function misfits(template: JsonObject, schema: JsonObject): readonly string[] {
  const properties = getOwn(schema, "properties");
  const required = getOwn(schema, "required");
  const known = isJsonObject(properties) && getOwn(schema, "additionalProperties") === false ? properties : undefined;
  const missing = (Array.isArray(required) ? required : []).filter(
    (name: JsonValue) => typeof name === "string" && !Object.hasOwn(template, name),
  );
  return [
    ...missing.map((name: JsonValue) => `It needs the argument “${String(name)}”.`),
    ...Object.keys(template)
      .filter((name) => known !== undefined && !Object.hasOwn(known, name))
      .map((name) => `It has no argument “${name}”.`),
  ];
}

/** Parts of the call's own arguments that the template takes and that the draft does not have. */
function missingArguments(template: JsonValue, schema: JsonObject): readonly string[] {
  if (Array.isArray(template)) return template.flatMap((item: JsonValue) => missingArguments(item, schema));
  if (!isJsonObject(template)) return [];
  const pointer = getOwn(template, "$argument");
  if (typeof pointer !== "string")
    return Object.keys(template).flatMap((name) => missingArguments(getOwn(template, name) ?? null, schema));
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return [`“${pointer}” is no JSON pointer: it begins with /.`];
  const name = (pointer.slice(1).split("/", 1)[0] ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
  const properties = getOwn(schema, "properties");
  const has = !isJsonObject(properties) || Object.hasOwn(properties, name);
  return has ? [] : [`The call itself has no argument “${name}”.`];
}
