import type { ParseArgsConfig } from "node:util";

/** 0: good; 1: the input is bad, or what was asked for did not succeed; 2: the command was not understood. */
export type ExitCode = 0 | 1 | 2;

export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

/** Where a command reads and writes; a test hands in its own. */
export interface CommandIo {
  /** Where this installation keeps its `.planwright` folder. */
  readonly checkout: string;
  /** All of standard input, up to the limit of an imported file. */
  readStdin(): Promise<Uint8Array<ArrayBuffer>>;
  /** A line on standard output: the answer. */
  print(line: string): void;
  /** A line on standard error: everything that is not the answer. */
  complain(line: string): void;
}

export interface Invocation {
  readonly positionals: readonly string[];
  readonly values: OptionValues;
  /** `--json`: the answer as one JSON value, problems included. */
  readonly json: boolean;
  readonly io: CommandIo;
}

/** One command of the command line; its file is loaded only when it is called. */
export interface Command {
  /** Printed by `--help`; the first line shows the call. */
  readonly help: string;
  readonly options: NonNullable<ParseArgsConfig["options"]>;
  run(invocation: Invocation): Promise<ExitCode>;
}

/** The call itself is wrong; ends with 2 and the command's help. */
export class UsageError extends Error {}

/** The value of a `--name value` option. */
export function optionText(values: OptionValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** The only positional argument, or a usage error that names it. */
export function onlyPositional({ positionals }: Invocation, name: string): string {
  const [first, ...rest] = positionals;
  if (first === undefined) throw new UsageError(`${name} is missing.`);
  if (rest.length > 0) throw new UsageError(`One ${name} is expected, found ${positionals.length}.`);
  return first;
}

/** A whole number of at least 1. */
export function positiveInteger(text: string, name: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text))
    throw new UsageError(`${name} must be a whole number of at least 1, found "${text}".`);
  return Number(text);
}

/** `a,b` → `["a", "b"]`, blanks around and empty entries left out. */
export const commaList = (text: string): string[] =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
