import { canonicalJson, getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "#kernel/json";
import { listOf } from "./read-fields";

/** More jobs than the engine itself makes of one matrix. */
const ITEMS_MAX = 256;
const AXES_MAX = 32;

/**
 * The jobs of a matrix: every combination of its axes, without those that `exclude` names, `include` added to the
 * combinations it changes nothing in, or standing alone.
 *
 * @returns undefined where an axis is made at run time, or there are more jobs than a matrix may have.
 */
export function matrixItems(matrix: JsonObject): readonly JsonObject[] | undefined {
  let items: Record<string, JsonValue>[] = [];
  const axes = Object.entries(matrix).filter(([name]) => name !== "include" && name !== "exclude");
  if (axes.length > AXES_MAX) return undefined;
  for (const [index, [name, values]] of axes.entries()) {
    if (!Array.isArray(values)) return undefined;
    const base = index === 0 ? [{}] : items;
    if (base.length * values.length > ITEMS_MAX) return undefined;
    items = base.flatMap((item) => (values as readonly JsonValue[]).map((value) => withMember(item, name, value)));
  }
  const include = getOwn(matrix, "include");
  if (include !== undefined && !Array.isArray(include)) return undefined;
  const excluded = listOf(matrix, "exclude").filter(isJsonObject);
  const kept = items.filter((item) => !excluded.some((pattern) => agrees(item, pattern, Object.keys(pattern))));
  const original = kept.map((item) => ({ ...item }));
  const names = axes.map(([name]) => name);
  const added: JsonObject[] = [];
  for (const entry of listOf(matrix, "include").filter(isJsonObject)) {
    const shared = Object.keys(entry).filter((key) => names.includes(key));
    const fits = original.flatMap((item, index) => (agrees(item, entry, shared) ? [index] : []));
    if (fits.length === 0) added.push(entry);
    for (const index of fits) kept[index] = merged(kept[index] ?? {}, entry);
  }
  return kept.length + added.length > ITEMS_MAX ? undefined : filledUp([...kept, ...added]);
}

/** A value that only some jobs have is an empty text in the others, as the engine reads it. */
function filledUp(items: readonly JsonObject[]): readonly JsonObject[] {
  const names = new Set(items.flatMap((item) => Object.keys(item)));
  return items.map((item) => {
    const filled: Record<string, JsonValue> = { ...item };
    for (const name of names) if (!Object.hasOwn(filled, name)) setOwn(filled, name, "");
    return filled;
  });
}

function merged(item: JsonObject, more: JsonObject): Record<string, JsonValue> {
  const copy: Record<string, JsonValue> = { ...item };
  for (const [name, value] of Object.entries(more)) setOwn(copy, name, value);
  return copy;
}

function withMember(item: JsonObject, name: string, value: JsonValue): Record<string, JsonValue> {
  const copy: Record<string, JsonValue> = { ...item };
  setOwn(copy, name, value);
  return copy;
}

/** The same values under these names. */
const agrees = (item: JsonObject, pattern: JsonObject, names: readonly string[]): boolean =>
  names.every((name) => canonicalJson(getOwn(item, name) ?? null) === canonicalJson(getOwn(pattern, name) ?? null));
