/** Ceilings a plan must stay under. Above one of them it is refused with `limit_exceeded`, never cut in silence. */
export interface PlanLimits {
  /** Tasks in one plan. */
  readonly tasks: number;
  /** Edges in one plan, references included. */
  readonly edges: number;
  /** Nesting of the document, the root being 1; arguments count from the root too. */
  readonly depth: number;
  /** Length of the document as JSON text, in UTF-16 units; a value used twice counts twice. */
  readonly bytes: number;
  /** Diagnostics reported; one more says how many were left out. */
  readonly diagnostics: number;
}

/** What the kernel can analyse within a second or two on one core. A service may set lower ones for its callers. */
export const DEFAULT_PLAN_LIMITS: PlanLimits = {
  tasks: 100_000,
  edges: 1_000_000,
  depth: 64,
  bytes: 64 * 1024 * 1024,
  diagnostics: 10_000,
};

/** Instances of one `forEach` where the plan sets no `maxItems`. */
export const MAX_ITEMS_DEFAULT = 1_000;
