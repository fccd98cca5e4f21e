"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { runIdSchema } from "#kernel/ids";
import type { RetryPreview } from "#kernel/run/retry-task";
import type { RunState, TaskState } from "#kernel/run/state";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { createRequestIds } from "../trpc-client/request-id";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field, TextInput } from "../ui/input";
import { readArguments } from "./read-arguments";
import { RepeatEffects, TaskNames } from "./task-names";

export interface RetryDialogProps {
  readonly state: RunState;
  readonly task: TaskState;
  readonly preview: RetryPreview;
  readonly withArguments: boolean;
  readonly onClose: () => void;
}

/** Says what will be tried again and what will not, before anything is. */
export function RetryDialog({ state, task, preview, withArguments, onClose }: RetryDialogProps) {
  const trpc = useTRPC();
  const { again, reopened, mayRepeat } = preview;
  const [text, setText] = useState(() => JSON.stringify(task.task.arguments, undefined, 2));
  const [reason, setReason] = useState("");
  const [accepted, setAccepted] = useState(false);
  const [requestIds] = useState(createRequestIds);
  const retry = useMutation(trpc.runs.retryTask.mutationOptions({ onSuccess: onClose }));
  const read = withArguments ? readArguments(text) : undefined;
  const refusal = retry.error === null ? undefined : toApiError(retry.error);
  const succeeded = [...state.tasks.values()].filter(({ status }) => status === "succeeded").length;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (read !== undefined && "problem" in read) return;
    const asked = {
      runId: runIdSchema.parse(state.runId),
      taskId: task.id,
      repeatEffects: accepted,
      ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
      ...(read === undefined ? {} : { arguments: read.value }),
    };
    retry.mutate({ ...asked, requestId: requestIds.idFor(asked) });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={withArguments ? `Try “${task.id}” with other arguments?` : `Try “${task.id}” again?`}
      description={
        withArguments
          ? "The task gets a new definition, checked like any revision; where it asked for approval, it asks again."
          : "The same call is made once more, as a new attempt. Approvals are asked for again."
      }
    >
      <form className="grid gap-3" onSubmit={send}>
        <TaskNames title="Tried again" ids={again} />
        <TaskNames title="Judged anew, since they ended only because of it" ids={reopened} />
        <p className="text-small text-fg-2">
          {succeeded === 0
            ? "Nothing has succeeded yet."
            : `${succeeded} ${succeeded === 1 ? "task that has" : "tasks that have"} succeeded will not run again.`}
        </p>
        {read === undefined ? null : (
          <Field label="Arguments" required {...("problem" in read ? { error: read.problem } : {})}>
            {(control) => (
              <textarea
                {...control}
                spellCheck={false}
                rows={Math.min(12, Math.max(3, text.split("\n").length))}
                className="input mono block resize-y text-micro"
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
        )}
        <Field label="Reason, for the record">
          {(control) => (
            <TextInput
              {...control}
              value={reason}
              maxLength={1_000}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <RepeatEffects ids={mayRepeat} accepted={accepted} onAccept={setAccepted} />
        {refusal === undefined ? null : (
          <div role="alert" className="tone-failed text-small text-tone">
            <p>{refusal.message}</p>
            {(refusal.details.problems ?? []).slice(0, 5).map((problem) => (
              <p key={`${problem.pointer} ${problem.message}`}>{problem.message}</p>
            ))}
          </div>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Leave it</Button>
          <Button
            type="submit"
            variant="primary"
            disabled={
              retry.isPending || (mayRepeat.length > 0 && !accepted) || (read !== undefined && "problem" in read)
            }
          >
            Try again
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
