import type { CallContext } from "../../server/runtime/ports";

/** A call's context with what a test does not care about filled in. */
export const callContext = (given: Partial<CallContext> = {}): CallContext => ({
  runId: "run",
  taskId: "task",
  attempt: 1,
  idempotencyKey: "run:task:1",
  workspaceId: "workspace",
  signal: new AbortController().signal,
  timeoutMs: 10_000,
  ...given,
});
