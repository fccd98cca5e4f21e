import { BUILT_IN_REGISTRY } from "#kernel/capability/built-in/registry";
import type { CapabilityRegistry } from "#kernel/capability/capability";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { ok, type Result } from "#kernel/result";
import { type Invocation, optionText } from "./command";

export const REGISTRY_OPTION = { registry: { type: "string" } } as const;

/** As each command's help says it. */
export const REGISTRY_HELP =
  "  --registry FILE   capabilities of a workspace, as `planwright capabilities` writes them";

/** What a plan is checked against: the built-in capabilities, and those in the file that `--registry` names. */
export async function registryFor({ values, io }: Invocation): Promise<Result<CapabilityRegistry, Diagnostic[]>> {
  const file = optionText(values, "registry");
  if (file === undefined) return ok(BUILT_IN_REGISTRY);
  // Loaded only when asked for, since it takes a moment.
  const { loadRegistry } = await import("./load-registry");
  return loadRegistry(file, io);
}
