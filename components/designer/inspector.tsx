"use client";

import { memo, useEffect, useMemo, useRef, useState } from "react";
import type { Task } from "#kernel/plan/plan";
import { SIDE_EFFECT_ENCODING } from "../graph/encoding";
import { IconButton } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu";
import { Tag } from "../ui/pill";
import { TabPanel, Tabs } from "../ui/tabs";
import { ArgumentsPanel } from "./arguments-panel";
import { useDesigner, useDesignerActions } from "./designer-context";
import { useDesignerModel } from "./designer-view-model";
import { FlowPanel } from "./flow-panel";
import { INSPECTOR_TABS, type InspectorTab } from "./inspector-tab";
import { replaceTask } from "./plan-gestures";
import { PlanPanel } from "./plan-panel";
import { PolicyPanel } from "./policy-panel";
import { CONNECT_EVENT, RENAME_EVENT } from "./screen-events";
import { TaskJsonPanel } from "./task-json-panel";
import { TaskSummary } from "./task-summary";
import { useGestures } from "./use-gestures";

export interface InspectorProps {
  readonly tab: InspectorTab;
  readonly onTab: (tab: InspectorTab) => void;
}

/** Right: what is selected. Nothing: the plan; one task: its arguments, flow, policy and text; several: what they share. */
export const Inspector = memo(function Inspector({ tab, onTab }: InspectorProps) {
  const { plan } = useDesignerModel();
  const selected = useDesigner((state) => state.selection.tasks);
  const only = selected.size === 1 ? plan.tasks.find((task) => selected.has(task.id)) : undefined;
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      {only !== undefined ? (
        <TaskInspector key={only.id} task={only} tab={tab} onTab={onTab} />
      ) : selected.size > 1 ? (
        <SeveralTasks count={selected.size} />
      ) : (
        <PlanPanel />
      )}
    </div>
  );
});

function SeveralTasks({ count }: { readonly count: number }) {
  return (
    <EmptyState icon="layout" title={`${count} tasks selected`}>
      Drag to move them, ⌘D to duplicate, ⌘C to copy, ⌫ to delete. Click one to see what it does.
    </EmptyState>
  );
}

interface TaskInspectorProps extends InspectorProps {
  readonly task: Task;
}

function TaskInspector({ task, tab, onTab }: TaskInspectorProps) {
  const open = (id: string) => {
    const known = INSPECTOR_TABS.find((each) => each === id);
    if (known !== undefined) onTab(known);
  };
  return (
    <>
      <TaskHeader task={task} />
      <Tabs
        label="About this task"
        value={tab}
        onValueChange={open}
        items={[
          { id: "arguments", label: "Arguments" },
          { id: "flow", label: "Flow" },
          { id: "policy", label: "Policy" },
          { id: "json", label: "JSON" },
        ]}
      >
        <TabPanel id="arguments">
          <ArgumentsPanel task={task} />
          <TaskSummary task={task} onEdit={open} />
        </TabPanel>
        <TabPanel id="flow">
          <FlowPanel task={task} />
        </TabPanel>
        <TabPanel id="policy">
          <PolicyPanel task={task} />
        </TabPanel>
        <TabPanel id="json" className="flex flex-col">
          <TaskJsonPanel key={task.id} task={task} />
        </TabPanel>
      </Tabs>
    </>
  );
}

function TaskHeader({ task }: { readonly task: Task }) {
  const { registry, analysis } = useDesignerModel();
  const { edit, endGesture } = useDesignerActions();
  const gestures = useGestures();
  const capability = registry.find(task.capability);
  const effect = capability === undefined ? undefined : SIDE_EFFECT_ENCODING[capability.sideEffect];
  const isCritical = useMemo(
    () => analysis.result?.analysis?.criticalPath.includes(task.id) ?? false,
    [analysis.result, task.id],
  );
  return (
    <header className="flex-none px-3 pt-2.5 pb-1">
      <h2 className="sr-only">{task.title ?? task.id}</h2>
      <div className="flex items-center gap-1">
        <input
          aria-label="Title"
          className="cut -ml-1 h-7 min-w-0 flex-1 rounded-control border border-transparent bg-transparent px-1 text-lead font-semibold hover:border-hairline focus:border-accent-bd focus:outline-none"
          value={task.title ?? ""}
          placeholder={task.id}
          title={task.title ?? task.id}
          onChange={(event) =>
            edit(replaceTask(withTitle(task, event.target.value), `Title of ${task.id}`, `title ${task.id}`))
          }
          onBlur={endGesture}
        />
        <Menu trigger={<IconButton icon="dots" label="More" />}>
          <MenuItem icon="copy" shortcut="⌘D" onSelect={gestures.duplicate}>
            Duplicate
          </MenuItem>
          <MenuItem icon="link" shortcut="C" onSelect={() => window.dispatchEvent(new Event(CONNECT_EVENT))}>
            Connect to…
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon="trash" shortcut="⌫" danger onSelect={gestures.removeSelection}>
            Delete
          </MenuItem>
        </Menu>
      </div>
      <div className="mt-0.5 mb-1 flex min-w-0 items-center gap-1.5 text-small">
        <TaskIdInput key={task.id} taskId={task.id} />
        <span className="text-line-strong">·</span>
        <CapabilityInput task={task} />
        {effect === undefined ? null : (
          <Tag icon={effect.icon} title={effect.meaning} {...(effect.tone ? { tone: effect.tone } : {})}>
            {effect.word}
          </Tag>
        )}
        {isCritical ? (
          <Tag kind="ink" title="On the critical path">
            CP
          </Tag>
        ) : null}
      </div>
    </header>
  );
}

function withTitle(task: Task, title: string): Task {
  const { title: _old, ...rest } = task;
  return title === "" ? rest : { ...rest, title };
}

/** The id, renamed on Enter or when left; references to it are rewritten in the same step. F2 comes here. */
function TaskIdInput({ taskId }: { readonly taskId: string }) {
  const gestures = useGestures();
  const [typed, setTyped] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const start = () => {
      input.current?.focus();
      input.current?.select();
    };
    window.addEventListener(RENAME_EVENT, start);
    return () => window.removeEventListener(RENAME_EVENT, start);
  }, []);
  const commit = () => {
    if (typed !== undefined && typed !== "" && typed !== taskId) gestures.rename(taskId, typed);
    setTyped(undefined);
  };
  const text = typed ?? taskId;
  return (
    <input
      ref={input}
      aria-label="Id"
      className="mono -ml-1 h-5 min-w-8 rounded-tag border border-transparent bg-transparent px-1 text-fg-2 hover:border-hairline focus:border-accent-bd focus:outline-none"
      style={{ width: `${Math.min(18, text.length + 2)}ch` }}
      spellCheck={false}
      value={text}
      title={`${taskId} (F2 to rename)`}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") {
          setTyped(undefined);
          event.stopPropagation();
        }
      }}
    />
  );
}

function CapabilityInput({ task }: { readonly task: Task }) {
  const { capabilities } = useDesignerModel();
  const { edit } = useDesignerActions();
  const [typed, setTyped] = useState<string>();
  const commit = (text: string | undefined) => {
    setTyped(undefined);
    if (text === undefined || text === "" || text === task.capability) return;
    edit(replaceTask({ ...task, capability: text }, `Capability of ${task.id}`));
  };
  return (
    <>
      <input
        aria-label="Capability"
        list="designer-capabilities"
        className="mono cut h-5 min-w-0 flex-1 rounded-tag border border-transparent bg-transparent px-1 text-fg-2 hover:border-hairline focus:border-accent-bd focus:outline-none"
        spellCheck={false}
        value={typed ?? task.capability}
        title={task.capability}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => commit(typed)}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
        }}
      />
      <datalist id="designer-capabilities">
        {capabilities.map((capability) => (
          <option key={`${capability.name}@${capability.version}`} value={capability.name}>
            {capability.title}
          </option>
        ))}
      </datalist>
    </>
  );
}
