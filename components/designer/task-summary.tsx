"use client";

import type { ReactNode } from "react";
import type { Task } from "#kernel/plan/plan";
import { plannedResourcesOf } from "#kernel/plan/resources";
import { formatSeconds } from "../ui/duration";
import { Icon } from "../ui/icon";
import { Tag } from "../ui/pill";
import { useDesignerModel } from "./designer-view-model";
import type { InspectorTab } from "./inspector-tab";
import { useGestures } from "./use-gestures";

export interface TaskSummaryProps {
  readonly task: Task;
  readonly onEdit: (tab: InspectorTab) => void;
}

/** Below the arguments: what else decides how this task runs, each with the way to change it. */
export function TaskSummary({ task, onEdit }: TaskSummaryProps) {
  const { edges, registry, analysis, graph } = useDesignerModel();
  const gestures = useGestures();
  const capability = registry.find(task.capability);
  const needs = edges.filter((edge) => edge.to === task.id);
  const { reads, writes, unknown } = plannedResourcesOf(task, capability);
  const conflicts = new Set(
    analysis.result?.conflicts.filter(({ a, b }) => a === task.id || b === task.id).map(({ resource }) => resource),
  );
  const index = graph.indexOf.get(task.id) ?? -1;
  const approval = task.approval;
  return (
    <>
      <Section
        title="Needs"
        note={needs.length === 0 ? "nothing" : plural(needs.length, "task")}
        onEdit={() => onEdit("flow")}
      >
        {needs.length === 0 ? null : (
          <ul className="flex flex-wrap gap-x-4 gap-y-1 text-small">
            {needs.map((edge) => (
              <li key={edge.from} className="flex min-w-0 max-w-full gap-1.5">
                <button
                  type="button"
                  className="mono cut hover:underline"
                  title={edge.from}
                  onClick={() => gestures.reveal(edge.from)}
                >
                  {edge.from}
                </button>
                <span className="text-fg-3">{edge.data ? (edge.control ? "data, control" : "data") : "control"}</span>
              </li>
            ))}
          </ul>
        )}
      </Section>
      {reads.length + writes.length + unknown.length === 0 ? null : (
        <Section title="Resources" onEdit={() => onEdit("policy")}>
          <div className="flex flex-wrap gap-1.5">
            {writes.map((name) => (
              <Tag
                key={`w ${name}`}
                icon={conflicts.has(name) ? "bolt" : "pen"}
                {...(conflicts.has(name) ? { tone: "conflict" as const } : {})}
                title={`Writes ${name}`}
              >
                <span className="cut max-w-52">{name}</span>
              </Tag>
            ))}
            {reads.map((name) => (
              <Tag
                key={`r ${name}`}
                icon={conflicts.has(name) ? "bolt" : "eye"}
                {...(conflicts.has(name) ? { tone: "conflict" as const } : {})}
                title={`Reads ${name}`}
              >
                <span className="cut max-w-52">{name}</span>
              </Tag>
            ))}
            {unknown.map((name) => (
              <Tag
                key={`u ${name}`}
                icon="question"
                title={`${name} depends on an output, so its name is not known yet`}
              >
                <span className="cut max-w-52">{name}</span>
              </Tag>
            ))}
          </div>
        </Section>
      )}
      <Section title="Time" onEdit={() => onEdit("policy")}>
        <div className="flex gap-4 text-small">
          <span>
            <span className="text-fg-3">p50</span> {formatSeconds(analysis.result?.durations.seconds[index])}
          </span>
          <span>
            <span className="text-fg-3">p95</span> {formatSeconds(analysis.result?.durationsP95.seconds[index])}
          </span>
          <span className="flex-1 text-right text-fg-3">
            from {SOURCES[analysis.result?.durations.sources[index] ?? "default"]}
          </span>
        </div>
      </Section>
      <Section title="If it fails" onEdit={() => onEdit("policy")}>
        <p className="text-small text-fg-2">{failureText(task)}</p>
      </Section>
      {approval === undefined && capability?.approval !== "always" ? null : (
        <Section
          title={
            <>
              <span className="tone-awaiting text-tone">
                <Icon name="hand" />
              </span>
              Gate before this task
            </>
          }
          onEdit={() => onEdit("policy")}
        >
          <p className="text-small leading-[18px] text-fg-2">
            {approval === undefined
              ? "The capability asks for a signature before every call."
              : `${approval.quorum === 1 ? "1 person" : `${approval.quorum} people`} with role ${approval.role} ${approval.quorum === 1 ? "decides" : "decide"} within ${formatSeconds(approval.decideWithinSeconds)}, then it must start within ${formatSeconds(approval.executeWithinSeconds)}. No answer: it does not run.`}
          </p>
        </Section>
      )}
    </>
  );
}

const SOURCES = {
  actual: "this run",
  elapsed: "this run",
  history: "earlier runs",
  estimate: "the plan",
  capability: "the capability",
  default: "an assumption",
} as const;

const plural = (count: number, word: string): string => (count === 1 ? `1 ${word}` : `${count} ${word}s`);

const AFTERWARDS = {
  cancel_dependents: "cancel what depends on it",
  block_dependents: "hold what depends on it until a person or a replan decides",
  continue: "go on with what depends on it",
} as const;

function failureText(task: Task): string {
  const after = AFTERWARDS[task.onFailure];
  const retry = task.retry;
  if (retry === undefined || retry.maxAttempts <= 1) return `${after[0]?.toUpperCase()}${after.slice(1)}.`;
  return `Try up to ${retry.maxAttempts} times, ${formatSeconds(retry.backoffSeconds)} apart then × ${retry.backoffFactor}. Then ${after}.`;
}

interface SectionProps {
  readonly title: ReactNode;
  readonly note?: string;
  readonly onEdit: () => void;
  readonly children: ReactNode;
}

function Section({ title, note, onEdit, children }: SectionProps) {
  return (
    <section className="section group last:border-0">
      <h3>
        {title}
        {note === undefined ? null : <span className="font-normal text-fg-3">{note}</span>}
        <button
          type="button"
          className="ml-auto text-micro font-medium text-fg-3 opacity-0 group-hover:opacity-100 hover:text-fg focus-visible:opacity-100"
          onClick={onEdit}
        >
          Edit
        </button>
      </h3>
      {children}
    </section>
  );
}
