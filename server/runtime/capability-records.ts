import { z } from "zod";
import {
  type CapabilityRegistry,
  type CapabilitySnapshot,
  capabilitySnapshotSchema,
} from "#kernel/capability/capability";
import { personIdSchema } from "#kernel/ids";

/** The capabilities of one workspace at one moment: the built-in ones and what it registered, retired ones left out. */
export interface WorkspaceRegistry extends CapabilityRegistry {
  /** Changes whenever the workspace's registry does; two registries of one revision are equal. */
  readonly revision: string;
  /** Every version that may be called, built-ins first. */
  readonly capabilities: readonly CapabilitySnapshot[];
}

/** Who registered or retired something, as it was called then. */
const actorSchema = z.object({ id: personIdSchema, name: z.string() });

/** An immutable version with what is known about it. Times are epoch milliseconds. */
export const capabilityVersionSchema = z.object({
  capability: capabilitySnapshotSchema,
  note: z.string().optional(),
  /** Absent for built-in capabilities, which ship with the code. */
  createdBy: actorSchema.optional(),
  createdAt: z.number().optional(),
  retired: z.object({ at: z.number(), by: actorSchema, reason: z.string().optional() }).optional(),
});
export type CapabilityVersion = z.infer<typeof capabilityVersionSchema>;

/** Read access to the registries of all workspaces, for the web process and the worker. */
export interface CapabilityRecords {
  /** What may be called now. Cheap to ask for: a process keeps its copy until the revision changes. */
  registryOf(workspaceId: string): Promise<WorkspaceRegistry>;
  /**
   * One version, retired or not; undefined where it was never registered. Versions are immutable, so they are kept;
   * whether one is retired is asked each time.
   */
  version(workspaceId: string, name: string, version: number): Promise<CapabilityVersion | undefined>;
}
