import type { EventIcon, EventTone } from "#kernel/view/event-text";
import { STATUS_ENCODING } from "../graph/encoding";
import type { IconName } from "../ui/icon";
import type { Tone } from "../ui/pill";

export const EVENT_ICONS: Readonly<Record<EventIcon, IconName>> = {
  created: "circle",
  plan: "layout",
  added: "plus",
  gate: "hand",
  signed: "check",
  refused: "cross",
  sent_back: "undo",
  expired: "clock",
  started: "running",
  succeeded: "check",
  failed: "cross",
  retry: "back",
  cancelled: "struck",
  skipped: "skip",
  blocked: "octagon",
  unknown: "question",
  budget: "gauge",
  repeat: "redo",
  note: "info",
  replan: "branch",
  revised: "branch",
  check: "check",
  paused: "pause",
  resumed: "play",
  finished: "stepForward",
};

export function toneOfEvent(tone: EventTone): Tone {
  if (tone === "neutral" || tone === "changed" || tone === "held") return tone;
  return STATUS_ENCODING[tone === "dispatched" ? "running" : tone].tone;
}
