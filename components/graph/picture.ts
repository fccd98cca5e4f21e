import type { SideEffect } from "#kernel/capability/capability";
import type { HoldType } from "#kernel/run/status";
import type { IconName } from "../ui/icon";
import type { Tone } from "../ui/pill";
import type { DiffMark, DisplayStatus } from "./encoding";

/**
 * What the canvas draws: plain data, made by a slice from a plan or from a run's state. Keep the object of a task
 * whose picture did not change: the canvas then leaves its card alone.
 */
export interface PictureNode {
  readonly id: string;
  readonly title: string;
  readonly status: DisplayStatus;
  /** `capability` (Design) or the status word (Run, Replay) at the left of the footer. */
  readonly footer: "capability" | "status";
  readonly capability?: string;
  readonly sideEffect?: SideEffect;
  /** The hold of a ready task: its icon and name replace the status word. */
  readonly hold?: HoldType;
  /** Right of the footer: `8 s`, `est. 24 s`, `in 14 s`, `3 of 3 attempts`. */
  readonly time?: string;
  readonly critical?: boolean;
  /** A gate stands before it. */
  readonly gate?: boolean;
  readonly diff?: DiffMark;
  /** With `diff: "changed"`: `3 → 5 min`, in place of the time. */
  readonly change?: string;
  readonly tags?: readonly PictureTag[];
  /** An error stands here: a red corner and the text on hover. */
  readonly problem?: string;
  /** Steps back so that an overlay can speak. */
  readonly dimmed?: boolean;
  readonly x: number;
  readonly y: number;
}

export interface PictureTag {
  readonly label: string;
  readonly icon?: IconName;
  readonly tone?: Tone;
  readonly title?: string;
}

export interface PictureEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: "data" | "control";
  readonly critical?: boolean;
  readonly diff?: "added" | "removed";
  /** Where an imported edge comes from; `declared` needs no mark. */
  readonly origin?: "declared" | "data_flow" | "timing" | "guess";
  /** Left ends and heights of the columns it crosses, from the layout. Absent: one curve. */
  readonly route?: readonly (readonly [number, number])[];
}

/** Two tasks that no path orders and that touch one resource, one of them writing. */
export interface PictureConflict {
  readonly a: string;
  readonly b: string;
  readonly resource: string;
}

export interface CanvasSelection {
  readonly tasks: ReadonlySet<string>;
  /** Keys made by `edgeKey`. */
  readonly edges: ReadonlySet<string>;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

export const edgeKey = (from: string, to: string): string => `${from} ${to}`;
