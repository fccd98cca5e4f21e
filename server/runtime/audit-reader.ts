import type { AuditFault, AuditHead } from "./audit-chain";
import type { AuditRecord } from "./audit-log";

export interface AuditFilter {
  readonly actorId?: string | undefined;
  readonly action?: string | undefined;
  readonly subjectId?: string | undefined;
  /** Epoch milliseconds: from, and up to but not including. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Entries before this number: the next page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** What a verification found. Intact: `faults` is empty. */
export interface AuditReport {
  readonly workspaceId: string;
  readonly entries: number;
  readonly redacted: number;
  /** Finished runs whose logs were compared with their digests. */
  readonly runs: number;
  readonly head: AuditHead;
  readonly faults: readonly AuditFault[];
  /** Faults beyond those named. */
  readonly more: number;
}

/** Reads the audit of one workspace. Nobody writes through it. */
export interface AuditReader {
  /** The newest entries that fit, newest first. */
  list(workspaceId: string, filter: AuditFilter): Promise<readonly AuditRecord[]>;
  /** The words of actions that occur, and who acted. */
  facets(workspaceId: string): Promise<{ readonly actions: readonly string[]; readonly actorIds: readonly string[] }>;
  /** Where the chain ends; undefined: nothing was ever recorded. */
  head(workspaceId: string): Promise<AuditHead | undefined>;
  /** All of it in the order of its numbers, a page at a time. */
  read(workspaceId: string): AsyncGenerator<readonly AuditRecord[], void>;
  /** Computes every hash anew, and the digests of finished runs. */
  verify(workspaceId: string): Promise<AuditReport>;
}
