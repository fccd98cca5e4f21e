import { formatClock } from "#kernel/view/format";
import { Button, IconButton } from "../ui/button";
import { Icon } from "../ui/icon";
import { Select } from "../ui/select";
import { SPEEDS } from "./view-store";

export interface TransportProps {
  readonly elapsedMs: number;
  readonly totalMs: number;
  readonly playing: boolean;
  readonly speed: number;
  readonly live: boolean;
  readonly onStep: (by: 1 | -1) => void;
  readonly onPlay: () => void;
  readonly onSpeed: (speed: number) => void;
  readonly onFollow: () => void;
}

/** Step, play, speed, and the way back to now. */
export function Transport(props: TransportProps) {
  return (
    <div className="flex flex-none items-center gap-1">
      <IconButton icon="stepBack" label="Event before" shortcut="←" onClick={() => props.onStep(-1)} />
      <Button
        variant="primary"
        data-icon="true"
        onClick={props.onPlay}
        aria-label={props.playing ? "Pause playing" : "Play"}
        title={props.playing ? "Pause playing (Space)" : "Play (Space)"}
      >
        <Icon name={props.playing ? "pause" : "play"} />
      </Button>
      <IconButton icon="stepForward" label="Next event" shortcut="→" onClick={() => props.onStep(1)} />
      <span className="ml-1.5 text-lead font-semibold whitespace-nowrap">{formatClock(props.elapsedMs)}</span>
      <span className="text-small whitespace-nowrap text-fg-3">/ {formatClock(props.totalMs, { tenths: false })}</span>
      <Select
        label="Speed"
        quiet
        className="ml-1.5 w-[68px]"
        value={String(props.speed)}
        options={SPEEDS.map((speed) => ({ value: String(speed), label: `${speed}×` }))}
        onValueChange={(speed) => props.onSpeed(Number(speed))}
      />
      {props.live ? (
        <Button size="small" onClick={props.onFollow} title="Follow the run (End)">
          <span className="h-2 w-2 rounded-full" style={{ background: "var(--st-succeeded-bd)" }} />
          To now
        </Button>
      ) : null}
    </div>
  );
}
