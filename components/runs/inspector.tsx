"use client";

import Link from "next/link";
import { useState } from "react";
import { resolveTaskArguments } from "#kernel/run/action";
import type { RunEvent } from "#kernel/run/event";
import type { AttemptState, GateStatus, TaskState } from "#kernel/run/state";
import { aftermathOf } from "#kernel/view/aftermath";
import { capabilityOf, executedMs } from "#kernel/view/duration";
import { describeEvent } from "#kernel/view/event-text";
import { formatCost, formatDuration } from "#kernel/view/format";
import type { Frame } from "#kernel/view/frame";
import { argumentRows } from "#kernel/view/gate-arguments";
import type { RunHistory } from "#kernel/view/history";
import { displayStatusOf, STATUS_ENCODING } from "../graph/encoding";
import { HoldChip, StatusPill } from "../graph/status";
import { Button, IconButton } from "../ui/button";
import { Icon } from "../ui/icon";
import { JsonText } from "../ui/json-text";
import { TabPanel, Tabs } from "../ui/tabs";
import { ArgumentList } from "./argument-list";
import { ArtifactView } from "./artifact-view";
import { EVENT_ICONS, toneOfEvent } from "./event-icon";
import { ReconcilePanel } from "./reconcile-panel";
import { TaskActions } from "./task-actions";

export interface InspectorProps {
  readonly frame: Frame;
  readonly history: RunHistory;
  readonly taskId: string;
  readonly gateTask: (gateId: string) => string | undefined;
  readonly onSelectTask: (taskId: string) => void;
  readonly onSelectEvent: (seq: number) => void;
  readonly onClose: () => void;
}

/** One task at the moment: what came back, with what it was called, what it set off. */
export function Inspector(props: InspectorProps) {
  const { frame, history, taskId, onClose } = props;
  const [tab, setTab] = useState("observation");
  const task = frame.state.tasks.get(taskId);
  if (task === undefined) {
    return (
      <section aria-label="Task" className="p-3">
        <div className="flex items-center gap-2">
          <h2 className="flex-1 text-lead font-semibold">{taskId}</h2>
          <IconButton icon="cross" size="small" label="Close" onClick={onClose} />
        </div>
        <p className="mt-2 text-small text-fg-3">Not in the plan at this moment. A later revision adds it.</p>
      </section>
    );
  }
  const waiting = frame.waiting.find((each) => each.taskId === taskId);
  const retries = task.task.retry?.maxAttempts;
  return (
    <section aria-label="Task" className="flex min-h-0 flex-1 flex-col">
      <header className="px-3 pt-2.5 pb-1.5">
        <div className="flex items-center gap-2">
          <h2 className="cut flex-1 text-lead font-semibold" title={task.task.title ?? task.id}>
            {task.task.title ?? task.id}
          </h2>
          <StatusPill status={displayStatusOf(task.status, waiting?.hold?.type)} />
          <IconButton icon="cross" size="small" label="Close" onClick={onClose} />
        </div>
        <p className="cut font-mono text-micro text-fg-2">
          {task.id} · {task.task.capability}
          {task.attempts.length > 0
            ? ` · attempt ${task.attempts.length}${retries === undefined ? "" : ` of ${retries}`}`
            : ""}
        </p>
        {waiting?.hold === undefined ? null : (
          <p className="mt-1.5 flex flex-wrap items-center gap-1.5 text-small text-fg-2">
            <HoldChip hold={waiting.hold.type} />
            {waiting.text}
          </p>
        )}
        <GateLink task={task} frame={frame} />
        {frame.seq === history.tip.lastSeq ? <TaskActions state={history.tip} task={task} /> : null}
        <Provenance task={task} />
      </header>
      <Tabs
        label="Task details"
        value={tab}
        onValueChange={setTab}
        items={[
          { id: "observation", label: "Observation" },
          { id: "arguments", label: "Arguments" },
          { id: "raw", label: "Raw" },
        ]}
      >
        <TabPanel id="observation">
          <ObservationPanel {...props} task={task} />
        </TabPanel>
        <TabPanel id="arguments" className="p-3">
          <ArgumentsPanel frame={frame} task={task} />
        </TabPanel>
        <TabPanel id="raw" className="p-3">
          <RawPanel {...props} task={task} />
        </TabPanel>
      </Tabs>
    </section>
  );
}

/** That a result is another run's, and how often a person had the task tried again. */
function Provenance({ task }: { readonly task: TaskState }) {
  const { carriedFrom, earlierEnds = [] } = task;
  if (carriedFrom === undefined && earlierEnds.length === 0) return null;
  return (
    <p className="mt-1.5 text-small text-fg-2">
      {carriedFrom === undefined ? null : (
        <>
          Result of{" "}
          <Link href={`/replay/${carriedFrom.runId}?t=${carriedFrom.seq}`} className="underline">
            an earlier run
          </Link>
          , not called here.
        </>
      )}
      {earlierEnds.length === 0
        ? null
        : ` Ended as ${earlierEnds.map(({ status }) => status).join(", then ")} before it was tried again.`}
    </p>
  );
}

const GATE_WORDS: Readonly<Record<GateStatus, string>> = {
  open: "Gate open",
  approved: "Approved",
  used: "Approved",
  rejected: "Rejected",
  sent_back: "Sent back",
  expired: "Gate expired",
  superseded: "Gate superseded",
  revoked: "Approval taken back",
};

function GateLink({ task, frame }: { readonly task: TaskState; readonly frame: Frame }) {
  const gate = task.gateId === undefined ? undefined : frame.state.gates.get(task.gateId);
  if (gate === undefined) return null;
  const signed = gate.decisions.at(-1);
  return (
    <p className="mt-1.5 flex items-center gap-2 text-small text-fg-2">
      {gate.status === "open" ? (
        <Button size="small" asChild>
          <Link href={`/approvals?gate=${encodeURIComponent(gate.request.gateId)}`}>
            <Icon name="hand" small />
            Open the approval
          </Link>
        </Button>
      ) : (
        <Link href={`/approvals?gate=${encodeURIComponent(gate.request.gateId)}`} className="underline">
          {GATE_WORDS[gate.status]}
          {signed === undefined ? "" : ` by ${signed.by.name}`}
        </Link>
      )}
    </p>
  );
}

function ObservationPanel({
  frame,
  history,
  task,
  gateTask,
  onSelectTask,
  onSelectEvent,
}: InspectorProps & { readonly task: TaskState }) {
  const endSeq = task.endedSeq;
  const aftermath = endSeq === undefined || endSeq > frame.seq ? [] : aftermathOf(history.events, history.tip, endSeq);
  return (
    <>
      {task.attempts.length === 0 ? (
        <p className="px-3 py-3 text-small text-fg-3">{task.cause?.message ?? "No call has been made yet."}</p>
      ) : null}
      {task.status === "unknown_outcome" && frame.seq === history.events.length ? (
        <ReconcilePanel state={frame.state} task={task} />
      ) : null}
      {[...task.attempts].reverse().map((attempt) => (
        <Attempt key={attempt.attempt} attempt={attempt} task={task} frame={frame} only={task.attempts.length === 1} />
      ))}
      {task.attempts.length > 0 && task.cause !== undefined && task.attempts.at(-1)?.observation === undefined ? (
        <p className="px-3 py-3 text-small text-fg-2">{task.cause.message}</p>
      ) : null}
      {task.instanceIds === undefined ? null : (
        <Instances ids={task.instanceIds} frame={frame} onSelectTask={onSelectTask} />
      )}
      {aftermath.length === 0 ? null : (
        <div className="section">
          <h3>What it set off</h3>
          <ul className="grid gap-1.5 text-small">
            {aftermath.map((each) => {
              const event = each.seq === undefined ? undefined : history.events[each.seq - 1];
              const words =
                event === undefined
                  ? ({ text: `${each.taskId} became ready`, icon: "resumed", tone: "ready" } as const)
                  : describeEvent(event, gateTask);
              return (
                <li key={`${each.kind}${each.seq ?? each.taskId}`}>
                  <button
                    type="button"
                    className="flex w-full items-center gap-2 rounded-tag text-left hover:bg-hover"
                    onClick={() =>
                      each.seq === undefined
                        ? each.taskId !== undefined && onSelectTask(each.taskId)
                        : onSelectEvent(each.seq)
                    }
                  >
                    <span className={`tone-${toneOfEvent(words.tone)} text-tone`}>
                      <Icon name={EVENT_ICONS[words.icon]} small />
                    </span>
                    <span className="cut flex-1">{words.text}</span>
                    <span className="text-fg-3">+{formatDuration(each.afterMs)}</span>
                  </button>
                </li>
              );
            })}
          </ul>
        </div>
      )}
    </>
  );
}

function Attempt({
  attempt,
  task,
  frame,
  only,
}: {
  readonly attempt: AttemptState;
  readonly task: TaskState;
  readonly frame: Frame;
  readonly only: boolean;
}) {
  const { observation } = attempt;
  const start = attempt.startedAt ?? attempt.dispatchedAt;
  const previous = task.attempts.find((each) => each.attempt === attempt.attempt - 1);
  const waitedFrom = previous?.endedAt ?? task.readyAt;
  const waited = start === undefined || waitedFrom === undefined ? 0 : Math.max(0, start - waitedFrom);
  const tone = observation === undefined ? "running" : observation.status === "ok" ? "succeeded" : "failed";
  const cost = observation?.usage?.costUsd;
  return (
    <div className="section">
      {only ? null : <h3>Try {attempt.attempt}</h3>}
      <dl className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-2 gap-y-1.5 text-small">
        <dt className="text-fg-3">Status</dt>
        <dd>
          <span className={`tone-${tone} font-medium text-tone`}>
            {observation?.status ?? (attempt.endedAt === undefined ? "running" : "ended")}
          </span>{" "}
          {observation?.errorCategory === undefined ? null : (
            <code className="font-mono text-micro text-fg-2">{observation.errorCategory}</code>
          )}
        </dd>
        {observation?.message === undefined ? null : (
          <>
            <dt className="text-fg-3">Message</dt>
            <dd className="break-words">{observation.message}</dd>
          </>
        )}
        {observation === undefined ? null : (
          <>
            <dt className="text-fg-3">Side effect</dt>
            <dd>
              {observation.sideEffect.replaceAll("_", " ")}
              {observation.stateChanged === true
                ? ", something changed"
                : observation.stateChanged === false
                  ? ", nothing changed"
                  : ""}
            </dd>
          </>
        )}
        <dt className="text-fg-3">{attempt.endedAt === undefined ? "Runs for" : "Took"}</dt>
        <dd>
          <b className="font-medium">{formatDuration(executedMs(attempt, frame.at))}</b>{" "}
          <span className="text-fg-3">
            {waited >= 1 ? `after waiting ${formatDuration(waited)}` : "at once"}
            {cost === undefined ? "" : `, ${formatCost(cost)}`}
          </span>
        </dd>
        {observation?.retryAfterSeconds === undefined ? null : (
          <>
            <dt className="text-fg-3">Asked to wait</dt>
            <dd>{formatDuration(observation.retryAfterSeconds * 1_000)}</dd>
          </>
        )}
      </dl>
      {observation?.output === undefined ? null : (
        <>
          <h3 className="mt-3 mb-1.5 text-small font-semibold">Output</h3>
          <JsonText value={observation.output} />
        </>
      )}
      {observation?.outputRef === undefined ? null : (
        <ArtifactView runId={frame.state.runId} outputRef={observation.outputRef} />
      )}
    </div>
  );
}

function Instances({
  ids,
  frame,
  onSelectTask,
}: {
  readonly ids: readonly string[];
  readonly frame: Frame;
  readonly onSelectTask: (id: string) => void;
}) {
  return (
    <div className="section">
      <h3>
        Items <span className="font-normal text-fg-3">{ids.length}</span>
      </h3>
      <ul className="grid max-h-60 gap-1 overflow-auto text-small">
        {ids.slice(0, 500).map((id) => {
          const task = frame.state.tasks.get(id);
          const encoding = STATUS_ENCODING[displayStatusOf(task?.status ?? "pending")];
          return (
            <li key={id}>
              <button
                type="button"
                className="flex w-full items-center gap-2 rounded-tag text-left hover:bg-hover"
                onClick={() => onSelectTask(id)}
              >
                <span className={`tone-${encoding.tone} text-tone`}>
                  <Icon name={encoding.icon} small />
                </span>
                <span className="cut flex-1 font-mono text-micro">{id}</span>
                <span className="text-fg-3">{encoding.word}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function ArgumentsPanel({ frame, task }: { readonly frame: Frame; readonly task: TaskState }) {
  const { state } = frame;
  const planLabel = state.planVersionNumber === undefined ? "plan" : `plan v${state.planVersionNumber}`;
  const gate = task.gateId === undefined ? undefined : state.gates.get(task.gateId);
  const capability = capabilityOf(state, task.task);
  if (gate !== undefined && gate.request.taskId === task.id && gate.request.question === undefined) {
    return <ArgumentList rows={argumentRows(gate.request.arguments, gate.request.origins)} planLabel={planLabel} />;
  }
  const resolution = resolveTaskArguments(state, task);
  return (
    <>
      {resolution.type === "resolved" ? (
        <ArgumentList rows={argumentRows(resolution.value, resolution.origins)} planLabel={planLabel} />
      ) : (
        <>
          <p className="mb-2 text-small text-fg-3">
            {resolution.type === "missing"
              ? "An output they use is large and is kept apart."
              : "Not known yet: they use outputs of tasks that have not ended."}
          </p>
          <JsonText value={task.task.arguments} />
        </>
      )}
      {capability === undefined ? null : (
        <p className="mt-3 text-small text-fg-3">
          {capability.title}: {capability.description}
        </p>
      )}
    </>
  );
}

function RawPanel({ frame, history, task }: InspectorProps & { readonly task: TaskState }) {
  const own = history.events.slice(0, frame.seq).filter((event) => concerns(event, task));
  return (
    <div className="grid gap-3">
      {own.length === 0 ? <p className="text-small text-fg-3">No event is about this task yet.</p> : null}
      {own.map((event) => (
        <div key={event.seq}>
          <p className="mb-1 text-micro text-fg-3">
            {event.seq} · {event.type} ·{" "}
            <time dateTime={new Date(event.at).toISOString()}>{new Date(event.at).toISOString()}</time>
          </p>
          <JsonText value={event} />
        </div>
      ))}
      <div>
        <p className="mb-1 text-micro text-fg-3">As the plan has it</p>
        <JsonText value={task.task} />
      </div>
    </div>
  );
}

function concerns(event: RunEvent, task: TaskState): boolean {
  if ("taskId" in event && event.taskId === task.id) return true;
  return "gateId" in event && event.gateId !== undefined && event.gateId === task.gateId;
}
