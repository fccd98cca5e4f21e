"use client";

import { useState } from "react";
import { previewRetry } from "#kernel/run/retry-task";
import type { RunState, TaskState } from "#kernel/run/state";
import { useShell } from "../shell/shell-context";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { mayChangeRuns } from "./may-change-runs";
import { RerunDialog } from "./rerun-dialog";
import { RetryDialog } from "./retry-dialog";

export interface TaskActionsProps {
  /** The run as it is now: actions are never made on an earlier moment. */
  readonly state: RunState;
  readonly task: TaskState;
}

/** What an engineer can have done about one task. */
export function TaskActions({ state, task }: TaskActionsProps) {
  const { session } = useShell();
  const [asking, setAsking] = useState<"retry" | "arguments" | "rerun">();
  if (!mayChangeRuns(session) || state.importedFrom !== undefined) return null;
  const retry = previewRetry(state, task.id);
  const canRerun = state.planVersionNumber !== undefined && task.instance === undefined;
  const own = retry.ok && retry.value.again.includes(task.id);
  if (!retry.ok && !canRerun) return null;
  const close = () => setAsking(undefined);
  return (
    <div className="mt-2 flex flex-wrap gap-1.5">
      {retry.ok ? (
        <Button size="small" onClick={() => setAsking("retry")}>
          <Icon name="redo" small />
          Try again
        </Button>
      ) : null}
      {own ? (
        <Button size="small" onClick={() => setAsking("arguments")}>
          Try with other arguments
        </Button>
      ) : null}
      {canRerun ? (
        <Button size="small" variant="bare" onClick={() => setAsking("rerun")}>
          <Icon name="branch" small />
          Run again from here
        </Button>
      ) : null}
      {retry.ok && (asking === "retry" || asking === "arguments") ? (
        <RetryDialog
          state={state}
          task={task}
          preview={retry.value}
          withArguments={asking === "arguments"}
          onClose={close}
        />
      ) : null}
      {asking === "rerun" ? <RerunDialog state={state} taskId={task.id} onClose={close} /> : null}
    </div>
  );
}
