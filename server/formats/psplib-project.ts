import type { Diagnostic } from "#kernel/plan/diagnostic";
import { err, ok, type Result } from "#kernel/result";
import { count, diagnose, quote } from "./diagnose";
import type { Position } from "./position";

interface Job {
  readonly number: number;
  readonly seconds: number;
  readonly successors: readonly number[];
  /** Units of each renewable resource, by pool; those that ask for none left out. */
  readonly requests: ReadonlyMap<string, number>;
  readonly position: Position;
}

interface Project {
  readonly jobs: readonly Job[];
  readonly capacities: ReadonlyMap<string, number>;
  readonly diagnostics: readonly Diagnostic[];
}

interface Line {
  readonly text: string;
  readonly number: number;
}

type Row = { readonly numbers: readonly number[] } & Line;

const PROBLEMS_MAX = 100;

/** Reads a PSPLIB file, or says at which lines it is none. */
export function readPsplib(text: string): Result<Project, Diagnostic[]> {
  const lines = text.split("\n").map((line, index): Line => ({ text: line.replace(/\r$/, ""), number: index + 1 }));
  const problems: Diagnostic[] = [];
  const report = (message: string, line: Line | undefined): void => {
    if (problems.length < PROBLEMS_MAX)
      problems.push(diagnose({ code: "syntax", message }, { line: line?.number ?? 1, column: 1 }));
  };
  const precedence = rowsOf(lines, /^PRECEDENCE RELATIONS:/, report);
  const durations = rowsOf(lines, /^REQUESTS\/DURATIONS:/, report);
  const capacities = readCapacities(lines, report);
  const modes = readModes(durations, { capacities, several: severalModes(precedence) }, report);
  const jobs = precedence.flatMap((row) => readJob(row, modes, report));
  checkNumbers(jobs, precedence, announcedJobs(lines), report);
  if (problems.length > 0) return err(problems);
  const diagnostics = lossesOf(capacities, precedence);
  const renewable = [...capacities].filter(([name, { units }]) => isRenewable(name) && units > 0);
  return ok({ jobs, capacities: new Map(renewable.map(([name, { units }]) => [name, units])), diagnostics });
}

/** The rows of a section that begin with a number, up to its line of stars. */
function rowsOf(lines: readonly Line[], heading: RegExp, report: (message: string, line: Line) => void): Row[] {
  const start = lines.findIndex(({ text }) => heading.test(text));
  const rows: Row[] = [];
  for (const line of lines.slice(start + 1)) {
    if (start === -1 || line.text.startsWith("*")) break;
    if (!/^\s*\d/.test(line.text)) continue;
    const tokens = line.text.trim().split(/\s+/);
    const wrong = tokens.find((token) => !/^\d{1,9}$/.test(token));
    if (wrong === undefined) rows.push({ ...line, numbers: tokens.map(Number) });
    else report(`Expected a whole number, found ${quote(wrong)}.`, line);
  }
  return rows;
}

interface Capacity {
  readonly units: number;
  readonly line: Line;
}

/** `R 1  R 2  N 1` over a row of capacities. */
function readCapacities(
  lines: readonly Line[],
  report: (message: string, line: Line | undefined) => void,
): Map<string, Capacity> {
  const start = lines.findIndex(({ text }) => /^RESOURCEAVAILABILITIES:/.test(text));
  const [names, units] = start === -1 ? [] : lines.slice(start + 1, start + 3);
  const resources = [...(names?.text.matchAll(/([RND])\s*(\d+)/g) ?? [])].map((match) => `${match[1]}${match[2]}`);
  const amounts = (units?.text.match(/\S+/g) ?? []).map(Number);
  if (amounts.some((amount) => !Number.isInteger(amount) || amount < 0) || amounts.length !== resources.length) {
    report(`${count(resources.length, "resource")} and ${count(amounts.length, "capacity")} stand here.`, units);
  }
  if (names === undefined) report("The section RESOURCEAVAILABILITIES is missing.", lines.at(-1));
  return new Map(
    resources.map((name, index) => [name, { units: amounts[index] ?? 0, line: units ?? { text: "", number: 1 } }]),
  );
}

interface Mode {
  readonly seconds: number;
  readonly requests: ReadonlyMap<string, number>;
}

/** The first mode of each job: a row is `job mode duration requests…`, a further mode leaves the job out. */
function readModes(
  rows: readonly Row[],
  { capacities, several }: { capacities: ReadonlyMap<string, Capacity>; several: ReadonlySet<number> },
  report: (message: string, line: Line) => void,
): Map<number, Mode> {
  const modes = new Map<number, Mode>();
  const width = 3 + capacities.size;
  let job: number | undefined;
  for (const row of rows) {
    const further = row.numbers.length === width - 1 && job !== undefined && several.has(job);
    if (further) continue;
    const [number, , seconds, ...requests] = row.numbers;
    if (number === undefined || seconds === undefined || row.numbers.length !== width) {
      report(`A row holds a job, its mode, its duration and ${count(capacities.size, "request")}.`, row);
      continue;
    }
    if (modes.has(number)) report(`Job ${number} has its duration twice.`, row);
    job = number;
    const asked = [...capacities].flatMap(([name, { units }], index): [string, number][] => {
      const amount = requests[index] ?? 0;
      if (amount > 0 && units === 0) report(`Job ${number} asks for ${name}, of which there is none.`, row);
      return amount > 0 && isRenewable(name) ? [[name, amount]] : [];
    });
    modes.set(number, { seconds, requests: new Map(asked) });
  }
  return modes;
}

const severalModes = (rows: readonly Row[]): ReadonlySet<number> =>
  new Set(rows.flatMap(({ numbers: [job, modes] }) => (job !== undefined && (modes ?? 1) > 1 ? [job] : [])));

function readJob(row: Row, modes: ReadonlyMap<number, Mode>, report: (message: string, line: Line) => void): Job[] {
  const [number, , announced, ...successors] = row.numbers;
  if (number === undefined || announced === undefined) {
    report("A row holds a job, how many modes and successors it has, and those.", row);
    return [];
  }
  if (successors.length !== announced)
    report(`Job ${number} announces ${count(announced, "successor")} and lists ${successors.length}.`, row);
  const mode = modes.get(number);
  if (mode === undefined) report(`Job ${number} has no duration.`, row);
  const position = { line: row.number, column: row.text.search(/\S/) + 1 };
  return mode === undefined ? [] : [{ number, ...mode, successors: [...new Set(successors)], position }];
}

function checkNumbers(
  jobs: readonly Job[],
  rows: readonly Row[],
  announced: { jobs: number; line: Line } | undefined,
  report: (message: string, line: Line | undefined) => void,
): void {
  const known = new Set(jobs.map(({ number }) => number));
  for (const row of rows) {
    const stranger = row.numbers.slice(3).find((successor) => !known.has(successor));
    if (stranger !== undefined)
      report(`Job ${row.numbers[0]} names the successor ${stranger}, which is no job of this project.`, row);
  }
  if (announced !== undefined && announced.jobs !== rows.length)
    report(`${count(announced.jobs, "job")} are announced and ${rows.length} follow.`, announced.line);
}

function announcedJobs(lines: readonly Line[]): { jobs: number; line: Line } | undefined {
  const line = lines.find(({ text }) => /^jobs .*:\s*\d+/.test(text));
  return line === undefined ? undefined : { jobs: Number(/:\s*(\d+)/.exec(line.text)?.[1]), line };
}

/** Only a renewable resource is given back when its job ends; that is what a pool is. */
const isRenewable = (name: string): boolean => name.startsWith("R");

function lossesOf(capacities: ReadonlyMap<string, Capacity>, rows: readonly Row[]): Diagnostic[] {
  const lost = (message: string, line: Line): Diagnostic =>
    diagnose({ code: "not_carried_over", severity: "warning", message }, { line: line.number, column: 1 });
  const consumed = [...capacities].filter(([name, { units }]) => !isRenewable(name) && units > 0);
  const withModes = rows.find(({ numbers }) => (numbers[1] ?? 1) > 1);
  return [
    ...consumed.map(([name, { line }]) =>
      lost(`${name} is used up by its jobs; a pool gives back, so it is left out.`, line),
    ),
    ...(withModes === undefined ? [] : [lost("Jobs have several modes; each comes over in its first one.", withModes)]),
  ];
}
