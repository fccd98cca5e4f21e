import type { CapabilitySnapshot } from "../capability/capability";
import type { SchemaChecker } from "../capability/schema-checker";
import type { Admission, CallDemand } from "./call-demand";
import type { OutputLoader } from "./outputs";
import type { TaskState } from "./state";

/** What `decide` has to be told, since it is in no event. */
export interface DecideOptions {
  /** Calls of this run that may be in flight at once, beside the plan's own `maxParallel`; absent: no limit. */
  readonly inFlightLimit?: number;
  /** Further calls of a capability that its provider takes now, over all runs; absent: any number. */
  readonly roomFor?: (capability: CapabilitySnapshot) => number;
  /**
   * Whether a call may start now under the limits over all runs. Asking is a request: whoever is asked sees to it that
   * the answer changes. Absent: there are no such limits.
   */
  readonly admit?: (task: TaskState, demand: CallDemand) => Admission;
  /** A look-up for this task is under way: nothing else is to be done about its lost call meanwhile. */
  readonly isLookingUp?: (taskId: string) => boolean;
  /** Outputs that stand in artifacts, as far as they are loaded. */
  readonly load?: OutputLoader;
  /** A secret of each gate. Absent: derived from the gate, so that a test or a simulation is exact. */
  readonly nonce?: (gateId: string) => string;
  /** Needed for `json_schema` completion checks; without it they fail. */
  readonly checkSchema?: SchemaChecker;
}

/** One asking of `decide`. */
export interface Asking {
  /** Epoch milliseconds on the database clock. */
  readonly now: number;
  readonly options: DecideOptions;
}
