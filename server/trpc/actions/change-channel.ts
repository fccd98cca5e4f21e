import { AppError, notFound, secretsUnavailable } from "../../errors";
import { type Channel, type ChannelDraft, SecretsUnavailable } from "../../runtime/notifications";
import type { Principal } from "../../runtime/principal";
import type { Services } from "../../services";
import type { ChannelInput } from "../schemas/notification-channel";

const SECRET_REQUIRED = {
  email: "Another server, port or user needs the password anew: the one that is kept was given for the old one.",
  webhook: "Another address needs the signing key anew: the one that is kept was given for the old one.",
} as const;

/** Makes a channel, or changes the one that is named. */
export async function changeChannel(
  services: Services,
  principal: Principal,
  { channelId, input }: { readonly channelId?: string; readonly input: ChannelInput },
): Promise<Channel> {
  const known =
    channelId === undefined
      ? undefined
      : (await services.notifications.channels(principal.workspace.id)).find(({ id }) => id === channelId);
  if (channelId !== undefined && known === undefined) throw notFound();
  const draft = draftOf(input, known);
  try {
    const changed =
      channelId === undefined
        ? await services.notifications.create(principal, draft)
        : await services.notifications.update(principal, channelId, draft);
    if (changed === undefined) throw notFound();
    if (changed === "secret_required") throw new AppError("invalid_input", SECRET_REQUIRED[draft.settings.kind]);
    return changed;
  } catch (error) {
    if (!(error instanceof SecretsUnavailable)) throw error;
    throw secretsUnavailable();
  }
}

function draftOf({ name, enabled, events, target }: ChannelInput, known: Channel | undefined): ChannelDraft {
  const rest = { name, enabled, events };
  if (target.kind === "email") {
    const { password, ...settings } = target;
    return { ...rest, settings, secret: { url: "", signingKey: "", ...(password === undefined ? {} : { password }) } };
  }
  const { url, signingKey } = target;
  const knownHost = known?.settings.kind === "webhook" ? known.settings.host : undefined;
  const host = url === undefined ? knownHost : hostOf(url);
  if (host === undefined) throw new AppError("invalid_input", "A webhook needs its address.");
  return {
    ...rest,
    settings: { kind: "webhook", host },
    secret: {
      password: "",
      ...(url === undefined ? {} : { url }),
      ...(signingKey === undefined ? {} : { signingKey }),
    },
  };
}

/** Whether it may be reached is judged at each delivery: what a name stands for changes. */
function hostOf(url: string): string {
  if (!URL.canParse(url)) throw new AppError("invalid_input", "This is not an address such as https://example.org/…");
  const { protocol, host, username, password } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") {
    throw new AppError("invalid_input", "The address has to begin with https:// or http://.");
  }
  if (username !== "" || password !== "") {
    throw new AppError("invalid_input", "An address with a user name or password in it is refused.");
  }
  return host;
}
