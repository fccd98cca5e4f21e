import { Field, TextInput } from "../ui/input";
import type { Channel, ChannelDraft } from "./notification-words";

type WebhookTarget = Extract<ChannelDraft["target"], { kind: "webhook" }>;

/** What the form says; a secret that was left empty stays as it was. */
export function webhookTarget(form: FormData, known: Channel | undefined): WebhookTarget {
  const url = String(form.get("url") ?? "").trim();
  const signingKey = String(form.get("signingKey") ?? "");
  return {
    kind: "webhook",
    ...(url === "" && known !== undefined ? {} : { url }),
    ...(signingKey === "" ? {} : { signingKey }),
  };
}

export const WebhookFields = ({ known }: { readonly known: Channel | undefined }) => (
  <>
    <Field
      label="Address"
      hint={
        known === undefined
          ? "It is kept as a secret: only its host is shown later."
          : "Set already and not shown. Leave it empty to keep it."
      }
    >
      {(control) => (
        <TextInput
          {...control}
          name="url"
          type="url"
          required={known === undefined}
          maxLength={2_000}
          autoComplete="off"
          placeholder={
            known?.settings.kind === "webhook"
              ? `https://${known.settings.host}/…`
              : "https://hooks.slack.com/services/…"
          }
        />
      )}
    </Field>
    <Field
      label="Signing key"
      hint={
        known?.secrets.signingKey === true
          ? "Set already and not shown. Leave it empty to keep it; a new address needs it anew."
          : "Optional. The receiver can check X-Planwright-Signature with it."
      }
    >
      {(control) => (
        <TextInput {...control} name="signingKey" type="password" maxLength={200} autoComplete="new-password" />
      )}
    </Field>
  </>
);
