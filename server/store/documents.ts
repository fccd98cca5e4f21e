import type { ClientBase, Pool } from "pg";

/** Documents in memory; a run's plan is read by every fold, and a document never changes. */
const KEPT_MAX = 200;

/** Reads documents by hash. Values are shared between readers, so they must not be changed. */
export class Documents {
  readonly #kept = new Map<string, unknown>();

  /** The parsed documents of `hashes`; one that is missing is absent from the map. */
  async read(client: ClientBase | Pool, hashes: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const found = new Map<string, unknown>();
    const missing = new Set<string>();
    for (const hash of hashes) {
      if (this.#kept.has(hash)) found.set(hash, this.#kept.get(hash));
      else missing.add(hash);
    }
    if (missing.size > 0) {
      const result = await client.query<{ hash: string; content: string }>(
        "SELECT hash, content FROM documents WHERE hash = ANY($1::text[])",
        [[...missing]],
      );
      for (const row of result.rows) {
        const value: unknown = JSON.parse(row.content);
        found.set(row.hash, value);
        this.#keep(row.hash, value);
      }
    }
    return found;
  }

  #keep(hash: string, value: unknown): void {
    const oldest = this.#kept.keys().next();
    if (this.#kept.size >= KEPT_MAX && !oldest.done) this.#kept.delete(oldest.value);
    this.#kept.set(hash, value);
  }
}
