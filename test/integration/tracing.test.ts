import { afterAll, beforeAll, expect, it } from "vitest";
import { capabilityExecutor } from "../../server/capabilities/executor";
import { testImplementations } from "../../server/capabilities/testing";
import type { Database } from "../../server/db";
import { openOtlpSink, tracesAreOn } from "../../server/tracing/otlp-sink";
import { startWorker, type Worker } from "../../server/worker-services";
import { type Collector, openCollector } from "../support/collector";
import { MemoryLog } from "../support/memory-log";
import { planOf } from "../support/run-fixture";
import { createRun, creatorOf } from "../support/stored-runs";
import { openTestDatabase } from "../support/test-database";
import { until } from "../support/until";

const CANARY = "canary-5f1c";
const PLAN = planOf(
  [
    { id: "a", arguments: { value: [CANARY, "y"] } },
    {
      id: "b",
      dependsOn: ["a"],
      capability: "test.flaky",
      arguments: { failures: 1 },
      retry: { maxAttempts: 2, backoffSeconds: 0.01 },
    },
    { id: "each", forEach: { $output: "a#/value" }, arguments: { value: "${item}" } },
    { id: "fails", dependsOn: ["b", "each"], capability: "test.fail", arguments: { category: "not_found" } },
  ],
  { name: "traced" },
);

let database: Database;
let collector: Collector;
const workers: Worker[] = [];
beforeAll(async () => {
  [database, collector] = await Promise.all([openTestDatabase(), openCollector()]);
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  process.env.OTEL_RESOURCE_ATTRIBUTES = "deployment.environment.name=test";
});
afterAll(async () => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  delete process.env.OTEL_RESOURCE_ATTRIBUTES;
  for (const worker of workers) await worker.stop();
  await collector.close();
  await database.close();
});

/** Drives one run with a worker of its own, which has told everything once it has stopped. */
async function traceOf(captureContent: boolean) {
  const worker = await startWorker({
    database,
    executor: capabilityExecutor(testImplementations("/dev/null")),
    log: new MemoryLog(),
    traces: { sink: await openOtlpSink(), captureContent },
  });
  const runId = await createRun(creatorOf(database), PLAN);
  await until("the run ends", async () => {
    const { rows } = await database.pool.query("SELECT FROM runs WHERE id = $1 AND finished_at IS NOT NULL", [runId]);
    return rows.length > 0;
  });
  await worker.stop();
  return collector.spans.filter((span) => span.attributes.get("gen_ai.conversation.id") === runId);
}

it("tells a run as one trace: the run, its plan, and each call with what it waited for", async () => {
  const spans = await traceOf(false);
  expect(collector.refused).toEqual([]);
  expect(collector.resources[0]?.get("service.name")).toBe("planwright");
  expect(collector.resources[0]?.get("deployment.environment.name")).toBe("test");
  const [root, ...others] = spans.filter((span) => !span.parentSpanId);
  expect(others).toEqual([]);
  expect(root?.name).toBe("invoke_agent traced");
  expect(root?.attributes.get("gen_ai.operation.name")).toBe("invoke_agent");
  expect(root?.status.code).toBe(2);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  expect(spans.filter((span) => span.parentSpanId === root?.spanId)).toHaveLength(spans.length - 1);
  expect(spans.some((span) => span.name === "plan traced")).toBe(true);
  const calls = (taskId: string) => spans.filter((span) => span.attributes.get("planwright.task.id") === taskId);
  expect(calls("b").map((span) => span.attributes.get("planwright.task.attempt"))).toEqual([1, 2]);
  const [failed] = calls("fails");
  expect(failed?.name).toBe("execute_tool test.fail");
  expect(failed?.attributes.get("error.type")).toBe("not_found");
  const before = [calls("b")[1], ...calls("each[0]"), ...calls("each[1]")].map((span) => span?.spanId);
  expect(failed?.links.map(({ spanId }) => spanId).sort()).toEqual(before.sort());
  for (const span of spans) {
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
    expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(root?.startTimeUnixNano ?? 0));
  }
  expect(collector.bodies.join()).not.toContain(CANARY);
});

it("tells arguments and outputs only where somebody asked for them", async () => {
  const spans = await traceOf(true);
  const [call] = spans.filter((span) => span.attributes.get("planwright.task.id") === "a");
  expect(call?.attributes.get("gen_ai.tool.call.arguments")).toContain(CANARY);
  expect(call?.attributes.get("gen_ai.tool.call.result")).toContain(CANARY);
});

it("finishes runs as ever while the collector is away", async () => {
  await collector.close();
  const spans = await traceOf(false);
  expect(spans).toEqual([]);
});

it("is off unless a collector is named, and can be switched off", () => {
  expect(tracesAreOn({})).toBe(false);
  expect(tracesAreOn({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" })).toBe(true);
  expect(tracesAreOn({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", OTEL_SDK_DISABLED: "true" })).toBe(false);
  expect(tracesAreOn({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://x", OTEL_TRACES_EXPORTER: "none" })).toBe(false);
});
