"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { runIdSchema, type TaskId } from "#kernel/ids";
import type { RunState } from "#kernel/run/state";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { createRequestIds } from "../trpc-client/request-id";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { SkeletonRows } from "../ui/skeleton";
import { RepeatEffects, TaskNames } from "./task-names";

export interface RerunDialogProps {
  readonly state: RunState;
  readonly taskId: TaskId;
  readonly onClose: () => void;
}

/** A new run of the same plan version from one step on: says exactly what will run again and what will not. */
export function RerunDialog({ state, taskId, onClose }: RerunDialogProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const [accepted, setAccepted] = useState(false);
  const request = { runId: runIdSchema.parse(state.runId), fromTaskIds: [taskId] };
  const preview = useQuery(trpc.runs.previewRerun.queryOptions(request, { staleTime: 0 }));
  const [requestIds] = useState(createRequestIds);
  const rerun = useMutation(
    trpc.runs.rerun.mutationOptions({ onSuccess: ({ runId }) => router.push(`/runs/${runId}`) }),
  );
  const send = () => {
    const asked = { ...request, repeatEffects: accepted };
    rerun.mutate({ ...asked, requestId: requestIds.idFor(asked) });
  };
  const problem = rerun.error ?? preview.error;
  const plan = preview.data;
  const effects = plan?.carried.filter(({ sideEffect }) => sideEffect === "committed").length ?? 0;
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Run again from “${taskId}”?`}
      description={
        plan === undefined
          ? "A new run of the same plan."
          : `A new run of plan v${plan.planVersion}, as it was started. This run stays as it is; approvals are asked for again.`
      }
      footer={
        <>
          <Button onClick={onClose}>Leave it</Button>
          <Button
            variant="primary"
            disabled={plan === undefined || rerun.isPending || (plan.mayRepeat.length > 0 && !accepted)}
            onClick={() => send()}
          >
            Start the new run
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {plan === undefined && preview.error === null ? <SkeletonRows rows={4} label="Asking what would run" /> : null}
        {plan === undefined ? null : (
          <>
            <TaskNames title="Will run again" ids={plan.again} />
            <TaskNames
              title="Will not run: the results are carried over"
              ids={plan.carried.map((each) => each.taskId)}
              {...(effects === 0 ? {} : { note: `${effects} of them changed something, which is not repeated.` })}
            />
            {plan.carried.length === 0 ? (
              <p className="text-small text-fg-2">No result is carried over: everything runs again.</p>
            ) : null}
            <RepeatEffects ids={plan.mayRepeat} accepted={accepted} onAccept={setAccepted} />
          </>
        )}
        {problem === null ? null : (
          <p role="alert" className="tone-failed text-small text-tone">
            {toApiError(problem).message}
          </p>
        )}
      </div>
    </Dialog>
  );
}
