import type { Position } from "./position";

/** Places of a plan's pointers, for a source in which each task stands at one place. */
export function locateTasks(
  positions: readonly Position[],
): (pointers: Iterable<string>) => ReadonlyMap<string, Position> {
  const start: Position = { line: 1, column: 1 };
  return (pointers) =>
    new Map(
      [...pointers].map((pointer): [string, Position] => {
        const index = /^\/tasks\/(\d+)/.exec(pointer)?.[1];
        return [pointer, (index === undefined ? undefined : positions[Number(index)]) ?? start];
      }),
    );
}
