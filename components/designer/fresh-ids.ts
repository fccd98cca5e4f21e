import { isTaskId, type TaskId } from "#kernel/ids";

/** Makes ids that the plan does not have yet: `fetch`, `fetch-2`, `fetch-3`. Remembers what it gave. */
export class FreshIds {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  next(wanted: string): TaskId {
    const base = slug(wanted);
    let candidate = base;
    for (let number = 2; this.#taken.has(candidate) || !isTaskId(candidate); number++) candidate = `${base}-${number}`;
    this.#taken.add(candidate);
    if (!isTaskId(candidate)) throw new Error("A fresh id is a task id by construction");
    return candidate;
  }
}

const SLUG_MAX = 60;

/** `Roll back checkout!` → `roll-back-checkout`; a trailing number of an earlier copy is left off. */
function slug(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, "")
    .slice(0, SLUG_MAX)
    .replace(/-\d+$/, "");
  return plain === "" ? "task" : plain;
}
