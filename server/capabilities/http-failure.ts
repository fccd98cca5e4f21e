import type { CapabilitySnapshot } from "#kernel/capability/capability";
import { changesSomething } from "#kernel/capability/side-effect";
import type { ExchangeFailed } from "../network/http-exchange";
import { type CallResult, NOTHING_USED, retryable, terminal } from "./definition";
import { interrupted } from "./interruption";

/** What an exchange that never came to an answer means, by how far it got. */
export function exchangeFailure(
  { kind, message }: ExchangeFailed,
  capability: CapabilitySnapshot,
  signal: AbortSignal,
): CallResult {
  if (kind === "not_sent" && signal.aborted) return interrupted(capability, signal, "not_committed");
  const effect = (of: "not_committed" | "unknown" | "committed") => (changesSomething(capability) ? of : "none");
  switch (kind) {
    case "refused":
      return terminal({ errorCategory: "policy_denied", message, usage: NOTHING_USED });
    case "not_allowed":
      // The first host has had the request already, and what it made of it is not known.
      return terminal({
        errorCategory: "policy_denied",
        errorCode: "not_authorized",
        message,
        sideEffect: effect("unknown"),
      });
    case "untrusted":
      return terminal({ errorCategory: "unavailable", message, sideEffect: effect("not_committed") });
    case "not_sent":
      return retryable({
        errorCategory: "unavailable",
        message,
        sideEffect: effect("not_committed"),
        usage: NOTHING_USED,
      });
    case "sent":
      return retryable({ errorCategory: "unavailable", message, sideEffect: effect("unknown") });
    case "too_large":
      return terminal({ errorCategory: "output_too_large", message, sideEffect: effect("committed") });
    case "redirects":
      return terminal({ errorCategory: "unavailable", message, sideEffect: effect("unknown") });
  }
}
