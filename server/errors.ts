import type { Diagnostic } from "#kernel/plan/diagnostic";
import type { PersonRef, RefusalProblem } from "#kernel/run/event";

/** Every way a request can be refused. Codes are part of the interface: screens and scripts branch on them. */
export const APP_ERROR_CODES = [
  "unauthenticated",
  "forbidden",
  "no_workspace",
  "workspace_changed",
  "origin_refused",
  "not_found",
  "invalid_input",
  "too_large",
  "import_failed",
  "plan_invalid",
  "capability_invalid",
  "capability_unchanged",
  "secrets_unavailable",
  "version_conflict",
  "draft_conflict",
  "run_finished",
  "run_cancelled",
  "run_not_started",
  "run_paused",
  "run_not_paused",
  "gate_closed",
  "gate_superseded",
  "gate_expired",
  "gate_changed",
  "already_decided",
  "already_started",
  "not_signed",
  "delegation_refused",
  "four_eyes",
  "not_eligible",
  "reason_required",
  "revision_conflict",
  "revision_refused",
  "not_retryable",
  "effects_repeated",
  "outcome_settled",
  "outcome_changed",
  "look_up_unavailable",
  "look_up_pending",
  "answer_invalid",
  "arguments_invalid",
  "last_admin",
  "invitation_invalid",
  "already_member",
  "wrong_password",
  "limit_exceeded",
  "internal",
] as const;
export type AppErrorCode = (typeof APP_ERROR_CODES)[number];

/** Fields a caller needs to go on: what is current now, what is wrong where. */
export interface AppErrorDetails {
  readonly currentVersion?: number;
  readonly currentRevision?: number;
  readonly diagnostics?: readonly Diagnostic[];
  /** What is wrong with a capability, with pointers into it. */
  readonly issues?: readonly { readonly pointer: string; readonly message: string }[];
  /** Who was first, and when (epoch milliseconds), where somebody else closed what was to be decided. */
  readonly by?: PersonRef;
  readonly at?: number;
  /** Why a revision was refused: a stable word, and every place. */
  readonly refusal?: string;
  readonly problems?: readonly RefusalProblem[];
  /** Steps whose effect would be repeated. */
  readonly taskIds?: readonly string[];
}

/**
 * A refusal with a stable code and a sentence for a person. Thrown at the edge of the server, where it is
 * mapped to transport; below that, expected failures are values.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: AppErrorCode;
  readonly details: AppErrorDetails;

  constructor(code: AppErrorCode, message: string, details: AppErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** One body for "not there" and "not yours", so that an answer never tells which ids exist elsewhere. */
export const notFound = (): AppError => new AppError("not_found", "There is nothing here under this id.");

/** A secret cannot be stored: nobody gave the server a key. */
export const secretsUnavailable = (): AppError =>
  new AppError("secrets_unavailable", "This server has no key to encrypt secrets with: PLANWRIGHT_SECRET_KEY.");

type TransportCode =
  | "UNAUTHORIZED"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "BAD_REQUEST"
  | "PAYLOAD_TOO_LARGE"
  | "UNPROCESSABLE_CONTENT"
  | "CONFLICT"
  | "TOO_MANY_REQUESTS"
  | "INTERNAL_SERVER_ERROR";

const TRANSPORT: Readonly<Record<AppErrorCode, TransportCode>> = {
  unauthenticated: "UNAUTHORIZED",
  forbidden: "FORBIDDEN",
  no_workspace: "FORBIDDEN",
  workspace_changed: "CONFLICT",
  origin_refused: "FORBIDDEN",
  not_found: "NOT_FOUND",
  invalid_input: "BAD_REQUEST",
  too_large: "PAYLOAD_TOO_LARGE",
  import_failed: "UNPROCESSABLE_CONTENT",
  plan_invalid: "UNPROCESSABLE_CONTENT",
  capability_invalid: "UNPROCESSABLE_CONTENT",
  capability_unchanged: "CONFLICT",
  secrets_unavailable: "CONFLICT",
  version_conflict: "CONFLICT",
  draft_conflict: "CONFLICT",
  run_finished: "CONFLICT",
  run_cancelled: "CONFLICT",
  run_not_started: "CONFLICT",
  run_paused: "CONFLICT",
  run_not_paused: "CONFLICT",
  gate_closed: "CONFLICT",
  gate_superseded: "CONFLICT",
  gate_expired: "CONFLICT",
  gate_changed: "CONFLICT",
  already_decided: "CONFLICT",
  already_started: "CONFLICT",
  not_signed: "CONFLICT",
  delegation_refused: "BAD_REQUEST",
  four_eyes: "FORBIDDEN",
  not_eligible: "FORBIDDEN",
  reason_required: "BAD_REQUEST",
  revision_conflict: "CONFLICT",
  revision_refused: "UNPROCESSABLE_CONTENT",
  not_retryable: "CONFLICT",
  effects_repeated: "CONFLICT",
  outcome_settled: "CONFLICT",
  outcome_changed: "CONFLICT",
  look_up_unavailable: "CONFLICT",
  look_up_pending: "CONFLICT",
  answer_invalid: "BAD_REQUEST",
  arguments_invalid: "BAD_REQUEST",
  last_admin: "CONFLICT",
  invitation_invalid: "NOT_FOUND",
  already_member: "CONFLICT",
  wrong_password: "BAD_REQUEST",
  limit_exceeded: "TOO_MANY_REQUESTS",
  internal: "INTERNAL_SERVER_ERROR",
};

/** How a refusal travels: the one place where codes meet HTTP. */
export const transportCode = (code: AppErrorCode): TransportCode => TRANSPORT[code];

const FROM_TRANSPORT: ReadonlyMap<string, AppErrorCode> = new Map([
  ["BAD_REQUEST", "invalid_input"],
  ["PARSE_ERROR", "invalid_input"],
  ["UNAUTHORIZED", "unauthenticated"],
  ["FORBIDDEN", "forbidden"],
  ["NOT_FOUND", "not_found"],
  ["METHOD_NOT_SUPPORTED", "invalid_input"],
  ["UNSUPPORTED_MEDIA_TYPE", "invalid_input"],
  ["PAYLOAD_TOO_LARGE", "too_large"],
]);

/** The stable code of a refusal that the transport itself made: a malformed body, an unknown procedure. */
export const codeOfTransport = (transport: string): AppErrorCode => FROM_TRANSPORT.get(transport) ?? "internal";
