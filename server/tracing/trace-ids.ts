import { createHash } from "node:crypto";

/**
 * Ids of a run's trace follow from the run, so that whoever exports it, and however often, exports the same trace, and
 * no process has to remember them.
 */
export const traceIdOf = (runId: string): string => hex("trace", [runId], 32);

/** The span of a run itself. */
export const runSpanId = (runId: string): string => hex("run", [runId], 16);

/** The span of one call of a task. */
export const attemptSpanId = (runId: string, taskId: string, attempt: number): string =>
  hex("attempt", [runId, taskId, String(attempt)], 16);

/** The span of anything else of the run, by its kind and its own id. */
export const partSpanId = (runId: string, kind: string, id: string): string => hex(kind, [runId, id], 16);

const hex = (kind: string, words: readonly string[], length: number): string =>
  createHash("sha256")
    .update(JSON.stringify([kind, ...words]))
    .digest("hex")
    .slice(0, length);
