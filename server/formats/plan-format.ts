import type { Diagnostic } from "#kernel/plan/diagnostic";
import type { Plan } from "#kernel/plan/plan";
import type { Result } from "#kernel/result";
import type { Placeholder } from "./placeholders";
import type { Position } from "./position";
import type { StructuredDocument } from "./structured-document";

/** A text somebody gave us: decoded, unpacked, and parsed where it is JSON or YAML. */
export interface PlanSource {
  readonly text: string;
  readonly fileName?: string;
  /** Absent for a text that is neither. */
  readonly document?: StructuredDocument;
  /** All documents of a YAML text as one list, where there are several. */
  readonly documents?: StructuredDocument;
}

/** What became of a foreign document; shown beside the imported plan. */
export interface ImportReport {
  readonly format: string;
  readonly title: string;
  readonly tasks: number;
  /** Ids that break our grammar, and what they became; the original is the task's title. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  /** Tools that no capability is known for here; the tasks name them, and a person maps them. */
  readonly placeholders: readonly Placeholder[];
  /** In words: what was mapped how, and what the plan does not say any more. */
  readonly notes: readonly string[];
}

export interface ImportedPlan {
  /** Never without tasks. */
  readonly plan: Plan;
  /** Warnings and hints of the importer; the plan itself is still to be validated. */
  readonly diagnostics: readonly Diagnostic[];
  readonly report: ImportReport;
  /** Where the source says what stands at these JSON pointers of the plan, so that a later problem names its line. */
  locate(pointers: Iterable<string>): ReadonlyMap<string, Position>;
}

/** One foreign (or our own) way of writing a plan. Pure: text in, data out. */
export interface PlanFormat {
  /** `llmcompiler`; kept in the plan as `source.format`. */
  readonly id: string;
  readonly title: string;
  /** The manifests of one workflow may be several YAML documents; elsewhere a second one is a problem. */
  readonly readsSeveralDocuments?: true;
  /** By content; the file name only breaks a tie. */
  detect(source: PlanSource): boolean;
  /** At least one error when it fails; at least one task when it does not. */
  import(source: PlanSource): Result<ImportedPlan, Diagnostic[]>;
}
