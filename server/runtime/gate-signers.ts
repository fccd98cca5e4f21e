import type { PersonId } from "#kernel/ids";
import type { Signer } from "#kernel/run/authority";

/** Who may sign in a workspace, as it is now: roles, further accounts of the same person, and who stands in for whom. */
export interface GateSigners {
  /** Everybody in the workspace. An agent's key is not among them: `isAgent` is the caller's to say. */
  all(workspaceId: string): Promise<readonly Signer[]>;
  /** One person; undefined where they are not in the workspace, or no longer. */
  one(workspaceId: string, personId: PersonId): Promise<Signer | undefined>;
}
