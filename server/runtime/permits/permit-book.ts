import type { Observation } from "#kernel/capability/observation";
import type { Verdict } from "./grant-permits";
import type { Ceiling, Permit } from "./permit";

export type PermitAsk = Pick<Permit, "id" | "runId" | "taskId" | "personId" | "demand">;

export interface PermitEnd {
  readonly id: string;
  /** When the call started in truth; a grant may lie a little before it. */
  readonly startedAt: number;
  readonly usage?: Observation["usage"];
}

export interface PermitExchange {
  readonly asks: readonly PermitAsk[];
  /** Calls that no longer want to start. */
  readonly withdrawn: readonly string[];
  readonly ended: readonly PermitEnd[];
}

/** Keeps the limits over all runs, for all workers. One exchange is one transaction. */
export interface PermitBook {
  /**
   * Takes in what has changed, grants what can be granted to anybody, and keeps this worker's permits alive.
   *
   * @returns the verdicts on all permits of this worker in the workspace; one it asked for and is not told about is
   *   gone, since the worker was taken for dead, and has to be asked for again.
   */
  exchange(workspaceId: string, exchange: PermitExchange): Promise<readonly Verdict[]>;
  /** The ceilings of a workspace; empty where it has none, which is most. */
  ceilings(workspaceId: string): Promise<readonly Ceiling[]>;
  /** Calls `listener` when something was granted to this worker. */
  onNews(listener: () => void): () => void;
  /** Calls `listener` when a ceiling was changed, in whatever workspace. */
  onCeilings(listener: () => void): () => void;
}
