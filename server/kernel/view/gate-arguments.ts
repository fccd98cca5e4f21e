import { canonicalJson, formatPointer, getAtPointer, isJsonObject, type JsonValue } from "../json";
import type { ArgumentOrigin } from "../run/event";

/** One argument of a call: its true value, where it came from, and what it was when last approved or asked. */
export interface ArgumentRow {
  /** Key of the argument; "" for arguments that are no object. */
  readonly name: string;
  readonly pointer: string;
  readonly value: JsonValue;
  /** `plan`, `default`, or references `task#/pointer`; the origins of everything inside a nested value. */
  readonly from: readonly string[];
  readonly change: "none" | "added" | "changed" | "removed";
  readonly before?: JsonValue;
}

/**
 * The arguments of a call as rows, in their own order, compared with `before` (the arguments last asked or approved
 * for the same task). Arguments that are gone come last, so that nobody misses what is no longer there.
 */
export function argumentRows(
  callArguments: JsonValue,
  origins: readonly ArgumentOrigin[],
  before?: JsonValue,
): readonly ArgumentRow[] {
  if (!isJsonObject(callArguments)) {
    return [
      { name: "", pointer: "", value: callArguments, from: originsOf("", origins), ...changeOf(callArguments, before) },
    ];
  }
  const rows = Object.entries(callArguments).map(([name, value]): ArgumentRow => {
    const pointer = formatPointer([name]);
    const old = before === undefined ? undefined : getAtPointer(before, pointer);
    const change = before === undefined ? { change: "none" as const } : changeOf(value, old);
    return { name, pointer, value, from: originsOf(pointer, origins), ...change };
  });
  const gone = isJsonObject(before)
    ? Object.entries(before)
        .filter(([name]) => !Object.hasOwn(callArguments, name))
        .map(([name, value]): ArgumentRow => {
          return { name, pointer: formatPointer([name]), value, from: [], change: "removed", before: value };
        })
    : [];
  return [...rows, ...gone];
}

function changeOf(value: JsonValue, before: JsonValue | undefined): Pick<ArgumentRow, "change" | "before"> {
  if (before === undefined) return { change: "added" };
  return canonicalJson(before) === canonicalJson(value) ? { change: "none" } : { change: "changed", before };
}

/** Origins of the value at `pointer`: its own, those of its parts, else the nearest enclosing one, else the plan. */
export function originsOf(pointer: string, origins: readonly ArgumentOrigin[]): readonly string[] {
  const inside = origins.filter((origin) => origin.pointer === pointer || origin.pointer.startsWith(`${pointer}/`));
  const named = [...new Set(inside.flatMap((origin) => origin.from))];
  if (named.length > 0) return named;
  const around = origins
    .filter((origin) => origin.pointer === "" || pointer.startsWith(`${origin.pointer}/`))
    .sort((left, right) => right.pointer.length - left.pointer.length)[0];
  return around?.from ?? ["plan"];
}
