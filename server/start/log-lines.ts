import { z } from "zod";

const lineSchema = z.looseObject({
  level: z.string(),
  time: z.string(),
  msg: z.string().default(""),
  process: z.string().default(""),
});

/**
 * A log line of a process as a person at a terminal reads it: time, process, level, text, and what it is about.
 * Lines that are not ours come back with the name of their process before them.
 */
export function readableLine(processName: string, line: string): string {
  const parsed = lineSchema.safeParse(parsedJson(line));
  if (!parsed.success) return `${processName.padEnd(6)} ${line}`;
  const { level, time, msg, process: _process, pid: _pid, ...rest } = parsed.data;
  const details = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : "";
  return `${time.slice(11, 19)} ${processName.padEnd(6)} ${level.padEnd(5)} ${msg}${details}`;
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
