import type { RunId } from "#kernel/ids";
import { pinnedCapabilities } from "#kernel/plan/pinned-capabilities";
import { AppError } from "../../errors";
import { holdsRole, type Principal } from "../../runtime/principal";
import type { RunRequest } from "../../runtime/run-desk";
import type { Services } from "../../services";
import { requireRunnable } from "./check-plan";

export interface RunBeginning extends Pick<RunRequest, "planId" | "version" | "policy" | "rerun"> {
  readonly requestId?: string | undefined;
}

/**
 * The one way in which a person or a key starts a run, a first one or a rerun: who may loosen its policy, whether the
 * plan can run now, on whose behalf it acts, and the ceilings on runs.
 */
export async function beginRun(
  services: Services,
  principal: Principal,
  { planId, version, policy, rerun, requestId }: RunBeginning,
): Promise<{ runId: RunId }> {
  if (!policy.fourEyes && !holdsRole(principal, ["admin"])) {
    throw new AppError("forbidden", "Only an admin may start a run without four eyes.");
  }
  const workspaceId = principal.workspace.id;
  const registry = await services.capabilities.registryOf(workspaceId);
  await requireRunnable(services, principal, { registry, plan: version.plan });
  const { id, name } = principal.person;
  const begun = await services.runs.start(workspaceId, {
    planId,
    version,
    capabilities: pinnedCapabilities(version.plan, registry),
    startedBy: { id, name },
    // The run may do what the key may, as long as the key stands.
    ...(principal.via === "api_key" ? { apiKeyId: principal.viaId } : {}),
    policy,
    ...(rerun === undefined ? {} : { rerun }),
    ...(requestId === undefined ? {} : { requestId }),
  });
  if (!begun.ok) throw new AppError("limit_exceeded", begun.error);
  return begun.value;
}
