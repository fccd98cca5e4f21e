"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useMemo, useRef, useState } from "react";
import type { CapabilitySnapshot } from "#kernel/capability/capability";
import { SIDE_EFFECT_ENCODING } from "../graph/encoding";
import { formatSeconds } from "../ui/duration";
import { Icon } from "../ui/icon";
import { SearchInput } from "../ui/input";
import { ResizablePanel } from "../ui/resizable-panel";
import { Tooltip } from "../ui/tooltip";
import { CAPABILITY_MIME } from "./capability-drag";
import { useDesigner, useDesignerActions } from "./designer-context";
import { useDesignerModel } from "./designer-view-model";
import { useGestures } from "./use-gestures";

const ROW_HEIGHT = 24;

/** Left: find a task, see them all in plan order, and the capabilities to draw from. */
export const TaskRail = memo(function TaskRail() {
  const [search, setSearch] = useState("");
  const { plan, capabilities } = useDesignerModel();
  const words = search.trim().toLowerCase();
  const tasks = useMemo(
    () =>
      words === ""
        ? plan.tasks
        : plan.tasks.filter((task) =>
            `${task.id} ${task.title ?? ""} ${task.capability}`.toLowerCase().includes(words),
          ),
    [plan.tasks, words],
  );
  const found = capabilities.filter((each) => `${each.name} ${each.title}`.toLowerCase().includes(words));
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <div className="px-3 pt-2.5 pb-1.5">
        <SearchInput
          id="designer-search"
          label="Find a task or capability"
          shortcut="/"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") setSearch("");
          }}
        />
      </div>
      <div className="list-row hover:bg-transparent">
        <span className="label flex-1">Tasks</span>
        <span className="label number">
          {words === "" ? plan.tasks.length : `${tasks.length} of ${plan.tasks.length}`}
        </span>
      </div>
      <TaskList ids={tasks.map((task) => task.id)} isFiltered={words !== ""} />
      <ResizablePanel
        label="Capability palette height"
        edge="top"
        initial={210}
        min={90}
        max={480}
        storageKey="planwright.palette"
        className="flex-none border-t border-hairline"
      >
        <Palette capabilities={found} />
      </ResizablePanel>
    </div>
  );
});

function TaskList({ ids, isFiltered }: { readonly ids: readonly string[]; readonly isFiltered: boolean }) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const { analysis, graph } = useDesignerModel();
  const selected = useDesigner((state) => state.selection.tasks);
  const critical = useMemo(() => new Set(analysis.result?.analysis?.criticalPath), [analysis.result]);
  const conflicting = useMemo(
    () =>
      new Map(
        analysis.result?.conflicts.flatMap(({ a, b, resource }) => [
          [a, resource],
          [b, resource],
        ]),
      ),
    [analysis.result],
  );
  const wrong = useMemo(
    () =>
      new Map(
        analysis.result?.diagnostics.flatMap(({ severity, taskId, message }) =>
          severity === "error" && taskId !== undefined ? [[taskId, message]] : [],
        ),
      ),
    [analysis.result],
  );
  const gestures = useGestures();
  const { select } = useDesignerActions();

  if (ids.length === 0) {
    return (
      <p className="flex-1 px-3 py-2 text-small text-fg-3">
        {isFiltered ? "No task with that name." : "No tasks yet. Press N to add one."}
      </p>
    );
  }
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto">
      <ul aria-label="Tasks" className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => {
          const id = ids[row.index] ?? "";
          const seconds = analysis.result?.durations.seconds[graph.indexOf.get(id) ?? -1];
          return (
            <li key={id} className="absolute inset-x-0" style={{ top: row.start, height: ROW_HEIGHT }}>
              <button
                type="button"
                className="list-row"
                style={{ height: ROW_HEIGHT }}
                aria-current={selected.has(id)}
                title={id}
                onClick={(event) => {
                  if (event.shiftKey || event.metaKey || event.ctrlKey) {
                    select({ tasks: toggled(selected, id), edges: new Set() });
                  } else gestures.reveal(id);
                }}
              >
                <span className={`cut flex-1 ${selected.has(id) ? "font-medium" : "text-fg-2"}`}>{id}</span>
                {wrong.has(id) ? (
                  <span className="tone-failed text-tone" title={wrong.get(id)}>
                    <Icon name="cross" small label="has a problem" />
                  </span>
                ) : null}
                {critical.has(id) ? (
                  <span className="text-nano font-semibold text-fg-2" title="On the critical path">
                    CP
                  </span>
                ) : null}
                {conflicting.has(id) ? (
                  <span className="tone-conflict text-tone" title={`Conflict on ${conflicting.get(id)}`}>
                    <Icon name="bolt" small label={`conflict on ${conflicting.get(id)}`} />
                  </span>
                ) : null}
                <span className="number w-[52px] text-fg-3">{formatSeconds(seconds)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}

function Palette({ capabilities }: { readonly capabilities: readonly CapabilitySnapshot[] }) {
  const gestures = useGestures();
  return (
    <section aria-label="Capabilities" className="flex h-full flex-col">
      <div className="list-row flex-none hover:bg-transparent">
        <span className="label flex-1">Capabilities</span>
        <span className="label">side effect</span>
      </div>
      <ul className="min-h-0 flex-1 overflow-auto pb-2">
        {capabilities.map((capability) => {
          const effect = SIDE_EFFECT_ENCODING[capability.sideEffect];
          return (
            <li key={`${capability.name}@${capability.version}`}>
              <Tooltip side="right" content={<CapabilityCard capability={capability} />}>
                <button
                  type="button"
                  draggable
                  className="list-row cursor-grab"
                  style={{ height: ROW_HEIGHT }}
                  onDragStart={(event) => {
                    event.dataTransfer.setData(CAPABILITY_MIME, capability.name);
                    event.dataTransfer.effectAllowed = "copy";
                  }}
                  onClick={() => gestures.add({ capability: capability.name })}
                >
                  <span className="mono cut flex-1">{capability.name}</span>
                  <span
                    className={`flex items-center gap-1 ${effect.tone === undefined ? "text-fg-3" : `tone-${effect.tone} font-medium text-tone`}`}
                  >
                    {effect.word}
                    <Icon name={effect.icon} small />
                  </span>
                </button>
              </Tooltip>
            </li>
          );
        })}
        {capabilities.length === 0 ? (
          <li className="px-3 py-1 text-small text-fg-3">No capability with that name.</li>
        ) : null}
      </ul>
    </section>
  );
}

/** Seen before a capability is dropped: what it does, takes and changes. */
function CapabilityCard({ capability }: { readonly capability: CapabilitySnapshot }) {
  const properties = capability.inputSchema.properties;
  const names = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  return (
    <span className="block w-64 py-1">
      <b className="block text-small font-semibold">{capability.title}</b>
      <span className="block">{capability.description}</span>
      <span className="mt-1 block opacity-80">Side effect: {SIDE_EFFECT_ENCODING[capability.sideEffect].meaning}.</span>
      {names.length === 0 ? null : <span className="mono block opacity-80">{names.join(", ")}</span>}
      <span className="block opacity-80">
        About {formatSeconds(capability.estimate.p50Seconds)}, at most {formatSeconds(capability.timeoutSeconds)}
      </span>
    </span>
  );
}
