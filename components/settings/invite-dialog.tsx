"use client";

import { type FormEvent, useState } from "react";
import { Button } from "../ui/button";
import { CopyText } from "../ui/copy-text";
import { Dialog } from "../ui/dialog";
import { Field, TextInput } from "../ui/input";
import { type Role, RoleChoice } from "./role-choice";

export interface InviteDialogProps {
  readonly open: boolean;
  readonly isBusy: boolean;
  /** Set once the invitation is made: shown here and never again. */
  readonly token: string | undefined;
  readonly error: string | undefined;
  readonly onInvite: (invitation: { readonly email: string; readonly roles: Role[] }) => void;
  readonly onClose: () => void;
}

/** The token stands behind a `#`, which browsers send to no server: it is in no log on the way. */
const linkOf = (token: string): string => `${window.location.origin}/invitation#${token}`;

export function InviteDialog({ open, isBusy, token, error, onInvite, onClose }: InviteDialogProps) {
  const [roles, setRoles] = useState<ReadonlySet<Role>>(new Set(["engineer"]));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get("email") ?? "").trim();
    if (email !== "" && roles.size > 0) onInvite({ email, roles: [...roles] });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={token === undefined ? "Invite somebody" : "Send them this link"}
      description={
        token === undefined
          ? "You get a link to send them. It works once, for seven days, for this address only."
          : "It is shown this once. Whoever has it can use it, so send it to them alone."
      }
      footer={
        token === undefined ? (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form="invite" variant="primary" disabled={isBusy || roles.size === 0}>
              {isBusy ? "Making the link…" : "Make the link"}
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={onClose}>
            I have copied it
          </Button>
        )
      }
    >
      {token === undefined ? (
        <form id="invite" onSubmit={submit} className="flex flex-col gap-4">
          <Field label="E-mail address" {...(error === undefined ? {} : { error })}>
            {(control) => <TextInput {...control} name="email" type="email" required maxLength={254} />}
          </Field>
          <RoleChoice chosen={roles} onChange={setRoles} />
        </form>
      ) : (
        <CopyText text={linkOf(token)} />
      )}
    </Dialog>
  );
}
