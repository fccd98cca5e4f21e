import type { RunId } from "#kernel/ids";
import { pinnedCapabilities } from "#kernel/plan/pinned-capabilities";
import { AppError, notFound } from "../../errors";
import { holdsRole, type Principal } from "../../runtime/principal";
import type { Services } from "../../services";
import { requireRunnable } from "./check-plan";

export interface StartRequest {
  readonly planId: string;
  readonly version?: number | undefined;
  readonly fourEyes: boolean;
  readonly budgetBeforeCompletion?: boolean | undefined;
  readonly requestId?: string | undefined;
}

/** Starts a run of one immutable version, or refuses with every problem that stands in the way. */
export async function startRun(
  services: Services,
  principal: Principal,
  request: StartRequest,
): Promise<{ runId: RunId }> {
  if (!request.fourEyes && !holdsRole(principal, ["admin"])) {
    throw new AppError("forbidden", "Only an admin may start a run without four eyes.");
  }
  const { id, name } = principal.person;
  const scope = { workspaceId: principal.workspace.id, person: { id, name } };
  const stored = await services.plans.get(scope, request.planId);
  if (stored === undefined) throw notFound();
  const version =
    request.version === undefined
      ? stored.current
      : await services.plans.version(scope, request.planId, request.version);
  if (version === undefined) throw notFound();
  const registry = await services.capabilities.registryOf(scope.workspaceId);
  requireRunnable(services, registry, version.plan);
  const full = await services.limits.countRun(scope.workspaceId, id);
  if (full !== undefined) throw new AppError("limit_exceeded", full);
  return services.runs.start(scope.workspaceId, {
    planId: request.planId,
    version,
    capabilities: pinnedCapabilities(version.plan, registry),
    startedBy: scope.person,
    ...(principal.via === "api_key" ? { apiKeyId: principal.viaId } : {}),
    policy: {
      budgetBeforeCompletion: request.budgetBeforeCompletion ?? false,
      fourEyes: request.fourEyes,
    },
    ...(request.requestId === undefined ? {} : { requestId: request.requestId }),
  });
}
