import type { LookUp } from "#kernel/capability/capability";
import { isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import type { Operation, OperationChoice } from "./import-data";

/** A look-up as it is typed. */
export interface LookUpText {
  readonly capability: string;
  /** A JSON object. */
  readonly arguments: string;
  /** Where in the answer it says what became of the call. */
  readonly pointer: string;
  /** Values that say so, with commas between; none: anything there. */
  readonly committed: string;
  readonly notCommitted: string;
  /** Where in the answer the call's own output stands. */
  readonly output: string;
}

const EMPTY_LOOK_UP: LookUpText = {
  capability: "",
  arguments: "{}",
  pointer: "/body",
  committed: "",
  notCommitted: "",
  output: "",
};

/** A look-up as somebody would type it. */
export const lookUpText = (lookUp: OperationChoice["lookUp"]): LookUpText =>
  lookUp === undefined
    ? EMPTY_LOOK_UP
    : {
        capability: lookUp.capability,
        arguments: JSON.stringify(lookUp.arguments),
        pointer: lookUp.committed.pointer,
        committed: wordsOf(lookUp.committed.values),
        notCommitted: wordsOf(lookUp.notCommitted?.values),
        output: lookUp.output ?? "",
      };

const wordsOf = (values: readonly unknown[] = []): string =>
  values
    .map((value) => (typeof value === "string" && valuesOf(value)[0] === value ? value : JSON.stringify(value)))
    .join(", ");

export type LookUpFaults = Partial<Record<keyof LookUpText, string>>;

/** What was typed as a look-up, or what is wrong with it, field by field. */
export function readLookUp(text: LookUpText): { readonly lookUp?: LookUp; readonly faults: LookUpFaults } {
  const template = parseObject(text.arguments);
  const [committed, notCommitted] = [valuesOf(text.committed), valuesOf(text.notCommitted)];
  const faults: LookUpFaults = {
    ...(text.capability.trim() === "" && { capability: "Which capability is asked?" }),
    ...(template === undefined && { arguments: 'A JSON object, such as {"id": {"$argument": "/id"}}.' }),
    ...(!isPointer(text.pointer) && { pointer: "A JSON pointer begins with /, as in /body/state." }),
    ...(!isPointer(text.output) && { output: "A JSON pointer begins with /, as in /body/order." }),
    ...(committed.length === 0 &&
      notCommitted.length > 0 && { committed: "Without values here, whatever is there says that it took effect." }),
  };
  if (template === undefined || Object.keys(faults).length > 0) return { faults };
  const pointer = text.pointer.trim();
  return {
    faults,
    lookUp: {
      capability: text.capability.trim(),
      arguments: template,
      committed: { pointer, ...(committed.length > 0 && { values: committed }) },
      ...(notCommitted.length > 0 && { notCommitted: { pointer, values: notCommitted } }),
      ...(text.output.trim() !== "" && { output: text.output.trim() }),
    },
  };
}

/** What to ask it with: arguments of the same name, and the key where one is asked for. */
export function suggestedArguments(operation: Operation, asked: Operation): string {
  const names = new Set(operation.arguments.map(({ name }) => name));
  const suggested = asked.arguments.flatMap(({ name, required }): [string, JsonValue][] => {
    if (names.has(name)) return [[name, { $argument: `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}` }]];
    return required && /key/i.test(name) ? [[name, { $idempotencyKey: true }]] : [];
  });
  return JSON.stringify(Object.fromEntries(suggested));
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isPointer = (text: string): boolean => text.trim() === "" || text.trim().startsWith("/");

/** `paid, 3, true`: what is JSON is taken as that, the rest as text. */
const valuesOf = (text: string): JsonValue[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      try {
        return JSON.parse(part) as JsonValue;
      } catch {
        return part;
      }
    });
