import { isTaskId } from "#kernel/ids";

const LENGTH_MAX = 128;

/**
 * Gives each foreign id a task id. An id within our grammar stays as it is; any other is rewritten, never onto an id
 * that the document uses itself. The same foreign id always gets the same task id.
 */
export class TaskNames {
  readonly #taken: Set<string>;
  readonly #names = new Map<string, string>();
  /** The next number to try for each wish, so that ten thousand equal wishes stay linear. */
  readonly #nextNumber = new Map<string, number>();

  constructor(foreignIds: Iterable<string>) {
    const ids = [...foreignIds];
    this.#taken = new Set(ids.filter(isTaskId));
    for (const id of ids) this.idFor(id);
  }

  idFor(foreignId: string): string {
    if (isTaskId(foreignId)) return foreignId;
    const known = this.#names.get(foreignId);
    if (known !== undefined) return known;
    const id = this.#free(rewrite(foreignId));
    this.#taken.add(id);
    this.#names.set(foreignId, id);
    return id;
  }

  get renamed(): { from: string; to: string }[] {
    return [...this.#names].map(([from, to]) => ({ from, to }));
  }

  #free(wish: string): string {
    let id = wish;
    let number = this.#nextNumber.get(wish) ?? 2;
    while (this.#taken.has(id)) {
      const suffix = `-${number++}`;
      id = wish.slice(0, LENGTH_MAX - suffix.length) + suffix;
    }
    this.#nextNumber.set(wish, number);
    return id;
  }
}

function rewrite(foreignId: string): string {
  const ascii = foreignId.normalize("NFKD").replace(/\p{Mark}/gu, "");
  const tidy = ascii.replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[^A-Za-z0-9]+|-+$/g, "");
  return (tidy === "" ? "task" : tidy).slice(0, LENGTH_MAX);
}
