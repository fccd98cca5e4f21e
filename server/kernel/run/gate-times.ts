import type { Approval } from "../plan/plan";
import { type Command, record } from "./command";
import type { RunEventOf } from "./event";
import type { GateState } from "./state";

/** A request that stands open longer than this is reminded of by itself, an hour before its time to decide is over. */
const LONG_SECONDS = 7_200;
const REMIND_BEFORE_SECONDS_DEFAULT = 3_600;

/** When people are reminded of a request opened at `now`, and when others may sign it too, as its policy says. */
export function timesOf(
  { decideWithinSeconds, remindBeforeSeconds, escalate }: Approval,
  now: number,
): Pick<RunEventOf<"approval_requested">, "remindAt" | "escalateAt" | "escalateTo"> {
  const before =
    remindBeforeSeconds ?? (decideWithinSeconds >= LONG_SECONDS ? REMIND_BEFORE_SECONDS_DEFAULT : undefined);
  const remindAfter = decideWithinSeconds - (before ?? 0);
  const reminds = before !== undefined && before > 0 && remindAfter > 0;
  const escalates = escalate !== undefined && escalate.afterSeconds < decideWithinSeconds;
  return {
    ...(reminds ? { remindAt: now + remindAfter * 1000 } : {}),
    ...(escalates
      ? { escalateAt: now + escalate.afterSeconds * 1000, escalateTo: { role: escalate.role, people: escalate.people } }
      : {}),
  };
}

/** What an open gate owes at `now`: a reminder, an escalation; and the next moment at which it will owe one. */
export function gateNews(gate: GateState, now: number): { readonly due: Command[]; readonly next: number | undefined } {
  const due: Command[] = [];
  let next: number | undefined;
  const look = (at: number | undefined, done: number | undefined, type: "approval_reminded" | "approval_escalated") => {
    if (gate.status !== "open" || at === undefined || done !== undefined) return;
    if (now >= at) due.push(record({ type, at: now, gateId: gate.request.gateId }));
    else next = Math.min(next ?? at, at);
  };
  look(gate.request.remindAt, gate.remindedAt, "approval_reminded");
  look(gate.request.escalateAt, gate.escalatedAt, "approval_escalated");
  return { due, next };
}
