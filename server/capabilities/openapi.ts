import type { CapabilitySnapshot } from "#kernel/capability/capability";
import { type HttpSettings, httpSettingsSchema, secretNamesIn } from "#kernel/capability/http-settings";
import { changesSomething } from "#kernel/capability/side-effect";
import type { JsonObject } from "#kernel/json";
import type { AddressPolicy } from "../network/address-policy";
import { ExchangeFailed, exchange, type Outgoing } from "../network/http-exchange";
import type { CallContext } from "../runtime/ports";
import type { SecretReader } from "../runtime/secret-vault";
import { hideFromLog } from "../secrets/known-secrets";
import { createRedactor, type NamedSecret, type Redactor, SECRET_LENGTH_MIN } from "../secrets/redactor";
import { type CallResult, type CapabilityProvider, terminal } from "./definition";
import { exchangeFailure } from "./http-failure";
import { classifyStatus } from "./http-status";
import { answerDetail, answerOutput } from "./operation-answer";
import { operationRequest } from "./operation-request";

export interface OpenApiOptions {
  readonly policy: AddressPolicy;
  readonly secrets: SecretReader;
}

/**
 * Carries out operations of HTTP interfaces. Secrets are read for the one call and put into the request last; whatever
 * comes back (body, headers, errors, addresses of redirects) is read for them before anybody else reads it.
 */
export const openApiProvider =
  (options: OpenApiOptions): CapabilityProvider =>
  (capability) => ({
    capability,
    call: (callArguments, context) => callOperation(options, capability, { callArguments, context }),
  });

async function callOperation(
  { policy, secrets }: OpenApiOptions,
  capability: CapabilitySnapshot,
  { callArguments, context }: { readonly callArguments: JsonObject; readonly context: CallContext },
): Promise<CallResult> {
  const settings = httpSettingsSchema.safeParse(capability.settings);
  if (!settings.success)
    return terminal({ errorCategory: "capability_gone", message: "Its settings cannot be read by this version." });
  const names = secretNamesIn(capability.settings);
  const read = names.length === 0 ? NO_SECRETS : await secrets.read(context.workspaceId, names);
  if (!read.ok) {
    const message = `The secret ${read.missing.join(", ")} is not set, or cannot be read with the key at hand.`;
    return terminal({ errorCategory: "policy_denied", errorCode: "secret_missing", message });
  }
  const redactor = createRedactor(hiddenTexts(settings.data, read.values));
  const { idempotencyKey } = context;
  const request = operationRequest({ settings: settings.data, callArguments, secrets: read.values, idempotencyKey });
  if (!request.ok) return terminal({ errorCategory: "invalid_arguments", message: request.error });
  const leavesOrigin = read.values.size === 0;
  const result = await send({ capability, request: request.value, policy, leavesOrigin, context, redactor });
  return result.message === undefined ? result : { ...result, message: redactor.text(result.message) };
}

/** The values, and of `user:password` the password alone, which a service may well quote by itself. */
function hiddenTexts(settings: HttpSettings, values: ReadonlyMap<string, string>): readonly NamedSecret[] {
  const secrets = [...values].map(([name, value]) => ({ name, value }));
  for (const { encoding, value } of settings.fixed) {
    if (encoding !== "basic" || typeof value === "string") continue;
    const password = values.get(value.$secret)?.split(":").slice(1).join(":") ?? "";
    if (password.length >= SECRET_LENGTH_MIN) secrets.push({ name: value.$secret, value: password });
  }
  for (const secret of secrets) hideFromLog(secret);
  return secrets;
}

const NO_SECRETS = { ok: true, values: new Map<string, string>() } as const;

interface Sending {
  readonly capability: CapabilitySnapshot;
  readonly request: Outgoing;
  readonly policy: AddressPolicy;
  readonly leavesOrigin: boolean;
  readonly context: CallContext;
  readonly redactor: Redactor;
}

async function send({ capability, request, policy, leavesOrigin, context, redactor }: Sending): Promise<CallResult> {
  const { signal } = context;
  try {
    const answer = await exchange(request, { policy, signal, leavesOrigin });
    // A redirect that could not be followed is no success of an operation.
    if (answer.status >= 300 && answer.status < 400)
      return exchangeFailure(
        new ExchangeFailed(`The service answered ${answer.status}.`, "redirects"),
        capability,
        signal,
      );
    const detail = answer.status < 400 ? "" : answerDetail(answer, redactor);
    const output = answer.status < 400 ? answerOutput(answer, redactor) : null;
    // A search by POST is safe, a counter read by GET need not be: it is as the registry has it.
    return classifyStatus(answer, { safe: !changesSomething(capability), output, now: Date.now(), detail });
  } catch (problem) {
    if (problem instanceof ExchangeFailed) return exchangeFailure(problem, capability, signal);
    // What a library says of a request may quote it.
    if (!signal.aborted && problem instanceof Error) throw new Error(redactor.text(problem.message));
    throw problem;
  }
}
