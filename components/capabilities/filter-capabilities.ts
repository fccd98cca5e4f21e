import type { CapabilityEntry } from "./capability-table";

/** What the list shows: words that must all occur, and one provider, side effect or status. */
export interface CapabilityFilter {
  readonly search: string;
  readonly provider: string;
  readonly sideEffect: string;
  readonly status: string;
}

export const ANY = "any";
export const NO_FILTER: CapabilityFilter = { search: "", provider: ANY, sideEffect: ANY, status: ANY };

/** Those that fit, in the order they came. */
export function filterCapabilities(
  capabilities: readonly CapabilityEntry[],
  { search, provider, sideEffect, status }: CapabilityFilter,
): readonly CapabilityEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return capabilities.filter((capability) => {
    const text =
      `${capability.name} ${capability.title} ${capability.description} ${capability.server ?? ""}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (provider === ANY || capability.provider === provider) &&
      (sideEffect === ANY || capability.sideEffect === sideEffect) &&
      (status === ANY || (status === "retired") === (capability.status === "retired"))
    );
  });
}
