import type { Position } from "./position";
import type { StructuredDocument } from "./structured-document";

/**
 * Places of a plan's pointers, for an importer that knows which pointer of its source each of them came from.
 *
 * @param sourcePointer the place in the source; "" where nothing there says it.
 */
export function locateThrough(
  document: StructuredDocument,
  sourcePointer: (planPointer: string) => string,
): (pointers: Iterable<string>) => ReadonlyMap<string, Position> {
  return (pointers) => {
    const wanted = new Map([...pointers].map((pointer) => [pointer, sourcePointer(pointer)]));
    const positions = document.locate(new Set(wanted.values()));
    return new Map(
      [...wanted].flatMap(([pointer, source]) => {
        const position = positions.get(source);
        return position === undefined ? [] : [[pointer, position] as const];
      }),
    );
  };
}
