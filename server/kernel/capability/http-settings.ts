import { z } from "zod";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json";

/** A secret by its name, wherever a setting needs a value that must not be seen. Plan arguments never hold one. */
export const secretReferenceSchema = z.strictObject({ $secret: z.string().min(1).max(64) });

/** Methods that an operation can have; the others (TRACE, CONNECT, OPTIONS) do nothing a plan could want. */
export const httpMethodSchema = z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
export type HttpMethod = z.infer<typeof httpMethodSchema>;

const name = z.string().min(1).max(200);

/** How an argument travels, in the terms of OpenAPI. */
export const httpParameterSchema = z.strictObject({
  /** Member of the arguments. */
  argument: name,
  in: z.enum(["path", "query", "header", "cookie"]),
  name,
  style: z.enum(["simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited", "deepObject"]),
  explode: z.boolean(),
  /** Query only: `:/?#[]@!$&'()*+,;=` stay as they are. */
  allowReserved: z.boolean().optional(),
  /** The value is sent as JSON text. */
  asJson: z.boolean().optional(),
});
export type HttpParameter = z.infer<typeof httpParameterSchema>;

/** A value that every call carries: a version, a key. `body` puts it into the JSON object that is sent. */
export const httpFixedValueSchema = z.strictObject({
  in: z.enum(["query", "header", "cookie", "body"]),
  name,
  value: z.union([z.string().max(8_192), secretReferenceSchema]),
  /** Before the value: `Bearer `. */
  prefix: z.string().max(100).optional(),
  /** `basic`: the value is `user:password`, and is sent in base64. */
  encoding: z.enum(["plain", "basic"]).optional(),
});
export type HttpFixedValue = z.infer<typeof httpFixedValueSchema>;

/** What the provider `http` needs to carry out a capability: one operation of an HTTP interface. */
export const httpSettingsSchema = z.strictObject({
  kind: z.literal("openapi"),
  method: httpMethodSchema,
  /** Scheme, host and base path: `https://api.example.com/v1`. */
  server: z.string().min(1).max(2_000),
  /** Below the server, with places for arguments: `/pets/{petId}`. */
  path: z.string().max(2_000),
  parameters: z.array(httpParameterSchema).max(200),
  body: z
    .strictObject({
      argument: name,
      contentType: z.string().min(1).max(200),
      /** How the argument becomes bytes. */
      format: z.enum(["json", "form", "text"]),
    })
    .optional(),
  fixed: z.array(httpFixedValueSchema).max(50),
  /** The header in which the service takes a key that tells a repeat from a new call. */
  idempotencyKeyHeader: name.optional(),
  /** Where it was imported from. */
  source: z
    .strictObject({ title: z.string(), version: z.string(), operation: z.string(), url: z.string().optional() })
    .optional(),
});
export type HttpSettings = z.infer<typeof httpSettingsSchema>;

/** The names of all secrets that a value refers to, at any depth, each once. */
export function secretNamesIn(value: JsonValue | undefined): readonly string[] {
  const names = new Set<string>();
  const visit = (part: JsonValue | undefined): void => {
    if (Array.isArray(part)) {
      for (const item of part) visit(item);
    } else if (isJsonObject(part)) {
      const secret = getOwn(part, "$secret");
      if (typeof secret === "string") names.add(secret);
      for (const key of Object.keys(part)) visit(getOwn(part, key));
    }
  };
  visit(value);
  return [...names];
}

/** Which capabilities name each secret, in their newest versions. */
export function usersOfSecrets(
  capabilities: readonly {
    readonly name: string;
    readonly version: number;
    readonly settings?: JsonObject | undefined;
  }[],
): ReadonlyMap<string, readonly string[]> {
  const newest = new Map<string, (typeof capabilities)[number]>();
  for (const capability of capabilities) {
    const known = newest.get(capability.name);
    if (known === undefined || known.version < capability.version) newest.set(capability.name, capability);
  }
  const users = new Map<string, string[]>();
  for (const { name, settings } of newest.values())
    for (const secret of secretNamesIn(settings)) users.set(secret, [...(users.get(secret) ?? []), name]);
  return users;
}
