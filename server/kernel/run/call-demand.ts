import type { BudgetRefusal } from "./budget";
import type { Hold } from "./status";

/** What one call takes of limits that no run sees alone: those of its capability, of what it writes, of ceilings. */
export interface CallDemand {
  /** `name@version`. */
  readonly capability: string;
  /** Calls of it at once, over all runs of the workspace. */
  readonly concurrency?: number;
  readonly rateLimit?: { readonly calls: number; readonly perSeconds: number };
  /** Resources it writes: no other call of the workspace writes one of them meanwhile. */
  readonly locks: readonly string[];
  /** The most it charges, by budget; ceilings count it. */
  readonly charges: readonly (readonly [budget: string, amount: number])[];
}

/** The answer of whoever keeps those limits: start now, wait, or never. */
export type Admission =
  | { readonly type: "admitted" }
  | { readonly type: "held"; readonly hold: Hold }
  | { readonly type: "refused"; readonly refusal: BudgetRefusal };
