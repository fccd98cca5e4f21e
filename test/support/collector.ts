import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

const valueSchema = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ intValue: z.union([z.string(), z.number()]) }).transform(({ intValue }) => Number(intValue)),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
  z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
  z.looseObject({}).transform(() => undefined),
]);
const attributesSchema = z
  .array(z.object({ key: z.string(), value: valueSchema }))
  .transform((pairs) => new Map(pairs.map(({ key, value }) => [key, value])));
const nanosSchema = z.string().regex(/^\d{19}$/);
const spanSchema = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^([0-9a-f]{16})?$/)
    .optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanosSchema,
  endTimeUnixNano: nanosSchema,
  attributes: attributesSchema,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  status: z.object({ code: z.int().optional(), message: z.string().optional() }).default({}),
});
export type CollectedSpan = z.infer<typeof spanSchema>;
const requestSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ scope: z.object({ name: z.string() }), spans: z.array(spanSchema) })),
    }),
  ),
});

/** A collector of OTLP over HTTP that reads what it is sent by the protocol's own rules, and remembers it. */
export interface Collector {
  readonly url: string;
  readonly spans: CollectedSpan[];
  readonly resources: ReadonlyMap<string, unknown>[];
  /** Bodies as they came. */
  readonly bodies: string[];
  /** Requests that no collector would take. */
  readonly refused: unknown[];
  close(): Promise<void>;
}

export async function openCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const resources: ReadonlyMap<string, unknown>[] = [];
  const bodies: string[] = [];
  const refused: unknown[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    const parsed = requestSchema.safeParse(JSON.parse(body));
    if (!parsed.success || request.url !== "/v1/traces" || request.headers["content-type"] !== "application/json") {
      refused.push(parsed.error ?? request.url);
      response.writeHead(400).end("{}");
      return;
    }
    for (const { resource, scopeSpans } of parsed.data.resourceSpans) {
      resources.push(resource.attributes);
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    bodies,
    refused,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
