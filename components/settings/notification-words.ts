import type { ApiInputs, ApiOutputs } from "../trpc-client/context";

export type Channel = ApiOutputs["notifications"]["channels"]["channels"][number];
export type ChannelDraft = ApiInputs["notifications"]["create"];
export type Delivery = ApiOutputs["notifications"]["deliveries"]["deliveries"][number];
export type Subscribable = Channel["events"][number];

/** What a channel can be told of, in the order in which it happens. */
export const NOTIFICATION_WORDS: readonly {
  readonly id: Subscribable;
  readonly title: string;
  readonly hint: string;
}[] = [
  { id: "gate_opened", title: "A gate opened", hint: "Somebody has to sign or to answer." },
  { id: "gate_reminder", title: "Reminder", hint: "The time to decide is nearly over." },
  { id: "gate_escalated", title: "Escalated", hint: "Nobody decided for long; further people may sign." },
  { id: "gate_decided", title: "Decided", hint: "Signed, rejected, sent back or taken back." },
  { id: "gate_expired", title: "Expired", hint: "Nobody decided, or nothing started in time." },
  { id: "run_finished", title: "A run finished", hint: "It completed or was cancelled." },
  { id: "run_failed", title: "A run failed", hint: "It ended in any other way." },
];

const WORDS: ReadonlyMap<string, string> = new Map<string, string>([
  ...NOTIFICATION_WORDS.map(({ id, title }) => [id, title] as const),
  ["test", "A test"],
]);

export const notificationWord = (kind: string): string => WORDS.get(kind) ?? kind;

/** Where a channel goes, as far as it is no secret. */
export const channelTarget = ({ settings }: Channel): string =>
  settings.kind === "webhook" ? `webhook at ${settings.host}` : `mail through ${settings.host}:${settings.port}`;
