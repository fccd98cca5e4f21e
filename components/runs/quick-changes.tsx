"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { applyEdit } from "#kernel/plan/edit";
import type { Plan, Task } from "#kernel/plan/plan";
import { useTRPC } from "../trpc-client/context";
import { Button, IconButton } from "../ui/button";
import { Tag } from "../ui/pill";
import { Select } from "../ui/select";
import { readArguments } from "./read-arguments";

export interface QuickChangesProps {
  readonly plan: Plan;
  /** Tasks that run: they go on as they are, or are stopped. */
  readonly running: ReadonlySet<string>;
  readonly cancelRunning: readonly string[];
  readonly onPlan: (plan: Plan) => void;
  readonly onCancelRunning: (taskIds: readonly string[]) => void;
}

/** The changes most often made, one row a step: take it out, stop it, give it other arguments or another capability. */
export function QuickChanges({ plan, running, cancelRunning, onPlan, onCancelRunning }: QuickChangesProps) {
  const [open, setOpen] = useState<string>();
  const remove = (task: Task) => {
    const edited = applyEdit(plan, { type: "remove_task", taskId: task.id });
    if (!edited.ok) return;
    onPlan(edited.value.plan);
    if (running.has(task.id)) onCancelRunning([...cancelRunning, task.id]);
  };
  const replace = (task: Task) => {
    const edited = applyEdit(plan, { type: "replace_task", taskId: task.id, task });
    if (edited.ok) onPlan(edited.value.plan);
  };
  return (
    <section aria-label="Quick changes">
      <h3 className="mb-1 text-small font-semibold text-fg-2">Quick changes</h3>
      <ul className="max-h-56 divide-y divide-hairline overflow-auto rounded-box border border-hairline">
        {plan.tasks.map((task) => {
          const runs = running.has(task.id);
          return (
            <li key={task.id} className="px-2 py-1 text-small">
              <div className="flex items-center gap-1.5">
                <span className="mono cut flex-1" title={task.title ?? task.id}>
                  {task.id} <span className="text-fg-3">{task.capability}</span>
                </span>
                {runs ? <Tag kind="quiet">running</Tag> : null}
                {runs ? null : (
                  <Button
                    size="small"
                    variant="bare"
                    aria-expanded={open === task.id}
                    onClick={() => setOpen(open === task.id ? undefined : task.id)}
                  >
                    Change
                  </Button>
                )}
                <IconButton
                  icon="trash"
                  size="small"
                  label={runs ? `Stop ${task.id}` : `Take ${task.id} out`}
                  onClick={() => remove(task)}
                />
              </div>
              {open === task.id && !runs ? <ChangeForm key={task.id} task={task} onChange={replace} /> : null}
            </li>
          );
        })}
      </ul>
      {cancelRunning.length === 0 ? null : (
        <p className="mt-1 text-micro text-fg-2">
          Stopped while running: <span className="mono">{cancelRunning.join(", ")}</span>
        </p>
      )}
    </section>
  );
}

function ChangeForm({ task, onChange }: { readonly task: Task; readonly onChange: (task: Task) => void }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.capabilities.list.queryOptions(undefined, { staleTime: 300_000 }));
  const [text, setText] = useState(() => JSON.stringify(task.arguments, undefined, 2));
  const [problem, setProblem] = useState<string>();
  const names = [...new Set([task.capability, ...(data?.capabilities ?? []).map(({ name }) => name)])].sort();
  const type = (next: string) => {
    setText(next);
    const read = readArguments(next);
    setProblem("problem" in read ? read.problem : undefined);
    if ("value" in read) onChange({ ...task, arguments: read.value });
  };
  return (
    <div className="grid gap-1.5 py-1.5">
      <Select
        label={`Capability of ${task.id}`}
        value={task.capability}
        options={names.map((name) => ({ value: name, label: name }))}
        onValueChange={(capability) => onChange({ ...task, capability })}
      />
      <textarea
        aria-label={`Arguments of ${task.id}`}
        aria-invalid={problem !== undefined}
        spellCheck={false}
        rows={Math.min(8, text.split("\n").length)}
        className="input mono block resize-y text-micro"
        value={text}
        onChange={(event) => type(event.target.value)}
      />
      {problem === undefined ? null : <p className="tone-failed text-micro text-tone">{problem}</p>}
    </div>
  );
}
