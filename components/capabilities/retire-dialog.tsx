"use client";

import { useState } from "react";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { Field, TextInput } from "../ui/input";

export interface RetireDialogProps {
  readonly name: string;
  /** Without a version: all of them. */
  readonly which: { readonly version?: number };
  readonly plans: number;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onClose: () => void;
  readonly onConfirm: (reason: string) => void;
}

/** Says what retiring does before it is done. */
export function RetireDialog({ name, which, plans, onConfirm, ...rest }: RetireDialogProps) {
  const [reason, setReason] = useState("");
  const named = plans === 0 ? "No plan names it now." : plans === 1 ? "One plan names it." : `${plans} plans name it.`;
  return (
    <ConfirmDialog
      {...rest}
      title={`Retire ${which.version === undefined ? name : `version ${which.version}`}?`}
      description={`No plan finds it from then on, and runs under way are refused their further calls of it. ${named} It can be put back into use.`}
      confirm="Retire"
      onConfirm={() => onConfirm(reason.trim())}
    >
      <Field label="Why" className="mb-2">
        {(control) => (
          <TextInput {...control} value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
        )}
      </Field>
    </ConfirmDialog>
  );
}
