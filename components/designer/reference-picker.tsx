"use client";

import { Command } from "cmdk";
import { useMemo, useState } from "react";
import { type PlanGraph, predecessorsOf, successorsOf } from "#kernel/plan/graph";
import { Icon } from "../ui/icon";
import { Popover } from "../ui/popover";
import { useDesignerModel } from "./designer-view-model";
import { outputPaths } from "./output-paths";

export interface ReferencePickerProps {
  /** The task whose argument it is for; what comes after it is not offered. */
  readonly taskId: string;
  /** Type the argument wants; outputs of that type come first. */
  readonly type: string | undefined;
  /** `task#/pointer`. */
  readonly onPick: (reference: string) => void;
}

const OTHERS_MAX = 200;

/** Offers the outputs of tasks that run before, then of those that could: picking one draws the edge. */
export function ReferencePicker({ taskId, type, onPick }: ReferencePickerProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label="Outputs of other tasks"
      trigger={
        <button
          type="button"
          className="flex h-5 w-5 flex-none items-center justify-center rounded-tag text-fg-2 hover:bg-hover hover:text-accent"
          aria-label="Use an output of another task"
          title="Use an output of another task"
        >
          <Icon name="diamond" small />
        </button>
      }
    >
      <Choices
        taskId={taskId}
        type={type}
        onPick={(reference) => {
          setOpen(false);
          onPick(reference);
        }}
      />
    </Popover>
  );
}

function Choices({ taskId, type, onPick }: ReferencePickerProps) {
  const { plan, graph, registry } = useDesignerModel();
  const groups = useMemo(() => {
    const { upstream, others } = candidates(graph, taskId);
    const byId = new Map<string, string>(plan.tasks.map((task) => [task.id, task.capability]));
    const list = (ids: readonly string[]) =>
      ids.map((id) => {
        const schema = registry.find(byId.get(id) ?? "")?.outputSchema;
        const paths = [...outputPaths(schema)];
        if (type !== undefined) paths.sort((a, b) => Number(b.type === type) - Number(a.type === type));
        return { id, paths };
      });
    return [
      { heading: "Runs before this task", tasks: list(upstream) },
      { heading: "Would add an edge", tasks: list(others) },
    ].filter(({ tasks }) => tasks.length > 0);
  }, [plan, graph, registry, taskId, type]);

  return (
    <Command label="Outputs of other tasks" className="flex max-h-80 flex-col">
      <div className="flex items-center gap-2 border-b border-hairline px-3">
        <Icon name="search" small className="text-fg-3" />
        <Command.Input
          placeholder="Find a task or an output"
          className="h-9 min-w-0 flex-1 bg-transparent text-small outline-none"
        />
      </div>
      <Command.List className="overflow-auto p-1 text-small">
        <Command.Empty className="p-4 text-center text-fg-3">
          {groups.length === 0 ? "No other task could run before this one." : "Nothing with that name."}
        </Command.Empty>
        {groups.map(({ heading, tasks }) => (
          <Command.Group
            key={heading}
            heading={heading}
            className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-micro [&_[cmdk-group-heading]]:text-fg-3"
          >
            {tasks.flatMap(({ id, paths }) =>
              paths.map(({ pointer, type: produced }) => {
                const reference = pointer === "" ? id : `${id}#${pointer}`;
                return (
                  <Command.Item
                    key={reference}
                    value={reference}
                    className="menu-item min-h-6"
                    onSelect={() => onPick(reference)}
                  >
                    <span className="mono cut flex-1" title={reference}>
                      <span className={pointer === "" ? "" : "text-fg-3"}>{id}</span>
                      {pointer === "" ? null : `#${pointer}`}
                    </span>
                    <span
                      className={`mono text-nano ${produced !== undefined && produced === type ? "text-accent" : "text-fg-3"}`}
                    >
                      {produced ?? "any"}
                    </span>
                  </Command.Item>
                );
              }),
            )}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}

/** Ancestors nearest first; then every task that is neither the task itself nor behind it. */
function candidates(graph: PlanGraph, taskId: string) {
  const start = graph.indexOf.get(taskId);
  if (start === undefined) return { upstream: [], others: [] };
  const before = walk(start, (task) => predecessorsOf(graph, task));
  const after = new Set(walk(start, (task) => successorsOf(graph, task)));
  const known = new Set([start, ...before]);
  const others = graph.ids.flatMap((id, task) => (known.has(task) || after.has(task) ? [] : [id]));
  return { upstream: before.map((task) => graph.ids[task] ?? ""), others: others.slice(0, OTHERS_MAX) };
}

function walk(start: number, next: (task: number) => Int32Array): readonly number[] {
  const seen = new Set([start]);
  const queue = [start];
  for (const task of queue) {
    for (const neighbour of next(task)) {
      if (seen.has(neighbour)) continue;
      seen.add(neighbour);
      queue.push(neighbour);
    }
  }
  return queue.slice(1);
}
