"use client";

import type { FormEvent } from "react";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field, TextArea, TextInput } from "../ui/input";

export interface SetSecretDialogProps {
  /** Undefined: closed. Empty: a new secret. Else the name that gets a new value. */
  readonly name: string | undefined;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onSet: (name: string, value: string) => void;
  readonly onClose: () => void;
}

/** Takes a value in. It is not kept on the page and is never sent back. */
export function SetSecretDialog({ name, isBusy, error, onSet, onClose }: SetSecretDialogProps) {
  const isNew = name === "";
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    onSet(isNew ? String(form.get("name") ?? "").trim() : (name ?? ""), String(form.get("value") ?? ""));
  };
  return (
    <Dialog
      open={name !== undefined}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={isNew ? "New secret" : `New value of ${name ?? ""}`}
      description="It is encrypted, goes only into the calls that name it, and cannot be read again by anybody."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="set-secret" variant="primary" disabled={isBusy}>
            {isBusy ? "Setting it…" : "Set the secret"}
          </Button>
        </>
      }
    >
      <form id="set-secret" onSubmit={submit} autoComplete="off" className="flex flex-col gap-4">
        {isNew ? (
          <Field label="Name" required hint="Lower case letters, digits, - and _; a letter first.">
            {(control) => (
              <TextInput
                {...control}
                name="name"
                required
                maxLength={64}
                pattern="[a-z][a-z0-9_\-]*"
                placeholder="shop-token"
              />
            )}
          </Field>
        ) : null}
        <Field
          label="Value"
          required
          hint="At least 8 characters. For a user name and password: user:password."
          {...(error === undefined ? {} : { error })}
        >
          {(control) => (
            <TextArea
              {...control}
              name="value"
              required
              minLength={8}
              maxLength={8192}
              rows={3}
              spellCheck={false}
              className="mono"
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
