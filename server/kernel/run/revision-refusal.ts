import type { Diagnostic } from "../plan/diagnostic";
import type { RefusalProblem } from "./event";

export type RevisionRefusalCode =
  | "run_ended"
  | "not_started"
  | "trigger_unknown"
  | "revisions_exhausted"
  | "plan_invalid"
  | "grants_trust"
  | "touches_finished"
  | "running_unaccounted"
  | "empty"
  | "identical"
  | "no_news"
  | "no_valid_step";

export interface RevisionRefusal {
  readonly code: RevisionRefusalCode;
  readonly message: string;
  readonly problems: readonly RefusalProblem[];
  /** The same with fixes, for a person at a screen. */
  readonly diagnostics: readonly Diagnostic[];
}
