import type { CapabilitySnapshot } from "./capability";

/** True for a capability that changes something outside; an unknown one is taken to. */
export const changesSomething = (capability: CapabilitySnapshot | undefined): boolean =>
  capability === undefined || capability.sideEffect === "write" || capability.sideEffect === "destructive";
