import { getAtPointer, getOwn, isJsonObject, type JsonValue, parsePointer } from "../json";
import { err, ok, type Result } from "../result";
import type { CapabilityRegistry, CapabilitySnapshot } from "./capability";

/**
 * Scopes say what a call may touch: `crm:write`, or, as a template over the call's own arguments, `file:write:${path}`.
 *
 * A template is filled in from the resolved arguments at the moment of action. What comes out of an argument stays one
 * part of the scope: it can neither end the part nor widen it, whatever characters it has. `${#/order/id}` takes a part
 * of an argument, `${url|host}` the host of a URL.
 *
 * A grant is a scope by its name, `*` for every scope, or a stem: `file:*`, `file:write:*`, and within a path
 * `file:write:reports/*`.
 */
export interface ScopeFault {
  readonly template: string;
  readonly message: string;
}

/** Characters of one filled-in scope at most: what is longer names nothing that anybody grants. */
const SCOPE_CHARACTERS_MAX = 4_000;

/** Braces do not nest, so that a text of nothing but openings is read once. */
const PLACE = /\$\{([^{}]*)\}/g;

const HOST_OF = "|host";

/**
 * The scopes that a call needs, from its resolved arguments, or the first that cannot be told: a call whose scope is
 * not known is authorized by nobody.
 */
export function resolveScopes(
  templates: readonly string[],
  callArguments: JsonValue,
): Result<readonly string[], ScopeFault> {
  const scopes = new Set<string>();
  for (const template of templates) {
    let fault: string | undefined;
    const scope = template.replaceAll(PLACE, (_match, place: string) => {
      const value = valueAt(callArguments, place);
      const part = value === undefined ? undefined : asScopePart(value);
      if (part === undefined) fault ??= `The arguments give no value for ${"${"}${place}} in the scope ${template}.`;
      return part ?? "";
    });
    if (fault === undefined && scope.length > SCOPE_CHARACTERS_MAX)
      fault = `The scope ${template} comes to more than ${SCOPE_CHARACTERS_MAX} characters.`;
    if (fault !== undefined) return err({ template, message: fault });
    scopes.add(scope);
  }
  return ok([...scopes]);
}

/** The arguments that a template is filled in from: `${path}`, `${path|host}` and `${#/path/0}` all from `path`. */
export const scopeArguments = (template: string): readonly string[] =>
  [...template.matchAll(PLACE)].map(([, place = ""]) => {
    const name = withoutFilter(place);
    return name.startsWith("#") ? (parsePointer(name.slice(1))?.[0] ?? "") : name;
  });

const withoutFilter = (place: string): string => (place.endsWith(HOST_OF) ? place.slice(0, -HOST_OF.length) : place);

/** Text, a number or a truth value; anything else, and nothing, names no part of a scope. */
function valueAt(callArguments: JsonValue, place: string): string | undefined {
  const name = withoutFilter(place);
  const value = name.startsWith("#")
    ? getAtPointer(callArguments, name.slice(1))
    : isJsonObject(callArguments)
      ? getOwn(callArguments, name)
      : undefined;
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return undefined;
  return name === place ? String(value) : hostOf(String(value));
}

/** There in every browser and in Node, and the parser that sends the request: no other reads a URL as it does. */
declare const URL: new (text: string) => { readonly hostname: string };

function hostOf(text: string): string | undefined {
  try {
    return new URL(text).hostname;
  } catch {
    return undefined;
  }
}

/** What may stand in a part as it is. `/` may where the value is a plain path, so that a grant may name a folder. */
const PLAIN = /[A-Za-z0-9_.-]/;

const HALF_A_PAIR = /[\ud800-\udfff]/u;

/**
 * A value as one part of a scope, percent-encoded in UTF-8; undefined for an empty one and for half of a surrogate pair.
 * A value that some reader could take for another path (`..`, an empty step, a backslash, an escape, or a character that
 * folds into one of them) is no path to us: its slashes are encoded, so that no grant of a folder holds for it.
 */
function asScopePart(value: string): string | undefined {
  if (value === "" || HALF_A_PAIR.test(value)) return undefined;
  const isPath = isPlainPath(value) && isPlainPath(value.normalize("NFKC"));
  let part = "";
  for (const character of value) {
    const stands = PLAIN.test(character) || (character === "/" && isPath);
    part += stands ? character : percentEncoded(character);
  }
  return part;
}

const isPlainPath = (value: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a control character is the attack
  !/[\\%\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(value) &&
  value.split("/").every((step) => step !== "" && !/^[.\s]+$/u.test(step));

function percentEncoded(character: string): string {
  const encoded = encodeURIComponent(character);
  if (encoded !== character) return encoded;
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/** True where `granted` holds the scope: by name, by `*`, or by a stem such as `crm:*` or `file:write:reports/*`. */
export const grantsScope = (granted: readonly string[], scope: string): boolean =>
  granted.some((grant) => grant === scope || grant === "*" || (isStem(grant) && scope.startsWith(stemOf(grant))));

const isStem = (grant: string): boolean => grant.length > 2 && (grant.endsWith(":*") || grant.endsWith("/*"));
const stemOf = (grant: string): string => grant.slice(0, -1);

/** False where nothing that an argument could be makes `template` a scope that is granted. */
export function mayBeGranted(granted: readonly string[], template: string): boolean {
  const end = template.search(PLACE);
  if (end < 0) return grantsScope(granted, template);
  const before = template.slice(0, end);
  return granted.some((grant) => {
    if (grant === "*" || grant.startsWith(before)) return true;
    return isStem(grant) && before.startsWith(stemOf(grant));
  });
}

/**
 * What a call of a capability requires today. Of a built-in the newest version says it for all of them: an earlier one
 * is kept for the runs that are pinned to it, and is no way around a scope that came later.
 */
export const requiredScopes = (
  capability: CapabilitySnapshot,
  registry: Pick<CapabilityRegistry, "find">,
): readonly string[] =>
  capability.provider === "built_in"
    ? (registry.find(capability.name)?.requires ?? capability.requires)
    : capability.requires;

const WORD = "[A-Za-z0-9_.-]+";
const PART = `(?:[A-Za-z0-9_.-]|%[0-9A-F]{2})+`;

/** `crm:read`, `crm:*`, `file:write:reports/*` or `*`; what an argument brings is written as it is encoded. */
export const SCOPE_GRANT = new RegExp(`^(?:\\*|${WORD}(?::${PART}(?:/${PART})*)*(?::\\*|:${PART}(?:/${PART})*/\\*)?)$`);

const TEMPLATE = new RegExp(`^${WORD}(?::(?:${WORD}|\\$\\{[^{}]+\\}))*$`);

/** What is wrong with a scope that a capability asks for, or undefined. */
export const scopeIssue = (template: string): string | undefined =>
  TEMPLATE.test(template)
    ? undefined
    : "A scope reads like crm:write or file:write:${path}: parts of letters, digits and _ . - or one argument each.";
