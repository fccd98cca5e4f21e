/** A line is for finding things: whoever reads thousands of them, or pays for them by the byte, never meets a page. */
export const LINE_BYTES_MAX = 2_000;

/** Texts of a line that is too long are cut to one of these lengths, the first that makes it short enough. */
const CUTS = [700, 350, 150, 60, 20] as const;

/** One JSON line as it may be written: itself while it is short, else with its texts cut, and saying so. */
export function shortLine(line: string): string {
  if (Buffer.byteLength(line) <= LINE_BYTES_MAX) return line;
  const parsed: unknown = parseOrUndefined(line);
  if (typeof parsed !== "object" || parsed === null)
    return `${JSON.stringify({ msg: line.slice(0, 300), cut: true })}\n`;
  for (const most of CUTS) {
    const short = `${JSON.stringify({ ...(cutTexts(parsed, most) as object), cut: true })}\n`;
    if (Buffer.byteLength(short) <= LINE_BYTES_MAX) return short;
  }
  const { level, time, process: name, msg } = parsed as Record<string, unknown>;
  return `${JSON.stringify({ level, time, process: name, msg: String(msg).slice(0, 60), cut: true })}\n`;
}

function cutTexts(value: unknown, most: number): unknown {
  if (typeof value === "string") return value.length <= most ? value : `${value.slice(0, most)}…`;
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => cutTexts(item, most));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.slice(0, most), cutTexts(item, most)]));
}

function parseOrUndefined(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
