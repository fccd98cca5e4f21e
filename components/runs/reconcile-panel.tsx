"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { lookUpOf } from "#kernel/run/look-up";
import type { ReconcileAction } from "#kernel/run/reconcile";
import type { RunState, TaskState } from "#kernel/run/state";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { createRequestIds } from "../trpc-client/request-id";
import { Button } from "../ui/button";
import { Field, TextArea } from "../ui/input";

export interface ReconcilePanelProps {
  readonly state: RunState;
  readonly task: TaskState;
}

interface Choice {
  readonly action: ReconcileAction;
  readonly label: string;
  readonly means: string;
}

const CHOICES: readonly Choice[] = [
  {
    action: "look_up",
    label: "Look it up now",
    means: "Asks the service whether the call took effect. Changes nothing.",
  },
  { action: "done", label: "Mark as done", means: "It took effect. The task succeeds with the output you give." },
  { action: "not_done", label: "Mark as not done", means: "It took no effect. The task fails." },
  { action: "retry", label: "Call it again", means: "It may have taken effect already: then it happens twice." },
];

/** What a person can say about a call whose answer was lost. Each is recorded with its reason, in their name. */
export function ReconcilePanel({ state, task }: ReconcilePanelProps) {
  const trpc = useTRPC();
  const [action, setAction] = useState<ReconcileAction>();
  const [reason, setReason] = useState("");
  const [output, setOutput] = useState("null");
  const [problem, setProblem] = useState<string>();
  const [requestIds] = useState(createRequestIds);
  const reconcile = useMutation(trpc.runs.reconcile.mutationOptions());
  const attempt = task.attempts.at(-1)?.attempt ?? 1;
  const canLookUp = lookUpOf(state, task) !== undefined;
  const asked = task.lookUp?.attempt === attempt ? task.lookUp : undefined;
  const error = problem ?? (reconcile.error === null ? undefined : toApiError(reconcile.error).message);
  const send = () => {
    if (action === undefined) return;
    const parsed = action === "done" ? parseJson(output) : { ok: true as const, value: undefined };
    if (!parsed.ok) {
      setProblem("The output is not JSON.");
      return;
    }
    setProblem(undefined);
    const said = { runId: state.runId as never, taskId: task.id, attempt, action, reason };
    const request = { ...said, ...(parsed.value === undefined ? {} : { output: parsed.value }) };
    reconcile.mutate(
      { ...request, requestId: requestIds.idFor(request) },
      {
        onSuccess: () => {
          requestIds.answered();
          setAction(undefined);
          setReason("");
        },
      },
    );
  };
  return (
    <section className="section" aria-labelledby="reconcile-heading">
      <h3 id="reconcile-heading">What became of it?</h3>
      <p className="mb-2 text-small text-fg-2">
        The call may have taken effect; its answer was lost. It is not called again unless somebody says so.
        {asked === undefined
          ? ""
          : asked.requestedBy === undefined
            ? ` Looked up ${asked.made === 1 ? "once" : `${asked.made} times`}, and still not known.`
            : ` ${asked.requestedBy.name} has asked for a look-up.`}
      </p>
      <fieldset className="grid gap-1.5">
        <legend className="sr-only">What to do</legend>
        {CHOICES.filter((choice) => choice.action !== "look_up" || canLookUp).map((choice) => (
          <label
            key={choice.action}
            className="flex cursor-pointer items-start gap-2 rounded-control border border-hairline px-2.5 py-1.5 text-small has-checked:border-accent-bd has-checked:bg-accent-bg"
          >
            <input
              type="radio"
              name="reconcile"
              className="mt-1"
              checked={action === choice.action}
              onChange={() => setAction(choice.action)}
            />
            <span className="min-w-0">
              <span className="font-medium">{choice.label}</span>
              <span className="block text-fg-2">{choice.means}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {action === undefined ? null : (
        <form
          className="mt-2.5 grid gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          {action === "done" ? (
            <Field label="Output" note="JSON" hint="What the call would have answered; tasks behind it read it.">
              {(control) => (
                <TextArea
                  {...control}
                  rows={3}
                  className="font-mono"
                  value={output}
                  onChange={(event) => setOutput(event.target.value)}
                />
              )}
            </Field>
          ) : null}
          <Field label="Why" required hint="Kept in the run and in the audit, in your name.">
            {(control) => (
              <TextArea
                {...control}
                rows={2}
                maxLength={2_000}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
          {error === undefined ? null : (
            <p role="alert" className="tone-failed text-small text-tone">
              {error}
            </p>
          )}
          <div className="flex justify-end gap-2">
            <Button onClick={() => setAction(undefined)}>Not now</Button>
            <Button
              type="submit"
              variant={action === "retry" ? "danger" : "primary"}
              disabled={reason.trim() === "" || reconcile.isPending}
            >
              {reconcile.isPending ? "Sending…" : (CHOICES.find((choice) => choice.action === action)?.label ?? "Send")}
            </Button>
          </div>
        </form>
      )}
    </section>
  );
}

function parseJson(text: string): { ok: true; value: never } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) as never };
  } catch {
    return { ok: false };
  }
}
