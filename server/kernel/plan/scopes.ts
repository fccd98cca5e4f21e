import type { CapabilityRegistry, CapabilitySnapshot } from "../capability/capability";
import { withDefaults } from "../capability/defaults";
import { grantsScope, mayBeGranted, requiredScopes, resolveScopes, scopeArguments } from "../capability/scope";
import type { JsonObject } from "../json";
import { knownArguments } from "./resources";

interface PlannedCall {
  readonly capability: CapabilitySnapshot;
  /** As the plan writes them, references and all. */
  readonly given: JsonObject;
  readonly registry: CapabilityRegistry;
}

/** The scopes of a call as far as its plan tells: filled in, or as templates where only the run will know. */
export interface PlannedScopes {
  readonly known: readonly string[];
  /** Templates over arguments that come from another task. */
  readonly open: readonly string[];
  /** Why a scope can never be told: an argument that it is made of has no value. */
  readonly faults: readonly string[];
}

/** What a planned call requires. At run time the same templates are filled in from the resolved arguments. */
export function plannedScopesOf({ capability, given, registry }: PlannedCall): PlannedScopes {
  const templates = requiredScopes(capability, registry);
  const known: string[] = [];
  const open: string[] = [];
  const faults: string[] = [];
  if (templates.length === 0) return { known, open, faults };
  const told = knownArguments(given);
  const { value } = withDefaults(capability.inputSchema, told.values);
  for (const template of templates) {
    if (scopeArguments(template).some((name) => told.open(name))) {
      open.push(template);
      continue;
    }
    const resolved = resolveScopes([template], value);
    if (resolved.ok) known.push(...resolved.value);
    else faults.push(resolved.error.message);
  }
  return { known, open, faults };
}

/** What of that is not among `granted`; of a template: that no value at all could make it so. */
export function scopesLacking({ granted, ...call }: PlannedCall & { readonly granted: readonly string[] }): {
  readonly lacking: readonly string[];
  readonly faults: readonly string[];
} {
  const { known, open, faults } = plannedScopesOf(call);
  return {
    lacking: [
      ...known.filter((scope) => !grantsScope(granted, scope)),
      ...open.filter((template) => !mayBeGranted(granted, template)),
    ],
    faults,
  };
}
