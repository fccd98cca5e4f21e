/**
 * True for a regular expression that could take exponential time: a repeat within a repeat, or alternatives that are
 * repeated. Patterns come from strangers and are run against values of strangers, in a process that others share.
 */
export function isRiskyPattern(pattern: string): boolean {
  if (pattern.length > 500) return true;
  const groups: { repeats: boolean }[] = [{ repeats: false }];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") {
      if (/[1-9k]/.test(pattern[at + 1] ?? "")) return true;
      at++;
    } else if (character === "[") {
      at = endOfClass(pattern, at);
    } else if (character === "(") {
      groups.push({ repeats: false });
    } else if (character === ")") {
      const group = groups.pop() ?? { repeats: false };
      const repeated = isRepeat(pattern, at + 1);
      if (repeated && group.repeats) return true;
      const parent = groups.at(-1);
      if (parent !== undefined) parent.repeats ||= group.repeats || repeated;
    } else if (character === "|" || isRepeat(pattern, at)) {
      const group = groups.at(-1);
      if (group !== undefined && groups.length > 1) group.repeats = true;
    }
  }
  return false;
}

/** An open-ended or large count stands here. */
function isRepeat(pattern: string, at: number): boolean {
  const character = pattern[at];
  if (character === "*" || character === "+") return true;
  if (character !== "{") return false;
  const counts = /^\{(\d+)(,(\d*))?\}/.exec(pattern.slice(at, at + 16));
  if (counts === null) return false;
  const most =
    counts[2] === undefined ? Number(counts[1]) : counts[3] === "" ? Number.POSITIVE_INFINITY : Number(counts[3]);
  return most > 32;
}

function endOfClass(pattern: string, begin: number): number {
  for (let at = begin + 1; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]") return at;
  }
  return pattern.length;
}
