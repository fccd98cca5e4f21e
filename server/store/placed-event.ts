import type { NewRunEvent } from "#kernel/run/event";

/** An event with its place, as projections need it. */
export interface PlacedEvent {
  readonly runKey: string;
  readonly seq: number;
  readonly event: NewRunEvent;
}
