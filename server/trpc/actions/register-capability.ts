import { type CapabilityDraft, checkDraft } from "#kernel/capability/capability-draft";
import { checkAsked } from "#kernel/capability/check-asked";
import { httpSettingsSchema } from "#kernel/capability/http-settings";
import { AppError } from "../../errors";
import type { CapabilityVersion } from "../../runtime/capability-records";
import type { Principal } from "../../runtime/principal";
import type { Services } from "../../services";
import { refusalOfServer } from "./read-openapi";

export interface RegisterInput {
  readonly draft: CapabilityDraft;
  /** The newest version the draft was made from; 0: it is a new name. */
  readonly baseVersion: number;
  readonly note?: string | undefined;
}

/** Registers a new version, or refuses with everything that is wrong with it. */
export async function registerCapability(
  services: Services,
  principal: Principal,
  { draft, baseVersion, note }: RegisterInput,
): Promise<CapabilityVersion> {
  const registry = await services.capabilities.registryOf(principal.workspace.id);
  const issues = [...checkDraft(draft), ...checkAsked(draft, registry)];
  const settings = httpSettingsSchema.safeParse(draft.settings);
  const refusal = settings.success ? refusalOfServer(services, settings.data.server) : undefined;
  if (refusal !== undefined) issues.push({ pointer: "/settings/server", message: refusal });
  const [first] = issues;
  if (first !== undefined) throw new AppError("capability_invalid", first.message, { issues });
  const registration = { draft, baseVersion, ...(note === undefined ? {} : { note }) };
  const [result] = await services.capabilities.register(principal, [registration]);
  if (result === undefined) throw new Error("The registry gave no answer.");
  if (result.ok) return result.value;
  const { code, message } = result.error;
  if (code === "version_conflict")
    throw new AppError("version_conflict", message, { currentVersion: result.error.version });
  throw new AppError(code === "unchanged" ? "capability_unchanged" : "capability_invalid", message);
}
