"use client";

import { useState } from "react";
import { Button } from "../ui/button";
import { Field, TextInput } from "../ui/input";

export interface RevokeFormProps {
  /** How far it had come: what taking it back does is said before it is done. */
  readonly approved: boolean;
  readonly sending: boolean;
  readonly onCancel: () => void;
  readonly onRevoke: (reason: string) => void;
}

/** An approval can be taken back until what it lets run is dispatched. */
export function RevokeForm({ approved, sending, onCancel, onRevoke }: RevokeFormProps) {
  const [reason, setReason] = useState("");
  return (
    <form
      className="grid gap-2 border-b border-hairline px-6 py-3 max-md:px-3"
      onSubmit={(event) => {
        event.preventDefault();
        onRevoke(reason.trim());
      }}
    >
      <p className="text-small text-fg-2">
        {approved
          ? "It does not start. The same request is asked anew, and everybody who signed has to sign again."
          : "This round becomes void. The same request is asked anew, and everybody who signed has to sign again."}
      </p>
      <Field label="Why" hint="Those who sign next see it.">
        {(control) => (
          <TextInput
            {...control}
            autoFocus
            value={reason}
            maxLength={2_000}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Let it stand</Button>
        <Button type="submit" variant="danger" disabled={sending}>
          Take it back
        </Button>
      </div>
    </form>
  );
}
