import { z } from "zod";
import { capabilitySchema, idempotencySchema, sideEffectSchema } from "#kernel/capability/capability";
import { httpMethodSchema } from "#kernel/capability/http-settings";
import { OPENAPI_LIMITS } from "../../formats/openapi/openapi-limits";
import { secretNameSchema } from "../../runtime/secret-vault";

const documentText = z.string().min(1).max(OPENAPI_LIMITS.characters);
const url = z.string().trim().min(1).max(2_000);

/** A document as its text, or where to fetch it once. */
export const openApiSourceSchema = z.discriminatedUnion("from", [
  z.object({ from: z.literal("text"), text: documentText }),
  z.object({ from: z.literal("url"), url }),
]);

export const openApiOperationSchema = z.object({
  /** `GET /pets/{petId}` */
  id: z.string(),
  method: httpMethodSchema,
  path: z.string(),
  name: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  deprecated: z.boolean(),
  sideEffect: sideEffectSchema,
  idempotency: idempotencySchema,
  idempotencyKeyHeader: z.string().optional(),
  arguments: z.array(z.object({ name: z.string(), required: z.boolean() })),
  schemes: z.array(z.string()),
  notes: z.array(z.string()),
});

/** A document as the picker shows it. */
export const openApiReadingSchema = z.object({
  /** Sent back with the choice, so that what is imported is what was looked at. */
  text: z.string(),
  url: z.string().optional(),
  openapi: z.string(),
  title: z.string(),
  version: z.string(),
  description: z.string(),
  prefix: z.string(),
  /** Servers it names, each with the reason that keeps it from being called, if there is one. */
  servers: z.array(z.object({ url: z.string(), refusal: z.string().optional() })),
  schemes: z.array(z.object({ name: z.string(), title: z.string(), description: z.string(), supported: z.boolean() })),
  operations: z.array(openApiOperationSchema),
  refused: z.array(z.object({ id: z.string(), summary: z.string(), reason: z.string() })),
});
export type OpenApiReading = z.infer<typeof openApiReadingSchema>;

const capability = capabilitySchema.shape;

const operationChoiceSchema = z.object({
  id: z.string().max(2_100),
  name: z.string().min(1).max(128).optional(),
  sideEffect: sideEffectSchema.optional(),
  approval: capability.approval.optional(),
  timeoutSeconds: z.number().positive().max(86_400).optional(),
  rateLimit: capability.rateLimit,
  concurrency: capability.concurrency,
  idempotency: idempotencySchema.optional(),
  idempotencyKeyHeader: z.string().min(1).max(200).optional(),
  lookUp: capability.lookUp,
});

export const openApiImportInputSchema = z.object({
  text: documentText,
  url: url.optional(),
  server: url,
  prefix: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, "Letters, digits, - and _, at most 40."),
  /** Names of secrets by security scheme. */
  secrets: z.array(z.object({ scheme: z.string().max(200), secret: secretNameSchema })).max(50),
  operations: z.array(operationChoiceSchema).min(1).max(1_000),
});
export type OpenApiImportInput = z.output<typeof openApiImportInputSchema>;

/** What became of each operation that was picked. */
export const openApiImportReportSchema = z.object({
  results: z.array(
    z.discriminatedUnion("status", [
      z.object({ status: z.literal("registered"), id: z.string(), name: z.string(), version: z.int() }),
      z.object({ status: z.literal("unchanged"), id: z.string(), name: z.string(), version: z.int() }),
      z.object({ status: z.literal("refused"), id: z.string(), name: z.string(), reason: z.string() }),
    ]),
  ),
});
export type OpenApiImportReport = z.infer<typeof openApiImportReportSchema>;
