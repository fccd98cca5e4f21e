import type { Capability } from "#kernel/capability/capability";
import type { CapabilityDraft } from "#kernel/capability/capability-draft";
import type { HttpFixedValue, HttpSettings } from "#kernel/capability/http-settings";
import type { OpenApiDocument } from "./openapi-document";
import type { ReadOperation } from "./operations";
import type { SecurityScheme } from "./security";

/** What a person chose for one operation, in place of what was guessed. */
export interface OperationChoices {
  readonly name?: string | undefined;
  readonly sideEffect?: Capability["sideEffect"] | undefined;
  readonly approval?: Capability["approval"] | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly rateLimit?: Capability["rateLimit"] | undefined;
  readonly concurrency?: number | undefined;
  readonly idempotency?: Capability["idempotency"] | undefined;
  readonly idempotencyKeyHeader?: string | undefined;
  readonly lookUp?: Capability["lookUp"] | undefined;
}

/** What a person chose for the whole import. */
export interface ImportChoices {
  /** Before every name: `shop` makes `shop.listOrders`. */
  readonly prefix: string;
  readonly server: string;
  /** Names of secrets by security scheme; a scheme without one is not sent. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Where the document was fetched. */
  readonly url?: string | undefined;
}

export const TIMEOUT_SECONDS = 30;

/** The capability that an operation becomes. */
export function draftOperation(
  document: OpenApiDocument,
  schemes: ReadonlyMap<string, SecurityScheme>,
  operation: ReadOperation,
  { choices, imported }: { readonly choices: OperationChoices; readonly imported: ImportChoices },
): CapabilityDraft {
  const sideEffect = choices.sideEffect ?? operation.sideEffect;
  const changes = sideEffect === "write" || sideEffect === "destructive";
  const idempotencyKeyHeader = choices.idempotencyKeyHeader ?? operation.idempotencyKeyHeader;
  const resource = resourceOf(imported.server, operation);
  const settings: HttpSettings = {
    kind: "openapi",
    method: operation.method,
    server: imported.server,
    path: operation.path,
    parameters: [...operation.parameters],
    ...(operation.body === undefined ? {} : { body: { argument: operation.bodyArgument, ...operation.body } }),
    fixed: fixedValues(operation, schemes, imported.secrets),
    ...(idempotencyKeyHeader === undefined ? {} : { idempotencyKeyHeader }),
    source: {
      title: document.title,
      version: document.version,
      operation: operation.id,
      ...(imported.url === undefined ? {} : { url: imported.url }),
    },
  };
  return {
    name: choices.name ?? `${imported.prefix}.${operation.name}`,
    title: operation.summary,
    description: operation.description || `${operation.method} ${operation.path} of ${document.title}.`,
    provider: "http",
    inputSchema: operation.inputSchema,
    outputSchema: operation.outputSchema,
    sideEffect,
    reads: changes ? [] : [resource],
    writes: changes ? [resource] : [],
    idempotency: choices.idempotency ?? (idempotencyKeyHeader === undefined ? operation.idempotency : "key"),
    requires: [],
    approval: choices.approval ?? (sideEffect === "destructive" ? "always" : "never"),
    timeoutSeconds: choices.timeoutSeconds ?? TIMEOUT_SECONDS,
    retryOn: ["timeout", "rate_limited", "unavailable"],
    ...(choices.concurrency === undefined ? {} : { concurrency: choices.concurrency }),
    ...(choices.lookUp === undefined ? {} : { lookUp: choices.lookUp }),
    ...(choices.rateLimit === undefined ? {} : { rateLimit: choices.rateLimit }),
    estimate: changes ? { p50Seconds: 0.8, p95Seconds: 8 } : { p50Seconds: 0.5, p95Seconds: 5 },
    settings: JSON.parse(JSON.stringify(settings)),
  };
}

/** The thing an address names, the same for reading and writing it: `https://shop.example/orders/${orderId}`. */
function resourceOf(server: string, { path, parameters }: ReadOperation): string {
  const filled = path.replace(/\{([^{}]+)\}/g, (_whole, place: string) => {
    const argument = parameters.find((each) => each.in === "path" && each.name === place)?.argument ?? place;
    return `\${${argument}}`;
  });
  return `${server}${filled}`;
}

function fixedValues(
  operation: ReadOperation,
  schemes: ReadonlyMap<string, SecurityScheme>,
  secrets: ReadonlyMap<string, string>,
): HttpFixedValue[] {
  return operation.schemes.flatMap((name) => {
    const carrier = schemes.get(name)?.carrier;
    const secret = secrets.get(name);
    return carrier === undefined || secret === undefined ? [] : [{ ...carrier, value: { $secret: secret } }];
  });
}
