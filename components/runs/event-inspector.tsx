import type { RunEvent } from "#kernel/run/event";
import { describeEvent } from "#kernel/view/event-text";
import { formatClock } from "#kernel/view/format";
import { IconButton } from "../ui/button";
import { Icon } from "../ui/icon";
import { JsonText } from "../ui/json-text";
import { EVENT_ICONS, toneOfEvent } from "./event-icon";

export interface EventInspectorProps {
  readonly event: RunEvent;
  readonly startedAt: number;
  readonly gateTask: (gateId: string) => string | undefined;
  readonly onClose: () => void;
}

/** An event that is about no task: what it says, and its raw record. */
export function EventInspector({ event, startedAt, gateTask, onClose }: EventInspectorProps) {
  const { text, icon, tone } = describeEvent(event, gateTask);
  const message = messageOf(event);
  return (
    <section aria-label="Event" className="flex min-h-0 flex-1 flex-col overflow-auto">
      <header className="flex items-center gap-2 px-3 pt-2.5 pb-1.5">
        <span className={`tone-${toneOfEvent(tone)} text-tone`}>
          <Icon name={EVENT_ICONS[icon]} />
        </span>
        <h2 className="flex-1 text-lead font-semibold first-letter:uppercase">{text}</h2>
        <IconButton icon="cross" size="small" label="Close" onClick={onClose} />
      </header>
      <p className="px-3 font-mono text-micro text-fg-2">
        event {event.seq} · {formatClock(event.at - startedAt)} · {new Date(event.at).toISOString()}
      </p>
      {message === undefined ? null : <p className="px-3 pt-2 text-small">{message}</p>}
      <div className="p-3">
        <h3 className="mb-1.5 text-small font-semibold">Raw record</h3>
        <JsonText value={event} className="max-h-none" />
      </div>
    </section>
  );
}

function messageOf(event: RunEvent): string | undefined {
  if ("message" in event) return event.message;
  if ("reason" in event && event.type !== "plan_revised") return event.reason;
  return event.type === "reflection_recorded" ? event.text : undefined;
}
