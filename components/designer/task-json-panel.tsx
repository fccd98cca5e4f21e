"use client";

import { useState } from "react";
import { TASK_KEYS, type Task, taskSchema } from "#kernel/plan/plan";
import { Button } from "../ui/button";
import { useDesignerActions } from "./designer-context";

/** The task as it stands in the plan. Edited text is applied as one step; another id there is a renaming. */
export function TaskJsonPanel({ task }: { readonly task: Task }) {
  const { edit } = useDesignerActions();
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const written = JSON.stringify(inOrder(task), undefined, 2);
  const apply = () => {
    const read = readTask(typed ?? written);
    if ("problem" in read) {
      setProblem(read.problem);
      return;
    }
    const { task: next } = read;
    const isRenamed = next.id !== task.id;
    const done = edit({
      label: `Edit ${task.id} as JSON`,
      edits: [
        ...(isRenamed ? [{ type: "rename_task" as const, taskId: task.id, newId: next.id }] : []),
        { type: "replace_task", taskId: next.id, task: next },
      ],
      ...(isRenamed ? { select: [next.id] } : {}),
    });
    if (done) {
      setTyped(undefined);
      setProblem(undefined);
    }
  };
  return (
    <>
      <textarea
        aria-label="Task as JSON"
        spellCheck={false}
        className="mono min-h-0 flex-1 resize-none bg-transparent p-3 text-micro leading-[17px] outline-none"
        value={typed ?? written}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
            event.preventDefault();
            event.stopPropagation();
            apply();
          }
        }}
      />
      <div className="flex flex-none items-center gap-2 border-t border-hairline px-3 py-2 text-small">
        <span className={`cut flex-1 ${problem === undefined ? "text-fg-3" : "tone-failed text-tone"}`} title={problem}>
          {problem ?? (typed === undefined ? "As it stands in the plan" : "Edited, not applied")}
        </span>
        <Button size="small" disabled={typed === undefined} onClick={() => setTyped(undefined)}>
          Discard
        </Button>
        <Button size="small" disabled={typed === undefined} onClick={apply}>
          Apply
        </Button>
      </div>
    </>
  );
}

function inOrder(task: Task): object {
  const values = new Map(Object.entries(task));
  return Object.fromEntries(TASK_KEYS.flatMap((key) => (values.has(key) ? [[key, values.get(key)]] : [])));
}

function readTask(text: string): { readonly task: Task } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : "This is not JSON" };
  }
  const parsed = taskSchema.safeParse(value);
  if (parsed.success) return { task: parsed.data };
  const [issue] = parsed.error.issues;
  return { problem: issue === undefined ? "This is not a task" : `/${issue.path.join("/")}: ${issue.message}` };
}
