import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { Tag } from "../ui/pill";
import { type Channel, channelTarget, NOTIFICATION_WORDS, notificationWord } from "./notification-words";

export interface ChannelListProps {
  readonly channels: readonly Channel[];
  /** The one whose test is being put on its way. */
  readonly testing: string | undefined;
  readonly onTest: (channel: Channel) => void;
  readonly onEdit: (channel: Channel) => void;
}

export const ChannelList = ({ channels, testing, onTest, onEdit }: ChannelListProps) => (
  <ul>
    {channels.map((channel) => (
      <li
        key={channel.id}
        className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-hairline px-4 py-3 last:border-b-0"
      >
        <div className="min-w-0 flex-1 basis-60">
          <p className="flex items-center gap-2">
            <Icon name={channel.settings.kind === "webhook" ? "link" : "bell"} className="text-fg-3" />
            <span className="cut text-body font-medium" title={channel.name}>
              {channel.name}
            </span>
            {channel.enabled ? null : <Tag>off</Tag>}
          </p>
          <p className="cut mt-0.5 text-small text-fg-3">
            {channelTarget(channel)} · {told(channel)}
          </p>
        </div>
        <div className="flex gap-2">
          <Button size="small" disabled={testing === channel.id} onClick={() => onTest(channel)}>
            Send a test
          </Button>
          <Button size="small" onClick={() => onEdit(channel)}>
            Change…
          </Button>
        </div>
      </li>
    ))}
  </ul>
);

function told({ events }: Channel): string {
  if (events.length === 0) return "told of nothing";
  if (events.length === NOTIFICATION_WORDS.length) return "told of everything";
  return events.map((event) => notificationWord(event).toLowerCase()).join(", ");
}
