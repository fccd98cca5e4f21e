import { compareIds } from "./order";

/** Longest name worth comparing letter by letter. */
const COMPARED_LENGTH_MAX = 64;

/**
 * Names that a person may have meant, nearest first: the same but for case and punctuation, a part of one another,
 * or few typing errors away (Damerau 1964, adjacent swaps counted once). A hint for people, never a substitute.
 */
export function nearNames(wanted: string, names: Iterable<string>, max = 3): readonly string[] {
  const target = plain(wanted);
  const tolerance = Math.floor(target.length / 3);
  const near: { name: string; distance: number }[] = [];
  for (const name of names) {
    const distance = distanceOf(target, plain(name), tolerance);
    if (distance <= tolerance) near.push({ name, distance });
  }
  near.sort((a, b) => a.distance - b.distance || compareIds(a.name, b.name));
  return near.slice(0, max).map(({ name }) => name);
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

function distanceOf(a: string, b: string, tolerance: number): number {
  if (a === b) return 0;
  if (a.length >= 3 && b.length >= 3 && (a.includes(b) || b.includes(a))) return 1;
  if (Math.abs(a.length - b.length) > tolerance) return Number.POSITIVE_INFINITY;
  if (Math.max(a.length, b.length) > COMPARED_LENGTH_MAX) return Number.POSITIVE_INFINITY;
  return editDistance(a, b);
}

function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] as number) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] as number;
}

/** "a", "a or b", "a, b or c". */
export const listNames = (names: readonly string[], joint = "or"): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} ${joint} ${names.at(-1)}`;
