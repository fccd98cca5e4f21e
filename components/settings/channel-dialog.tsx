"use client";

import { type FormEvent, useState } from "react";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field, TextInput } from "../ui/input";
import { EmailFields, emailTarget } from "./email-fields";
import { type Channel, type ChannelDraft, NOTIFICATION_WORDS, type Subscribable } from "./notification-words";
import { WebhookFields, webhookTarget } from "./webhook-fields";

export interface ChannelDialogProps {
  /** The channel to change, or what kind of one to make. */
  readonly channel: Channel | "webhook" | "email";
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onCancel: () => void;
  readonly onSave: (draft: ChannelDraft) => void;
  readonly onRemove?: () => void;
}

export function ChannelDialog(props: ChannelDialogProps) {
  const { channel, isBusy, onCancel, onRemove } = props;
  const kind = typeof channel === "string" ? channel : channel.settings.kind;
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onCancel();
      }}
      title={typeof channel === "string" ? (kind === "webhook" ? "New webhook" : "New mail") : channel.name}
      description={
        kind === "webhook"
          ? "Each message is posted there in the form that Slack takes."
          : "Each message is sent as a mail through your server."
      }
      footer={
        <>
          {onRemove === undefined ? null : (
            <Button variant="danger" className="mr-auto" disabled={isBusy} onClick={onRemove}>
              Remove
            </Button>
          )}
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" form="channel" variant="primary" disabled={isBusy}>
            {isBusy ? "Saving…" : "Save"}
          </Button>
        </>
      }
    >
      <ChannelForm {...props} kind={kind} />
    </Dialog>
  );
}

function ChannelForm({ channel, kind, error, onSave }: ChannelDialogProps & { readonly kind: "webhook" | "email" }) {
  const known = typeof channel === "string" ? undefined : channel;
  const [events, setEvents] = useState<ReadonlySet<Subscribable>>(
    new Set(known?.events ?? NOTIFICATION_WORDS.map(({ id }) => id)),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    onSave({
      name: String(form.get("name") ?? "").trim(),
      enabled: form.get("enabled") === "on",
      events: NOTIFICATION_WORDS.flatMap(({ id }) => (events.has(id) ? [id] : [])),
      target: kind === "webhook" ? webhookTarget(form, known) : emailTarget(form),
    });
  };
  return (
    <form id="channel" onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name">
        {(control) => (
          <TextInput
            {...control}
            name="name"
            required
            maxLength={100}
            defaultValue={known?.name ?? ""}
            placeholder={kind === "webhook" ? "Operations in Slack" : "Signers by mail"}
          />
        )}
      </Field>
      {kind === "webhook" ? <WebhookFields known={known} /> : <EmailFields known={known} />}
      <fieldset className="grid gap-2">
        <legend className="mb-1 text-micro font-medium">Told of</legend>
        {NOTIFICATION_WORDS.map(({ id, title, hint }) => (
          <label key={id} className="flex items-start gap-2 text-small">
            <input
              type="checkbox"
              className="mt-0.5"
              checked={events.has(id)}
              onChange={({ target }) => {
                const next = new Set(events);
                if (target.checked) next.add(id);
                else next.delete(id);
                setEvents(next);
              }}
            />
            <span>
              {title} <span className="text-fg-3">{hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <label className="flex items-center gap-2 text-small">
        <input type="checkbox" name="enabled" defaultChecked={known?.enabled ?? true} />
        On
      </label>
      {error === undefined ? null : (
        <p role="alert" className="tone-failed text-small text-tone">
          {error}
        </p>
      )}
    </form>
  );
}
