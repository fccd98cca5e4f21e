import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { JsonValue } from "#kernel/json";
import { type Artifacts, OUTPUT_BYTES_MAX } from "../runtime/ports";
import { retryTransient } from "./transient";

/** Large outputs in Postgres, beside the log that names them, so that one backup holds both. */
export class RunArtifacts implements Artifacts {
  readonly #pool: Pool;
  readonly #signal: AbortSignal;

  constructor(pool: Pool, signal: AbortSignal) {
    this.#pool = pool;
    this.#signal = signal;
  }

  async put(artifact: {
    readonly runId: string;
    readonly taskId: string;
    readonly attempt: number;
    readonly output: JsonValue;
  }): Promise<string> {
    const content = JSON.stringify(artifact.output);
    const bytes = Buffer.byteLength(content);
    if (bytes > OUTPUT_BYTES_MAX) throw new Error(`An output of ${bytes} bytes is above the limit`);
    const key = randomUUID();
    const stored = await retryTransient(
      () =>
        this.#pool.query(
          `INSERT INTO artifacts (id, run_key, task_id, attempt, bytes, content)
           SELECT $1, key, $3, $4, $5, $6 FROM runs WHERE id = $2 ON CONFLICT DO NOTHING`,
          [key, artifact.runId, artifact.taskId, artifact.attempt, bytes, content],
        ),
      this.#signal,
    );
    if (stored.rowCount === 0 && (await this.get(artifact.runId, key)) === undefined) {
      throw new Error(`There is no run ${artifact.runId} to keep an output of`);
    }
    return key;
  }

  async get(runId: string, key: string): Promise<JsonValue | undefined> {
    const result = await retryTransient(
      () =>
        this.#pool.query<{ content: string }>(
          "SELECT content FROM artifacts JOIN runs ON runs.key = artifacts.run_key WHERE artifacts.id = $1 AND runs.id = $2",
          [key, runId],
        ),
      this.#signal,
    );
    const row = result.rows[0];
    return row === undefined ? undefined : JSON.parse(row.content);
  }
}
