import { randomUUID } from "node:crypto";
import { runIdSchema } from "#kernel/ids";
import type { NewRunEvent } from "#kernel/run/event";
import type { CarriedResult } from "#kernel/run/rerun";

/** Results of another run as first events of a new one. Large outputs are copied, so that each run has its own. */
export function carriedResults(carried: readonly CarriedResult[]): {
  readonly artifacts: readonly { readonly from: string; readonly id: string }[];
  events(at: number): NewRunEvent[];
} {
  const placed = carried.map((result) => ({ result, artifact: randomUUID() }));
  return {
    artifacts: placed.flatMap(({ result: { observation }, artifact }) =>
      observation.outputRef === undefined ? [] : [{ from: observation.outputRef, id: artifact }],
    ),
    events: (at) =>
      placed.map(({ result: { taskId, observation, from }, artifact }) => ({
        type: "task_succeeded",
        at,
        taskId,
        attempt: 1,
        startedAt: at,
        observation: observation.outputRef === undefined ? observation : { ...observation, outputRef: artifact },
        carriedFrom: { runId: runIdSchema.parse(from.runId), seq: from.seq },
      })),
  };
}
