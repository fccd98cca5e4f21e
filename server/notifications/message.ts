import { assertNever } from "#kernel/result";
import type { NotificationContent } from "../runtime/notifications";

/** A notification in words. It says where to decide, and never what it would take to: no arguments, no nonce. */
export interface Message {
  /** One line. */
  readonly title: string;
  /** Further lines, each a sentence or so. */
  readonly lines: readonly string[];
  /** A page that shows it. Opening it decides nothing. */
  readonly url: string;
  readonly linkText: string;
}

const fact = (facts: NotificationContent["facts"], key: string): string | undefined => {
  const value = Object.hasOwn(facts, key) ? facts[key] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** @param baseUrl the server's address, without a slash at the end. */
export function messageOf(content: NotificationContent, baseUrl: string): Message {
  const run = content.runName === undefined ? "a run" : `“${content.runName}”`;
  const subject = content.taskId === undefined ? `the plan of ${run}` : `“${content.taskId}” in ${run}`;
  const gate = {
    url: `${baseUrl}/approvals?gate=${encodeURIComponent(content.gateId ?? "")}`,
    linkText: "Open the request",
  };
  const runPage = { url: `${baseUrl}/runs/${encodeURIComponent(content.runId ?? "")}`, linkText: "Open the run" };
  const { facts } = content;
  switch (content.kind) {
    case "gate_opened":
      return {
        title: fact(facts, "purpose") === "question" ? `A question about ${subject}` : `Approval asked: ${subject}`,
        lines: present([fact(facts, "reason"), capabilityLine(facts), signersLine(facts), decideLine(content)]),
        ...gate,
      };
    case "gate_reminder":
      return { title: `Still waiting: ${subject}`, lines: present([decideLine(content), CLOSED]), ...gate };
    case "gate_escalated":
      return {
        title: `Escalated: ${subject}`,
        lines: present(["Nobody has decided yet, so further people may sign now.", decideLine(content)]),
        ...gate,
      };
    case "gate_decided":
      return { title: `${decidedWords(facts)}: ${subject}`, lines: present([fact(facts, "reason")]), ...gate };
    case "gate_expired":
      return {
        title: `Expired: ${subject}`,
        lines: [
          fact(facts, "which") === "execute_by"
            ? "It was approved, but could not start in time. It is asked anew."
            : "Nobody decided in time. What stood behind this request does not run.",
        ],
        ...gate,
      };
    case "run_finished":
    case "run_failed":
      return {
        title: `Run ${outcomeWords(fact(facts, "outcome"))}: ${run}`,
        lines: present([fact(facts, "reason")]),
        ...runPage,
      };
    case "test":
      return {
        title: "A test from Planwright",
        lines: [`${fact(facts, "by") ?? "Somebody"} sent it to see whether this channel works. It does.`],
        url: `${baseUrl}/settings/notifications`,
        linkText: "Open the settings",
      };
    default:
      return assertNever(content.kind);
  }
}

const CLOSED = "Without a decision it does not run.";

const present = (lines: readonly (string | undefined)[]): string[] => lines.filter((line) => line !== undefined);

const capabilityLine = (facts: NotificationContent["facts"]): string | undefined => {
  const capability = fact(facts, "capability");
  return capability === undefined ? undefined : `It calls ${capability}.`;
};

function signersLine(facts: NotificationContent["facts"]): string | undefined {
  const role = fact(facts, "role");
  const { quorum } = facts;
  if (role === undefined) return undefined;
  return typeof quorum === "number" && quorum > 1
    ? `It takes ${quorum} people with the role ${role}.`
    : `It takes somebody with the role ${role}.`;
}

/** In UTC: a mail or a chat does not know where its reader is. */
function decideLine({ decideBy }: NotificationContent): string | undefined {
  if (decideBy === undefined) return undefined;
  return `Decide by ${new Date(decideBy).toISOString().slice(0, 16).replace("T", " ")} UTC.`;
}

function decidedWords(facts: NotificationContent["facts"]): string {
  const by = fact(facts, "by") ?? "Somebody";
  const standIn = fact(facts, "onBehalfOf");
  const who = standIn === undefined ? by : `${by} for ${standIn}`;
  switch (fact(facts, "decision")) {
    case "approve":
      return `Approved by ${who}`;
    case "reject":
      return `Rejected by ${who}`;
    case "send_back":
      return `Sent back with other arguments by ${who}`;
    case "revoke":
      return `Approval taken back by ${who}`;
    default:
      return `Decided by ${who}`;
  }
}

const OUTCOMES: ReadonlyMap<string, string> = new Map([
  ["completed", "completed"],
  ["cancelled", "cancelled"],
  ["rejected", "rejected"],
  ["stop_budget", "stopped by a budget"],
  ["stop_terminal_failure", "failed"],
  ["stop_stalled", "stalled"],
  ["stop_no_valid_plan", "ended without a valid plan"],
  ["evidence_gap", "ended without its evidence"],
]);

const outcomeWords = (outcome: string | undefined): string => OUTCOMES.get(outcome ?? "") ?? "ended";
