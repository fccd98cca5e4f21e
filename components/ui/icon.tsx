import { classNames } from "./class-names";

/** Our drawings, 16 by 16, stroked 1.6 with round ends. One path each, so that a sheet of them costs little. */
const PATHS = {
  hand: "M4.5 9V5.3a.9.9 0 0 1 1.8 0V8m0-4.2a.9.9 0 0 1 1.8 0V8m0-3.7a.9.9 0 0 1 1.8 0V8.5m0-2a.9.9 0 0 1 1.8 0V10c0 2.5-1.6 4-3.8 4C5.9 14 5 12.9 3 9.8c-.6-1 .6-1.7 1.5-.8",
  bell: "M4 11V7a4 4 0 0 1 8 0v4l1.2 1.3H2.8zM6.8 14a1.3 1.3 0 0 0 2.4 0M8 3V1.8",
  back: "M3 8a5 5 0 1 0 1.6-3.7L3 5.8M3 2.8v3h3",
  octagon: "M5.6 2.5h4.8l3.1 3.1v4.8l-3.1 3.1H5.6l-3.1-3.1V5.6zM5.5 8h5",
  bolt: "M8.8 2 3.8 9h3.7l-.5 5 5.2-7H8.4z",
  gauge: "M2.8 11.5a5.5 5.5 0 1 1 10.4 0M8 9.5l2.5-3",
  struck: "M13 8A5 5 0 1 1 3 8a5 5 0 0 1 10 0M4.6 11.4l6.8-6.8",
  check: "m3.5 8.5 3 3 6-7",
  dots: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  down: "m4 6 4 4 4-4",
  up: "m4 10 4-4 4 4",
  left: "m10 4-4 4 4 4",
  right: "m6 4 4 4-4 4",
  eye: "M1.8 8S4 4 8 4s6.2 4 6.2 4S12 12 8 12 1.8 8 1.8 8zM9.7 8a1.7 1.7 0 1 1-3.4 0 1.7 1.7 0 0 1 3.4 0",
  cross: "m4 4 8 8M12 4l-8 8",
  info: "M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0M8 7.5v3M8 5.3v.01",
  layout:
    "M3.5 6h2a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM10 3.5a1 1 0 0 1 1-1h1.5a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1H11a1 1 0 0 1-1-1zM10 10.5a1 1 0 0 1 1-1h1.5a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1H11a1 1 0 0 1-1-1zM6.5 8h2M8.5 4.5v7M8.5 4.5H10M8.5 11.5H10",
  link: "M6.5 9.5 9.5 6.5M7 4.5l1-1a3 3 0 0 1 4.3 4.3l-1 1M9 11.5l-1 1a3 3 0 0 1-4.3-4.3l1-1",
  lock: "M5 7h6a1.5 1.5 0 0 1 1.5 1.5V12a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 12V8.5A1.5 1.5 0 0 1 5 7zM5.5 7V5a2.5 2.5 0 0 1 5 0v2",
  minus: "M3 8h10",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z",
  sun: "M10.5 8a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0M8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M12.4 3.6l-1 1M4.6 11.4l-1 1",
  monitor: "M3.5 3h9a1 1 0 0 1 1 1v5.5a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM6 13.5h4M8 10.5v3",
  stepForward: "M4.5 3.5v9l6-4.5zM12 3.5v9",
  stepBack: "M11.5 3.5v9L5.5 8zM4 3.5v9",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  pen: "m3 13 .6-2.6 7-7 2 2-7 7z",
  circle: "M13 8A5 5 0 1 1 3 8a5 5 0 0 1 10 0",
  play: "M5.5 3.8v8.4L12 8z",
  plus: "M8 3v10M3 8h10",
  pool: "M3.5 3h9a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM3.5 9h9a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-2a1 1 0 0 1 1-1z",
  hourglass: "M5 2.5h6M5 13.5h6M5.5 2.5c0 3 5 3.5 5 5.5s-5 2.5-5 5.5M10.5 2.5c0 3-5 3.5-5 5.5s5 2.5 5 5.5",
  diamond: "m8 2.8 5.2 5.2L8 13.2 2.8 8z",
  branch: "M4 13V7a3 3 0 0 1 3-3h5M9.5 1.5 12 4 9.5 6.5M4 9",
  arc: "M8 3a5 5 0 0 1 5 5",
  search: "M11 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0M10 10l3.5 3.5",
  skip: "m3.5 4.5 4 3.5-4 3.5M8.5 4.5l4 3.5-4 3.5",
  undo: "M3 6h6a3.5 3.5 0 0 1 0 7H6M3 6l3-3M3 6l3 3",
  redo: "M13 6H7a3.5 3.5 0 0 0 0 7h3M13 6l-3-3M13 6l-3 3",
  question: "M5.7 6a2.4 2.4 0 1 1 3.5 2.1c-.8.4-1.2.8-1.2 1.6M8 12.3v.1",
  user: "M10.7 5.5a2.7 2.7 0 1 1-5.4 0 2.7 2.7 0 0 1 5.4 0M3 13.5c.6-2.6 2.6-4 5-4s4.4 1.4 5 4",
  warning: "M8 2.5 14 13H2zM8 6.5v3M8 11.3v.01",
  trash: "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5 5 13h6l.5-8.5M7 7v3.5M9 7v3.5",
  copy: "M6 5.5h6.5V13H6zM10 5.5V3H3.5v7.5H6",
  download: "M8 2.5v7.5M5 7.5 8 10.5l3-3M3 13.5h10",
  upload: "M8 10.5V3M5 6l3-3 3 3M3 13.5h10",
  clock: "M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0M8 5v3.2l2 1.3",
  cloudOff:
    "M4.5 12.5h6.8M12.9 11a2.5 2.5 0 0 0-1.2-4.4A3.7 3.7 0 0 0 7 4.2M4.7 6.4a3.1 3.1 0 0 0-.2 6.1M2.5 2.5l11 11",
  filter: "M2.5 3.5h11L9.5 8.5v4l-3 1v-5z",
  key: "M8.3 7.7 13.5 2.5M11.5 4.5l1.5 1.5M9 10.2a3 3 0 1 1-6 0 3 3 0 0 1 6 0",
  logout: "M6.5 13.5h-3v-11h3M10 5l3 3-3 3M13 8H6.5",
  external: "M9 3h4v4M13 3 7.5 8.5M11 9.5V13H3V5h3.5",
  expand: "M9.5 3H13v3.5M13 3 9.5 6.5M6.5 13H3V9.5M3 13l3.5-3.5",
  sliders:
    "M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M11.5 5a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0M7.5 11a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0",
  people:
    "M8.2 5.5a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0M1.8 13c.4-2.3 2-3.5 4.2-3.5s3.8 1.2 4.2 3.5M10.2 3.6a2.1 2.1 0 0 1 0 3.9M11.6 9.9c1.5.4 2.3 1.5 2.6 3.1",
  shield: "M8 2.2 13 4v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM5.8 8.2l1.6 1.6 3-3.4",
  spark: "M8 2.5v11M2.5 8h11M4.2 4.2l7.6 7.6M11.8 4.2l-7.6 7.6",
} as const;

export type IconName = keyof typeof PATHS | "running";

const FILLED: ReadonlySet<string> = new Set(["play"]);
const HEAVY: ReadonlySet<string> = new Set(["dots", "pause"]);

export interface IconProps {
  readonly name: IconName;
  readonly small?: boolean;
  /** Says what the icon means where no word stands beside it; without it the icon is decoration. */
  readonly label?: string;
  readonly className?: string;
}

export function Icon({ name, small, label, className }: IconProps) {
  return (
    <svg
      viewBox="0 0 16 16"
      className={classNames("icon", small && "icon-small", className)}
      strokeWidth={HEAVY.has(name) ? 2.2 : undefined}
      aria-hidden={label === undefined ? true : undefined}
      role={label === undefined ? undefined : "img"}
      aria-label={label}
    >
      {name === "running" ? (
        <>
          <path d={PATHS.circle} opacity=".35" />
          <path d={PATHS.arc} />
        </>
      ) : (
        <path d={PATHS[name]} fill={FILLED.has(name) ? "currentColor" : undefined} />
      )}
    </svg>
  );
}
