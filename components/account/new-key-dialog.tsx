"use client";

import { type FormEvent, useState } from "react";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icon";
import { Field, TextInput } from "../ui/input";

export interface NewKeyDialogProps {
  readonly open: boolean;
  readonly isBusy: boolean;
  /** Set once the key is made; shown here and never again. */
  readonly secret: string | undefined;
  readonly error: string | undefined;
  readonly onCreate: (key: { readonly name: string; readonly maySign: boolean }) => void;
  readonly onClose: () => void;
}

export function NewKeyDialog({ open, isBusy, secret, error, onCreate, onClose }: NewKeyDialogProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const name = String(form.get("name") ?? "").trim();
    if (name !== "") onCreate({ name, maySign: form.get("maySign") === "on" });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={secret === undefined ? "New key" : "Copy the key now"}
      description={
        secret === undefined
          ? "Name it after the place that will use it."
          : "It is shown this once. We keep only its fingerprint."
      }
      footer={
        secret === undefined ? (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form="new-key" variant="primary" disabled={isBusy}>
              {isBusy ? "Making it…" : "Make the key"}
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={onClose}>
            I have copied it
          </Button>
        )
      }
    >
      {secret === undefined ? (
        <form id="new-key" onSubmit={submit} className="flex flex-col gap-3">
          <Field label="Name" {...(error === undefined ? {} : { error })}>
            {(control) => <TextInput {...control} name="name" maxLength={100} required placeholder="Build server" />}
          </Field>
          <label className="flex items-start gap-2 text-small">
            <input type="checkbox" name="maySign" className="mt-0.5" />
            <span>
              May sign gates in my name
              <span className="block text-fg-3">Leave it off for agents: what they ask for, a person should sign.</span>
            </span>
          </label>
        </form>
      ) : (
        <Secret secret={secret} />
      )}
    </Dialog>
  );
}

function Secret({ secret }: { readonly secret: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    setIsCopied(true);
  };
  return (
    <div className="flex items-center gap-2 rounded-box border border-hairline bg-sunken p-2">
      <code className="mono min-w-0 flex-1 break-all">{secret}</code>
      <Button size="small" onClick={() => void copy()}>
        <Icon name={isCopied ? "check" : "copy"} /> {isCopied ? "Copied" : "Copy"}
      </Button>
    </div>
  );
}
