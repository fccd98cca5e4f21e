import type { RunId } from "#kernel/ids";
import { notFound } from "../../errors";
import type { Principal } from "../../runtime/principal";
import type { Services } from "../../services";
import { beginRun } from "./begin-run";

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
  const { id, name } = principal.person;
  const scope = { workspaceId: principal.workspace.id, person: { id, name } };
  const stored = await services.plans.get(scope, request.planId);
  if (stored === undefined) throw notFound();
  const version =
    request.version === undefined
      ? stored.current
      : await services.plans.version(scope, request.planId, request.version);
  if (version === undefined) throw notFound();
  return beginRun(services, principal, {
    planId: request.planId,
    version,
    policy: {
      budgetBeforeCompletion: request.budgetBeforeCompletion ?? false,
      fourEyes: request.fourEyes,
    },
    requestId: request.requestId,
  });
}
