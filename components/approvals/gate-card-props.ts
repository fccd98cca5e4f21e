import type { JsonValue } from "#kernel/json";
import type { GateCard } from "#kernel/view/inbox";
import type { ApiError } from "../trpc-client/api-error";
import type { ApiOutputs } from "../trpc-client/context";

/** A gate with everybody whose signature it still takes. */
export type GateDetail = ApiOutputs["gates"]["get"];

/** What the person decided; nonce and hash are added where it is sent. */
export interface SentDecision {
  readonly decision: "approve" | "reject" | "send_back";
  readonly reason?: string;
  readonly answer?: JsonValue;
  readonly editedArguments?: JsonValue;
}

export interface GateCardViewProps {
  readonly card: GateCard;
  readonly gate: GateDetail;
  /** Epoch milliseconds, moving on. */
  readonly now: number;
  readonly me: { readonly id: string; readonly roles: readonly string[] } | undefined;
  readonly sending: boolean;
  readonly error: ApiError | undefined;
  readonly onDecide: (decision: SentDecision) => void;
  /** Takes the reader's own approval back. */
  readonly onRevoke: (reason: string) => void;
}
