"use client";

import { useState } from "react";
import { Button } from "../ui/button";
import { Field, TextArea } from "../ui/input";

export interface RejectFormProps {
  readonly sending: boolean;
  readonly onCancel: () => void;
  readonly onReject: (reason: string) => void;
}

/** A rejection says why: whoever asked has to know what to change. */
export function RejectForm({ sending, onCancel, onReject }: RejectFormProps) {
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const empty = reason.trim() === "";
  return (
    <form
      className="grid gap-2 border-b border-hairline px-6 py-3 max-md:px-3"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!empty) onReject(reason.trim());
      }}
    >
      <Field
        label="Reason"
        required
        {...(tried && empty
          ? { error: "Say why: whoever asked has to know what to change." }
          : { hint: "Whoever asked has to know what to change." })}
      >
        {(control) => (
          <TextArea
            {...control}
            autoFocus
            rows={2}
            value={reason}
            maxLength={2_000}
            invalid={tried && empty}
            onChange={(event) => setReason(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") onCancel();
            }}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Keep it open</Button>
        <Button type="submit" variant="danger" disabled={sending}>
          Reject
        </Button>
      </div>
    </form>
  );
}
