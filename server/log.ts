import { type DestinationStream, type Logger, pino } from "pino";
import { env } from "./env";
import { shortLine } from "./log-line";
import { withoutKnownSecrets } from "./secrets/known-secrets";

export type { Logger } from "pino";

/** What a line may be about. Bound by `log.child({ runId, taskId })`, so that a run can be followed through the lines. */
export interface LogContext {
  readonly runId?: string;
  readonly taskId?: string;
  readonly workspaceId?: string;
}

const HIDDEN = "[hidden]";

/** Keys whose values are secrets wherever they stand. */
const SECRET_KEYS = [
  "authorization",
  "cookie",
  "set-cookie",
  "password",
  "secret",
  "token",
  "accessToken",
  "refreshToken",
  "apiKey",
  "databaseUrl",
  "connectionString",
];

/** Secrets that give themselves away in running text: our keys, bearer headers, passwords in addresses. */
const SECRET_TEXT: readonly (readonly [RegExp, string])[] = [
  [/\bpw_[A-Za-z0-9_-]{20,}/g, HIDDEN],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${HIDDEN}`],
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:@/]*):[^\s@/]+@/gi, `$1:${HIDDEN}@`],
  [/\b(sk|rk|ghp|gho|xox[abp])[-_][A-Za-z0-9_-]{16,}/g, HIDDEN],
];

/** Longer texts are cut: a log is for finding things, not for keeping them. */
const TEXT_LENGTH_MAX = 1_500;

/** Read of a text for secrets; more than is shown, since the longest secret may begin at the end of that. */
const TEXT_READ_MAX = 20_000;

/** `given` as it may be logged. */
export function safeText(given: string): string {
  // Before the cut, which could leave half of a secret that nobody would know again.
  const text = withoutKnownSecrets(given.length > TEXT_READ_MAX ? given.slice(0, TEXT_READ_MAX) : given);
  const cut = text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}… (${given.length} characters)` : text;
  return SECRET_TEXT.reduce((safe, [pattern, replacement]) => safe.replaceAll(pattern, replacement), cut);
}

/** A logger of JSON lines on standard output, one process's own. */
export function createLogger(
  processName: string,
  level: string,
  destination: DestinationStream = pino.destination(1),
): Logger {
  return pino(
    {
      level,
      base: { process: processName, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]),
        censor: HIDDEN,
      },
      serializers: { err: describeError, error: describeError },
      hooks: {
        logMethod(parameters, method) {
          const safe = parameters.map((value) =>
            typeof value === "string" ? safeText(value) : withSafeTexts(value, 0),
          );
          Reflect.apply(method, this, safe);
        },
      },
    },
    { write: (line) => destination.write(shortLine(line)) },
  );
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const code = "code" in error ? error.code : undefined;
  return {
    name,
    message: safeText(message),
    ...(code !== undefined && { code }),
    stack: safeText(stack ?? ""),
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
}

/** Texts at any depth a line has, made safe. Errors are left to their serializer. */
function withSafeTexts(value: unknown, depth: number): unknown {
  if (typeof value === "string") return safeText(value);
  if (typeof value !== "object" || value === null || value instanceof Error || depth > 4) return value;
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => withSafeTexts(item, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [safeText(key), withSafeTexts(item, depth + 1)]),
  );
}

/** Kept on the global object, since hot reload evaluates this module again. */
const kept = globalThis as typeof globalThis & { planwrightLog?: Logger };

/** This process's logger, at the level of `LOG_LEVEL`. */
export function log(): Logger {
  kept.planwrightLog ??= createLogger(process.env.PLANWRIGHT_PROCESS ?? "web", env().LOG_LEVEL);
  return kept.planwrightLog;
}
