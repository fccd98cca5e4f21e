import { BUILT_IN_CAPABILITIES, EARLIER_BUILT_INS } from "#kernel/capability/built-in/registry";
import { httpSettingsSchema } from "#kernel/capability/http-settings";
import { notFound } from "../../errors";
import type { CallHistory } from "../../runtime/capability-history";
import type { CapabilityVersion } from "../../runtime/capability-records";
import type { Services } from "../../services";
import type { CapabilityDetail, CapabilitySummary } from "../schemas/capability";

/** Oldest first within a name, as registered versions are. */
const builtIns = (): readonly CapabilityVersion[] =>
  BUILT_IN_CAPABILITIES.flatMap((newest) => [
    ...EARLIER_BUILT_INS.filter(({ name }) => name === newest.name),
    newest,
  ]).map((capability) => ({ capability }));

/** Every capability of a workspace, built-ins first, each by the version that its bare name stands for. */
export async function listCapabilities(services: Services, workspaceId: string): Promise<CapabilitySummary[]> {
  const [registered, history] = await Promise.all([
    services.capabilities.all(workspaceId),
    services.history.ofWorkspace(workspaceId),
  ]);
  const byName = new Map<string, CapabilityVersion[]>();
  for (const version of [...builtIns(), ...registered]) {
    const { name } = version.capability;
    byName.set(name, [...(byName.get(name) ?? []), version]);
  }
  return [...byName].map(([name, versions]) => summaryOf(versions, history.get(name)));
}

function summaryOf(versions: readonly CapabilityVersion[], history: CallHistory | undefined): CapabilitySummary {
  const shown = currentOf(versions) ?? versions.at(-1);
  if (shown === undefined) throw new Error("A capability has no version.");
  const { capability, createdAt } = shown;
  const settings = capability.provider === "http" ? httpSettingsSchema.safeParse(capability.settings) : undefined;
  return {
    name: capability.name,
    title: capability.title,
    description: capability.description,
    provider: capability.provider,
    sideEffect: capability.sideEffect,
    approval: capability.approval,
    idempotency: capability.idempotency,
    version: capability.version,
    versions: versions.length,
    status: statusOf(versions),
    estimate: capability.estimate,
    ...(settings?.success ? { server: settings.data.server } : {}),
    ...(history === undefined ? {} : { history }),
    ...(createdAt === undefined ? {} : { createdAt }),
  };
}

const currentOf = (versions: readonly CapabilityVersion[]): CapabilityVersion | undefined =>
  versions.findLast((version) => version.retired === undefined);

function statusOf(versions: readonly CapabilityVersion[]): CapabilitySummary["status"] {
  if (versions.some(({ capability }) => capability.provider === "built_in")) return "built_in";
  return currentOf(versions) === undefined ? "retired" : "active";
}

/** One capability, or "not there", which is also the answer where another workspace has one of that name. */
export async function describeCapability(
  services: Services,
  workspaceId: string,
  name: string,
): Promise<CapabilityDetail> {
  const builtIn = builtIns().filter(({ capability }) => capability.name === name);
  const versions = builtIn.length > 0 ? builtIn : await services.capabilities.versions(workspaceId, name);
  if (versions.length === 0) throw notFound();
  const [byVersion, byName, plans] = await Promise.all([
    services.history.ofVersions(workspaceId, name),
    services.history.ofWorkspace(workspaceId),
    services.capabilities.plansNaming(workspaceId, name),
  ]);
  const history = byName.get(name);
  const current = currentOf(versions)?.capability.version;
  return {
    name,
    status: statusOf(versions),
    ...(current === undefined ? {} : { current }),
    versions: [...versions].reverse().map((version) => {
      const own = byVersion.get(version.capability.version);
      return own === undefined ? version : { ...version, history: own };
    }),
    ...(history === undefined ? {} : { history }),
    plans: plans.map((plan) => ({ ...plan })),
  };
}
