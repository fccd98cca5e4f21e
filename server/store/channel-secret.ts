import type { ChannelDraft, ChannelSecret, ChannelSettings } from "../runtime/notifications";

/** What is known of a channel before a change. */
interface KnownChannel {
  readonly settings: ChannelSettings;
  readonly secret: ChannelSecret;
}

/**
 * What is secret of a channel after a change; a field that the draft leaves out is kept. It was given for the place it
 * went to: whoever names another server, user or address has to give it anew, or they could have what nobody may read
 * sent to a server of their own.
 *
 * @returns undefined where the draft would take a kept secret to another place.
 */
export function secretAfter({ settings, secret }: KnownChannel, draft: ChannelDraft): ChannelSecret | undefined {
  const given: ChannelSecret = Object.fromEntries(
    Object.entries(draft.secret).filter(([, value]) => value !== undefined),
  );
  // Without a user there is nothing that a password could be for.
  if (draft.settings.kind === "email" && draft.settings.user === undefined) return { ...given, password: "" };
  const keepsPassword = isThere(secret.password) && given.password === undefined;
  if (keepsPassword && !isSameServer(settings, draft.settings)) return undefined;
  const keepsSigningKey = isThere(secret.signingKey) && given.signingKey === undefined;
  if (keepsSigningKey && given.url !== undefined && given.url !== secret.url) return undefined;
  return { ...secret, ...given };
}

const isThere = (value: string | undefined): boolean => value !== undefined && value !== "";

const isSameServer = (known: ChannelSettings, next: ChannelSettings): boolean =>
  known.kind === "email" &&
  next.kind === "email" &&
  known.host === next.host &&
  known.port === next.port &&
  known.user === next.user;
