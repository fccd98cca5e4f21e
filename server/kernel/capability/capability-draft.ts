import type { z } from "zod";
import { CAPABILITY_REFERENCE_PATTERN } from "../ids";
import { canonicalJson, getAtPointer, getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json";
import { type Capability, capabilitySchema } from "./capability";
import { type HttpSettings, httpSettingsSchema, secretNamesIn } from "./http-settings";
import { templateArguments } from "./resource";
import { scopeArguments, scopeIssue } from "./scope";

/** A version about to be registered: the registry gives it its number. */
export const capabilityDraftSchema = capabilitySchema.omit({ version: true });
export type CapabilityDraft = z.infer<typeof capabilityDraftSchema>;

/** What is wrong with a draft, with a JSON pointer into it. */
export interface DraftIssue {
  readonly pointer: string;
  readonly message: string;
}

/** Characters of a whole version at most: it goes into the log of every run that names it. */
export const CAPABILITY_CHARACTERS_MAX = 200_000;

/** Everything that keeps a draft from being registered; nothing when it may be. */
export function checkDraft(draft: CapabilityDraft): readonly DraftIssue[] {
  const issues: DraftIssue[] = [];
  const report = (pointer: string, message: string): void => {
    issues.push({ pointer, message });
  };
  if (!CAPABILITY_REFERENCE_PATTERN.test(draft.name) || draft.name.includes("@"))
    report("/name", "A name has letters, digits and . _ - / and begins with a letter or digit.");
  if (draft.title.trim() === "") report("/title", "A title is missing.");
  const characters = canonicalJson(draft as unknown as JsonValue).length;
  if (characters > CAPABILITY_CHARACTERS_MAX)
    report("", `It has ${characters} characters; ${CAPABILITY_CHARACTERS_MAX} are the most.`);
  if (getOwn(draft.inputSchema, "type") !== "object")
    report("/inputSchema/type", "Arguments are an object, so the schema says that its type is object.");
  for (const key of ["inputSchema", "outputSchema"] as const)
    for (const reference of danglingReferences(draft[key])) report(`/${key}`, `${reference} leads nowhere.`);
  checkTemplates(draft, report);
  if (draft.estimate.p95Seconds < draft.estimate.p50Seconds)
    report("/estimate/p95Seconds", "The 95th percentile is not below the median.");
  if (draft.idempotency === "status_lookup" && draft.lookUp === undefined)
    report("/lookUp", "The capability that is asked is missing.");
  if (draft.provider === "built_in") report("/provider", "Built-in capabilities ship with the code.");
  if (draft.provider === "http") checkHttp(draft, report);
  else if (secretNamesIn(draft.settings).length > 0) report("/settings", "Only HTTP capabilities can use secrets.");
  return issues;
}

type Report = (pointer: string, message: string) => void;

function danglingReferences(schema: JsonObject): readonly string[] {
  const dangling = new Set<string>();
  const visit = (part: JsonValue | undefined): void => {
    if (Array.isArray(part)) for (const item of part) visit(item);
    if (!isJsonObject(part)) return;
    const reference = getOwn(part, "$ref");
    if (typeof reference === "string" && !leadsSomewhere(schema, reference)) dangling.add(reference);
    for (const key of Object.keys(part)) visit(getOwn(part, key));
  };
  visit(schema);
  return [...dangling];
}

const leadsSomewhere = (schema: JsonObject, reference: string): boolean => {
  try {
    return reference.startsWith("#") && getAtPointer(schema, decodeURIComponent(reference.slice(1))) !== undefined;
  } catch {
    return false;
  }
};

function checkTemplates(draft: CapabilityDraft, report: Report): void {
  const properties = getOwn(draft.inputSchema, "properties");
  for (const key of ["reads", "writes"] as const) {
    draft[key].forEach((template, index) => {
      for (const argument of templateArguments(template))
        if (isJsonObject(properties) && !Object.hasOwn(properties, argument))
          report(`/${key}/${index}`, `There is no argument “${argument}”.`);
    });
  }
  draft.requires.forEach((scope, index) => {
    const place = `/requires/${index}`;
    const issue = scopeIssue(scope);
    if (issue !== undefined) report(place, issue);
    for (const argument of scopeArguments(scope)) {
      if (isJsonObject(properties) && !Object.hasOwn(properties, argument))
        report(place, `There is no argument “${argument}”.`);
      else if (!isAlwaysGiven(draft.inputSchema, argument))
        report(place, `The argument “${argument}” may be absent, and a call whose scope is not known is never made.`);
    }
  });
}

/** Required, or with a default that stands where it is not given. */
function isAlwaysGiven(inputSchema: JsonObject, argument: string): boolean {
  const required = getOwn(inputSchema, "required");
  if (Array.isArray(required) && required.includes(argument)) return true;
  const properties = getOwn(inputSchema, "properties");
  const schema = isJsonObject(properties) ? getOwn(properties, argument) : undefined;
  return isJsonObject(schema) && Object.hasOwn(schema, "default");
}

function checkHttp(draft: CapabilityDraft, report: Report): void {
  const parsed = httpSettingsSchema.safeParse(draft.settings);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) report(`/settings/${issue.path.map(String).join("/")}`, issue.message);
    return;
  }
  const settings = parsed.data;
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i.test(settings.server))
    report("/settings/server", "The server is an http or https address without user name, query or fragment.");
  checkPlaces(draft, settings, report);
  if (draft.idempotency === "key" && settings.idempotencyKeyHeader === undefined)
    report("/settings/idempotencyKeyHeader", "The header that takes the key is missing.");
}

/** Every place in the path has its parameter, and every parameter its argument. */
function checkPlaces(draft: CapabilityDraft, settings: HttpSettings, report: Report): void {
  const places = new Set([...settings.path.matchAll(/\{([^{}]+)\}/g)].map(([, place = ""]) => place));
  const inPath = new Set(settings.parameters.filter((each) => each.in === "path").map((each) => each.name));
  for (const place of places) if (!inPath.has(place)) report("/settings/path", `Nothing fills in {${place}}.`);
  const properties = getOwn(draft.inputSchema, "properties");
  const has = (argument: string): boolean => isJsonObject(properties) && Object.hasOwn(properties, argument);
  settings.parameters.forEach((parameter, index) => {
    if (!has(parameter.argument))
      report(`/settings/parameters/${index}`, `There is no argument “${parameter.argument}”.`);
    if (parameter.in === "path" && !places.has(parameter.name))
      report(`/settings/parameters/${index}`, `The path has no place {${parameter.name}}.`);
  });
  if (settings.body !== undefined && !has(settings.body.argument))
    report("/settings/body", `There is no argument “${settings.body.argument}”.`);
}

/** What stays the same from version to version, to tell a change from none. */
export const draftOf = ({ version: _version, ...draft }: Capability): CapabilityDraft => {
  const { fingerprint: _fingerprint, ...plain } = draft as CapabilityDraft & { fingerprint?: string };
  return plain;
};

/** Two drafts that say the same. */
export const isSameDraft = (a: CapabilityDraft, b: CapabilityDraft): boolean =>
  canonicalJson(a as unknown as JsonValue) === canonicalJson(b as unknown as JsonValue);
