import { TRPCClientError } from "@trpc/client";
import type { AppErrorCode, AppErrorDetails } from "@/server/errors";
import type { AppRouter } from "@/server/trpc/root";

/** A refusal or a failure of a request, as screens branch on it. `offline`: no answer came at all. */
export interface ApiError {
  readonly code: AppErrorCode | "offline";
  /** A sentence for a person. */
  readonly message: string;
  readonly details: AppErrorDetails;
}

/** Any error of a query or mutation in one shape. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof TRPCClientError) {
    const { data, message } = error as TRPCClientError<AppRouter>;
    if (data !== null && data !== undefined) return { code: data.appCode, message, details: data.details };
    return { code: "offline", message: "The server did not answer.", details: {} };
  }
  return { code: "internal", message: error instanceof Error ? error.message : String(error), details: {} };
}
