import { errorCategorySchema } from "../capability";
import { defineBuiltIn, objectSchema } from "./define";

const key = { type: "string", minLength: 1, maxLength: 200, title: "Key" };

/** Calls with a known behaviour, for trying a plan out and for our own tests. */
export const testEcho = defineBuiltIn({
  name: "test.echo",
  title: "Echo a value",
  description: "Returns the value it was given.",
  inputSchema: objectSchema({ value: { title: "Value" } }, ["value"]),
  outputSchema: objectSchema({ value: {} }),
  sideEffect: "none",
  timeoutSeconds: 10,
  estimate: { p50Seconds: 0.01, p95Seconds: 0.02 },
});

export const testSleep = defineBuiltIn({
  name: "test.sleep",
  title: "Sleep",
  description: "Waits for a number of milliseconds and returns the value it was given.",
  inputSchema: objectSchema(
    { ms: { type: "number", minimum: 0, maximum: 600_000, title: "Milliseconds" }, value: {} },
    ["value"],
  ),
  outputSchema: objectSchema({ value: {} }),
  sideEffect: "none",
  timeoutSeconds: 660,
  estimate: { p50Seconds: 0.1, p95Seconds: 1 },
});

export const testFlaky = defineBuiltIn({
  name: "test.flaky",
  title: "Fail, then succeed",
  description: "The first calls fail, the later ones succeed; the attempt number decides, so a replay is exact.",
  inputSchema: objectSchema(
    {
      failures: { type: "integer", minimum: 0, maximum: 100, title: "Calls that fail" },
      kind: { type: "string", enum: ["retryable", "terminal"], default: "retryable", title: "Kind of failure" },
      retryAfterSeconds: { type: "number", minimum: 0, title: "Retry after, seconds" },
    },
    ["kind", "retryAfterSeconds"],
  ),
  outputSchema: objectSchema({ attempt: { type: "integer" } }),
  sideEffect: "none",
  timeoutSeconds: 10,
  estimate: { p50Seconds: 0.01, p95Seconds: 0.02 },
});

export const testCount = defineBuiltIn({
  name: "test.count",
  title: "Count a call",
  description: "Adds a line to a ledger outside the product, so that a call made twice is seen.",
  inputSchema: objectSchema({ key }),
  outputSchema: objectSchema({ key: { type: "string" }, count: { type: "integer" } }),
  sideEffect: "write",
  idempotency: "key",
  writes: ["ledger:${key}"],
  timeoutSeconds: 10,
  estimate: { p50Seconds: 0.01, p95Seconds: 0.02 },
});

export const testPoll = defineBuiltIn({
  name: "test.poll",
  title: "Wait for a status",
  description: "Says that it is pending for a number of calls, then that it is done; it is polled until then.",
  inputSchema: objectSchema({ polls: { type: "integer", minimum: 0, maximum: 100, title: "Calls before it is done" } }),
  outputSchema: objectSchema({ status: { type: "string", enum: ["pending", "done"] } }),
  sideEffect: "read",
  timeoutSeconds: 10,
  polling: {
    maxPolls: 20,
    deadlineSeconds: 60,
    intervalSeconds: 0.02,
    done: { pointer: "/status", values: ["done"] },
  },
  estimate: { p50Seconds: 0.01, p95Seconds: 0.02 },
});

export const testFail = defineBuiltIn({
  name: "test.fail",
  title: "Fail",
  description: "Always fails, with the category it was given.",
  inputSchema: objectSchema(
    {
      category: { type: "string", enum: errorCategorySchema.options, default: "internal", title: "Category" },
      message: { type: "string", maxLength: 1_000, title: "Message" },
    },
    ["category", "message"],
  ),
  outputSchema: objectSchema({}),
  sideEffect: "none",
  timeoutSeconds: 10,
  estimate: { p50Seconds: 0.01, p95Seconds: 0.02 },
});
