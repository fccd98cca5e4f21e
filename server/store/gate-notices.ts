import type { ClientBase } from "pg";
import type { NewRunEvent } from "#kernel/run/event";
import type { NotificationKind } from "../runtime/notifications";
import type { PlacedEvent } from "./placed-event";

/** A reason is told up to here; the card has all of it. */
const REASON_CHARACTERS = 300;

interface Notice {
  readonly kind: NotificationKind;
  readonly gateId: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** What a gate's event is told as; undefined for one that is no news to anybody. */
function noticeOf(event: NewRunEvent): Notice | undefined {
  switch (event.type) {
    case "approval_requested": {
      const { gateId, capability, role, quorum, purpose, question } = event;
      const reason = shortened(question?.text ?? event.reason);
      return { kind: "gate_opened", gateId, facts: { capability, role, quorum, purpose, reason } };
    }
    case "approval_reminded":
      return { kind: "gate_reminder", gateId: event.gateId, facts: {} };
    case "approval_escalated":
      return { kind: "gate_escalated", gateId: event.gateId, facts: {} };
    case "approval_decided": {
      const { gateId, decision, by, onBehalfOf, reason } = event;
      const facts = { decision, by: by.name, onBehalfOf: onBehalfOf?.name, reason: reason && shortened(reason) };
      return { kind: "gate_decided", gateId, facts };
    }
    case "approval_revoked": {
      const { gateId, by, reason } = event;
      return {
        kind: "gate_decided",
        gateId,
        facts: { decision: "revoke", by: by.name, reason: reason && shortened(reason) },
      };
    }
    case "approval_expired":
      if (event.which !== "decide_by" && event.which !== "execute_by") return undefined;
      return { kind: "gate_expired", gateId: event.gateId, facts: { which: event.which } };
    default:
      return undefined;
  }
}

const shortened = (text: string): string =>
  text.length > REASON_CHARACTERS ? `${text.slice(0, REASON_CHARACTERS - 1)}…` : text;

/** Puts on its way, in the transaction of the events, what those who asked for it are told of them. */
export async function tellOfGates(client: ClientBase, events: readonly PlacedEvent[]): Promise<void> {
  const notices = events.flatMap(({ runKey, event }) => {
    const notice = noticeOf(event);
    return notice === undefined ? [] : [{ runKey, at: event.at, ...notice }];
  });
  if (notices.length === 0) return;
  await client.query(
    `SELECT notify_people(runs.workspace_id, kind, runs.id, gate_id, facts, to_timestamp(at / 1000))
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::float8[]) AS notice(run_key, kind, gate_id, facts, at)
     JOIN runs ON runs.key = notice.run_key`,
    [
      notices.map(({ runKey }) => runKey),
      notices.map(({ kind }) => kind),
      notices.map(({ gateId }) => gateId),
      notices.map(({ facts }) => JSON.stringify(facts)),
      notices.map(({ at }) => at),
    ],
  );
}
