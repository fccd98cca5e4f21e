"use client";

import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { useEffect, useState } from "react";
import { runIdSchema } from "#kernel/ids";
import type { RunHistory } from "#kernel/view/history";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc-client/context";
import { refusalOf } from "../trpc-client/refusal-of";
import { createRequestIds, newRequestId } from "../trpc-client/request-id";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { FloatingRefusal } from "../ui/floating-refusal";
import { Icon } from "../ui/icon";
import { mayChangeRuns } from "./may-change-runs";
import { ReviseDialog } from "./revise-dialog";

export interface RunControlsProps {
  readonly runId: string;
  readonly history: RunHistory;
  readonly mode: "live" | "replay";
}

/** Revise, pause, resume, cancel. What they did is seen in the events; only a refusal is said here. */
export function RunControls({ runId, history, mode }: RunControlsProps) {
  const trpc = useTRPC();
  const state = history.tip;
  const { session } = useShell();
  const [revising, setRevising] = useState<number>();
  const [requestIds] = useState(createRequestIds);
  const onSuccess = () => requestIds.answered();
  const pause = useMutation(trpc.runs.pause.mutationOptions({ onSuccess }));
  const resume = useMutation(trpc.runs.resume.mutationOptions({ onSuccess }));
  const cancel = useMutation(trpc.runs.cancel.mutationOptions());
  // What came of a request whose answer was lost is seen here too: the next press is a request of its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each change of the status
  useEffect(() => requestIds.answered(), [requestIds, state.status]);
  const [asking, setAsking] = useState(false);
  const [requestId] = useState(newRequestId);
  const id = runIdSchema.parse(runId);
  if (state.status === "finished") {
    return mode === "live" ? (
      <Button variant="primary" asChild>
        <Link href={`/replay/${runId}`}>
          <Icon name="play" />
          Replay
        </Link>
      </Button>
    ) : null;
  }
  // Each press forgets what became of the ones before: the refusal that is shown is the answer to the last.
  const forget = () => {
    for (const each of [pause, resume, cancel]) each.reset();
  };
  const error = pause.error ?? resume.error ?? cancel.error;
  const cancelling = state.cancelledBy !== undefined;
  return (
    <>
      {error === null ? null : <FloatingRefusal message={refusalOf(error) ?? ""} onDismiss={forget} />}
      {mayChangeRuns(session) && state.revision > 0 ? (
        <Button onClick={() => setRevising(0)} disabled={cancelling} aria-label="Revise plan">
          <Icon name="pen" />
          <span className="max-md:sr-only">Revise plan</span>
        </Button>
      ) : null}
      {revising === undefined ? null : (
        <ReviseDialog
          key={revising}
          history={history}
          onClose={() => setRevising(undefined)}
          onRestart={() => setRevising(revising + 1)}
        />
      )}
      {state.status === "paused" ? (
        <Button
          onClick={() => {
            forget();
            resume.mutate({ runId: id, requestId: requestIds.idFor("resume") });
          }}
          disabled={resume.isPending}
        >
          <Icon name="play" />
          <span className="max-md:sr-only">Resume</span>
        </Button>
      ) : (
        <Button
          onClick={() => {
            forget();
            pause.mutate({ runId: id, requestId: requestIds.idFor("pause") });
          }}
          disabled={pause.isPending || cancelling}
        >
          <Icon name="pause" />
          <span className="max-md:sr-only">Pause</span>
        </Button>
      )}
      <Button variant="danger" onClick={() => setAsking(true)} disabled={cancel.isPending || cancelling}>
        {cancelling ? (
          "Cancelling…"
        ) : (
          <span>
            Cancel<span className="max-md:sr-only"> run</span>
          </span>
        )}
      </Button>
      <CancelDialog
        open={asking}
        running={state.inFlight.size}
        openTasks={state.openTasks}
        onClose={() => setAsking(false)}
        onConfirm={(reason) => {
          setAsking(false);
          forget();
          cancel.mutate({ runId: id, requestId, ...(reason === "" ? {} : { reason }) });
        }}
      />
    </>
  );
}

interface CancelDialogProps {
  readonly open: boolean;
  readonly running: number;
  readonly openTasks: number;
  readonly onClose: () => void;
  readonly onConfirm: (reason: string) => void;
}

function CancelDialog({ open, running, openTasks, onClose, onConfirm }: CancelDialogProps) {
  const [reason, setReason] = useState("");
  return (
    <Dialog open={open} onOpenChange={(next) => (next ? undefined : onClose())} title="Cancel this run?">
      <form
        className="grid gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm(reason.trim());
        }}
      >
        <p className="text-small text-fg-2">
          Cancelling is final. {openTasks} {openTasks === 1 ? "task" : "tasks"} will not run;{" "}
          {running === 0
            ? "no call is in progress."
            : `${running} ${running === 1 ? "call" : "calls"} in progress will be told to stop.`}
        </p>
        <label className="grid gap-1 text-micro font-medium text-fg-3">
          Reason, for the record
          <span className="input">
            <input value={reason} maxLength={1_000} onChange={(event) => setReason(event.target.value)} />
          </span>
        </label>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Keep it running</Button>
          <Button type="submit" variant="danger">
            Cancel the run
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
