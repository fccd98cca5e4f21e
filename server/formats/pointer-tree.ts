import { parsePointer } from "#kernel/json";

/** JSON pointers as a tree, so that one walk over a document finds the places of all of them. */
export interface PointerTree {
  /** Offset of the value, once the walk has met it. */
  offset: number | undefined;
  readonly children: Map<string, PointerTree>;
}

export function createPointerTree(pointers: Iterable<string>): PointerTree {
  const root: PointerTree = { offset: undefined, children: new Map() };
  for (const pointer of pointers) {
    let node = root;
    for (const part of parsePointer(pointer) ?? []) {
      let child = node.children.get(part);
      if (child === undefined) {
        child = { offset: undefined, children: new Map() };
        node.children.set(part, child);
      }
      node = child;
    }
  }
  return root;
}

/** The offset of the value at `pointer`, or of its nearest ancestor that exists. */
export function offsetInTree(root: PointerTree, pointer: string): number {
  let node: PointerTree | undefined = root;
  let offset = root.offset ?? 0;
  for (const part of parsePointer(pointer) ?? []) {
    node = node.children.get(part);
    if (node?.offset === undefined) return offset;
    offset = node.offset;
  }
  return offset;
}
