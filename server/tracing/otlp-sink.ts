import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { RunSpan } from "./run-spans";
import type { SpanSink } from "./run-tracer";

/** Spans sent in one request. */
const CHUNK = 500;

/** True where the standard variables name a collector and nothing switches traces off. */
export function tracesAreOn(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === "true" || env.OTEL_TRACES_EXPORTER === "none") return false;
  return Boolean(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT);
}

/** Whether arguments and outputs may be told, by the variable that the conventions name for it. */
export const capturesContent = (env: Readonly<Record<string, string | undefined>>): boolean =>
  env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT?.toLowerCase() === "true";

/**
 * Sends spans by OTLP over HTTP, as JSON, configured by the standard `OTEL_*` variables: endpoint, headers, timeout,
 * compression, sampler, service name and resource attributes. The SDK is loaded here and nowhere else, so that a
 * worker without a collector never pays for it.
 */
export async function openOtlpSink(): Promise<SpanSink> {
  const [api, sdk, resources, { OTLPTraceExporter }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace-base"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/exporter-trace-otlp-http"),
  ]);
  const exporter = new OTLPTraceExporter();
  const ended: ReadableSpan[] = [];
  const ids = { traceId: "", spanId: "" };
  const provider = new sdk.BasicTracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ "service.name": "planwright" }))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    idGenerator: { generateTraceId: () => ids.traceId, generateSpanId: () => ids.spanId },
    spanProcessors: [
      {
        onStart: () => {},
        onEnd: (span) => void ended.push(span),
        forceFlush: async () => {},
        shutdown: async () => {},
      },
    ],
  });
  const tracer = provider.getTracer("planwright");

  const record = (traceId: string, span: RunSpan): void => {
    ids.traceId = traceId;
    ids.spanId = span.spanId;
    const contextOf = (spanId: string) => ({ traceId, spanId, traceFlags: api.TraceFlags.SAMPLED });
    const parent =
      span.parentSpanId === undefined
        ? api.ROOT_CONTEXT
        : api.trace.setSpanContext(api.ROOT_CONTEXT, contextOf(span.parentSpanId));
    const started = tracer.startSpan(
      span.name,
      {
        kind: api.SpanKind.INTERNAL,
        startTime: timeOf(span.startMs),
        attributes: { ...span.attributes, ...(span.error === undefined ? {} : { "error.type": span.error }) },
        links: span.links.map((spanId) => ({ context: contextOf(spanId) })),
      },
      parent,
    );
    if (span.error !== undefined) started.setStatus({ code: api.SpanStatusCode.ERROR, message: span.error });
    started.end(timeOf(span.endMs));
  };

  return {
    async send(traceId, spans) {
      for (const span of spans) record(traceId, span);
      const all = ended.splice(0);
      for (let from = 0; from < all.length; from += CHUNK) {
        await new Promise<void>((resolve, reject) => {
          exporter.export(all.slice(from, from + CHUNK), ({ code, error }) =>
            code === 0 ? resolve() : reject(error ?? new Error("The collector did not take the trace.")),
          );
        });
      }
    },
    async close() {
      await exporter.shutdown();
      await provider.shutdown();
    },
  };
}

/** Seconds and nanoseconds: a number alone could be taken for a time since the process began. */
const timeOf = (epochMs: number): [number, number] => {
  const seconds = Math.floor(epochMs / 1_000);
  return [seconds, Math.round((epochMs - seconds * 1_000) * 1e6)];
};
