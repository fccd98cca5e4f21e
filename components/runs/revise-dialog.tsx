"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { runIdSchema } from "#kernel/ids";
import type { Plan } from "#kernel/plan/plan";
import { type ReplanReason, replanReasonSchema } from "#kernel/run/event";
import type { RunState } from "#kernel/run/state";
import { unfinishedPlan, unfinishedTasks } from "#kernel/run/unfinished";
import { REPLAN_REASON_WORDS } from "#kernel/view/event-text";
import type { RunHistory } from "#kernel/view/history";
import { type PlanTextFormat, readPlan, writePlan } from "../graph/plan-text";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { createRequestIds } from "../trpc-client/request-id";
import { Banner } from "../ui/banner";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field, TextInput } from "../ui/input";
import { Segmented } from "../ui/segmented";
import { Select } from "../ui/select";
import { QuickChanges } from "./quick-changes";
import { RevisionOutlook } from "./revision-outlook";
import { revisionTriggers } from "./revision-triggers";
import { useRevisionPreview } from "./use-revision-preview";

export interface ReviseDialogProps {
  readonly history: RunHistory;
  readonly onClose: () => void;
  /** Starts over on what is in force now. */
  readonly onRestart: () => void;
}

/**
 * The unfinished part of a live run as a plan to edit: as text, or by quick changes. What it would change, what is
 * wrong with it and who would have to sign is asked of the server while one types; nothing changes before "Revise".
 */
export function ReviseDialog({ history, onClose, onRestart }: ReviseDialogProps) {
  const trpc = useTRPC();
  const [base] = useState(() => baseOf(history.tip));
  const gateTask = (gateId: string) => history.tip.gates.get(gateId)?.request.taskId;
  const [{ triggers, latest }] = useState(() => revisionTriggers(history.events, gateTask));
  const [format, setFormat] = useState<PlanTextFormat>("yaml");
  const [text, setText] = useState(() => writePlan(base.plan, "yaml"));
  const [cancelRunning, setCancelRunning] = useState<readonly string[]>([]);
  const [reason, setReason] = useState<ReplanReason>(latest === base.seenSeq ? "new_information" : "path_blocked");
  const [triggerSeq, setTriggerSeq] = useState(latest);
  const [message, setMessage] = useState("");
  const read = readPlan(text, format);
  const plan = "plan" in read ? read.plan : undefined;
  const request = { runId: base.runId, plan, reason, triggerSeq, cancelRunning: cancelRunning as never[] };
  const preview = useRevisionPreview(request);
  const [requestIds] = useState(createRequestIds);
  const revise = useMutation(trpc.runs.revise.mutationOptions({ onSuccess: onClose }));
  const refusal = revise.error === null ? undefined : toApiError(revise.error);
  const moved = history.tip.revision !== base.revision || (history.tip.proposal?.event.seq ?? 0) > base.seenSeq;

  const show = (next: Plan) => setText(writePlan(next, format));
  const send = () => {
    if (plan === undefined) return;
    const asked = {
      ...request,
      plan,
      expectedRevision: base.revision,
      seenSeq: base.seenSeq,
      ...(message.trim() === "" ? {} : { message: message.trim() }),
    };
    revise.mutate({ ...asked, requestId: requestIds.idFor(asked) });
  };
  const needsApproval = preview.data?.ok === true && preview.data.approvals.revision !== undefined;
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Revise the plan"
      description={`Revision ${base.revision} is in force. What has ended stays as it is; this is the rest.`}
      footer={
        <>
          <Button onClick={onClose}>Keep the plan</Button>
          <Button
            variant="primary"
            onClick={send}
            disabled={revise.isPending || moved || preview.data?.ok !== true || preview.isStale}
          >
            {needsApproval ? "Ask for approval" : "Revise"}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {moved || refusal?.code === "revision_conflict" ? (
          <Banner
            tone="unknown"
            icon="warning"
            className="rounded-box border"
            action={
              <Button size="small" onClick={onRestart}>
                Start over
              </Button>
            }
          >
            {refusal?.message ?? "The plan was revised while you were editing."} Copy what you need, then start over.
          </Banner>
        ) : refusal === undefined ? null : (
          <p role="alert" className="tone-failed text-small text-tone">
            {refusal.message}
          </p>
        )}
        <div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
          <Field label="Reason" required>
            {({ id }) => (
              <Select
                id={id}
                value={reason}
                options={replanReasonSchema.options.map((value) => ({ value, label: REPLAN_REASON_WORDS[value] }))}
                onValueChange={setReason}
              />
            )}
          </Field>
          <Field label="Set off by event" required>
            {({ id }) => (
              <Select
                id={id}
                value={String(triggerSeq)}
                options={triggers.map(({ seq, label }) => ({ value: String(seq), label }))}
                onValueChange={(value) => setTriggerSeq(Number(value))}
              />
            )}
          </Field>
        </div>
        <Field label="In words, for the ledger">
          {(control) => (
            <TextInput
              {...control}
              value={message}
              maxLength={1_000}
              onChange={(event) => setMessage(event.target.value)}
            />
          )}
        </Field>
        <div className="grid grid-cols-[minmax(0,1fr)_300px] gap-4 max-lg:grid-cols-1">
          <section aria-label="The rest of the plan" className="grid content-start gap-2">
            <div className="flex items-center gap-2">
              <h3 className="flex-1 text-body font-semibold">The rest of the plan</h3>
              <Segmented
                label="Format"
                value={format}
                options={[
                  { value: "yaml", label: "YAML" },
                  { value: "json", label: "JSON" },
                ]}
                onValueChange={(next) => {
                  if (plan !== undefined) setText(writePlan(plan, next));
                  setFormat(next);
                }}
              />
            </div>
            <textarea
              aria-label="The rest of the plan as text"
              aria-invalid={plan === undefined}
              spellCheck={false}
              className="input mono block h-72 resize-y overflow-auto text-micro leading-[17px]"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            {"problems" in read ? (
              <ul className="tone-failed grid gap-0.5 text-micro text-tone" aria-label="Problems of the text">
                {read.problems.slice(0, 5).map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            ) : null}
            {plan === undefined ? null : (
              <QuickChanges
                plan={plan}
                running={base.running}
                cancelRunning={cancelRunning}
                onPlan={show}
                onCancelRunning={setCancelRunning}
              />
            )}
          </section>
          <RevisionOutlook preview={preview} hasText={plan !== undefined} />
        </div>
      </div>
    </Dialog>
  );
}

/** What the editor started from: a conflict is judged by it. */
function baseOf(state: RunState) {
  const running = new Set(
    unfinishedTasks(state)
      .filter(({ status }) => status === "dispatched" || status === "running" || status === "unknown_outcome")
      .map(({ id }) => id as string),
  );
  const plan: Plan = unfinishedPlan(state) ?? { format: "planwright/v1", name: state.name, tasks: [], completion: [] };
  return { runId: runIdSchema.parse(state.runId), revision: state.revision, seenSeq: state.lastSeq, plan, running };
}
