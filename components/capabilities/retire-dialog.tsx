"use client";

import { useState } from "react";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field, TextInput } from "../ui/input";

export interface RetireDialogProps {
  readonly name: string;
  /** Undefined: closed. Without a version: all of them. */
  readonly which: { readonly version?: number } | undefined;
  readonly plans: number;
  readonly onCancel: () => void;
  readonly onConfirm: (which: { readonly version?: number }, reason: string) => void;
}

/** Says what retiring does before it is done. */
export function RetireDialog({ name, which, plans, onCancel, onConfirm }: RetireDialogProps) {
  const [reason, setReason] = useState("");
  const what = which?.version === undefined ? name : `version ${which.version}`;
  return (
    <Dialog
      open={which !== undefined}
      onOpenChange={(open) => {
        if (!open) onCancel();
      }}
      title={`Retire ${what}?`}
      footer={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button variant="danger" onClick={() => onConfirm(which ?? {}, reason.trim())}>
            Retire
          </Button>
        </>
      }
    >
      <p className="mb-3 text-small text-fg-2">
        No plan finds it from then on, and runs under way are refused their further calls of it.{" "}
        {plans === 0 ? "No plan names it now." : plans === 1 ? "One plan names it." : `${plans} plans name it.`} It can
        be put back into use.
      </p>
      <Field label="Why">
        {(control) => (
          <TextInput {...control} value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
        )}
      </Field>
    </Dialog>
  );
}
