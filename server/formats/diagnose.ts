import type { Diagnostic } from "#kernel/plan/diagnostic";
import type { Position } from "./position";

type Given = Pick<Diagnostic, "code" | "message"> & Partial<Diagnostic>;

/** A diagnostic of an importer: an error at the root of the document unless told otherwise. */
export const diagnose = (given: Given, position?: Position): Diagnostic => ({
  severity: "error",
  pointer: "",
  related: [],
  ...given,
  ...(position === undefined ? {} : { line: position.line, column: position.column }),
});

/** Text from a file, safe to quote in a one-line message. */
export function quote(text: string, maxLength = 60): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return JSON.stringify(cut);
}

/** `1 task`, `2 tasks`. */
export const count = (amount: number, noun: string): string =>
  `${amount.toLocaleString("en-US")} ${noun}${amount === 1 ? "" : "s"}`;
