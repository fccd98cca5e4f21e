"use client";

import Link from "next/link";
import { useState } from "react";
import type { RunHold } from "@/server/runtime/retention";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { EmptyState } from "../ui/empty-state";
import { Field, TextInput } from "../ui/input";
import { Refusal } from "../ui/refusal";
import { RelativeTime } from "../ui/relative-time";
import { SettingsBox } from "./settings-page";

export interface RetentionHoldsProps {
  readonly holds: readonly RunHold[];
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly releaseError: string | undefined;
  readonly onHold: (runId: string, reason: string, onDone: () => void) => void;
  readonly onRelease: (runId: string) => void;
}

/** Runs that are kept whole whatever the policy says, and why. */
export function RetentionHolds({ holds, isBusy, error, releaseError, onHold, onRelease }: RetentionHoldsProps) {
  const [isPlacing, setIsPlacing] = useState(false);
  const place = <Button onClick={() => setIsPlacing(true)}>Hold a run</Button>;
  return (
    <SettingsBox
      title="Legal holds"
      hint="A held run is kept whole until it is released."
      actions={holds.length === 0 ? null : place}
    >
      <Refusal message={releaseError} className="border-b border-hairline px-4 py-2" />
      {holds.length === 0 ? (
        <EmptyState icon="lock" title="No run is held" action={place}>
          Hold a run that somebody may still ask about, whatever the policy says.
        </EmptyState>
      ) : (
        <ul>
          {holds.map((hold) => (
            <li
              key={hold.runId}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-hairline px-4 py-2.5 last:border-b-0"
            >
              <div className="min-w-0 flex-1 basis-56">
                <Link href={`/replay/${hold.runId}`} className="link font-medium break-words">
                  {hold.runName}
                </Link>
                <p className="text-small break-words text-fg-2">{hold.reason}</p>
              </div>
              <span className="text-small text-fg-3">
                {hold.placedBy}, <RelativeTime at={hold.placedAt} />
              </span>
              <Button aria-label={`Release ${hold.runName}`} onClick={() => onRelease(hold.runId)}>
                Release
              </Button>
            </li>
          ))}
        </ul>
      )}
      <HoldDialog
        open={isPlacing}
        isBusy={isBusy}
        error={error}
        onClose={() => setIsPlacing(false)}
        onHold={(runId, reason) => onHold(runId, reason, () => setIsPlacing(false))}
      />
    </SettingsBox>
  );
}

interface HoldDialogProps {
  readonly open: boolean;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onClose: () => void;
  readonly onHold: (runId: string, reason: string) => void;
}

function HoldDialog({ open, isBusy, error, onClose, onHold }: HoldDialogProps) {
  const [run, setRun] = useState("");
  const [reason, setReason] = useState("");
  const runId = runIdIn(run);
  const isComplete = runId !== undefined && reason.trim() !== "";
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title="Hold a run"
      description="It is kept whole until somebody releases it. Both are entered in the audit."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={!isComplete || isBusy}
            onClick={() => runId !== undefined && onHold(runId, reason.trim())}
          >
            Hold it
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Field label="Run" hint="Its id, or the address of its page." {...(error === undefined ? {} : { error })}>
          {(control) => <TextInput {...control} value={run} onChange={(event) => setRun(event.target.value)} />}
        </Field>
        <Field label="Why it is held">
          {(control) => (
            <TextInput
              {...control}
              value={reason}
              maxLength={500}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}

/** The id in what somebody typed or pasted: the last word of a path, without what follows it. */
function runIdIn(text: string): string | undefined {
  const word = text.trim().split(/[?#]/)[0]?.split("/").at(-1)?.trim();
  return word === "" ? undefined : word;
}
