"use client";

import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { type ShellCommand, useShellCommands } from "../shell/shell-context";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { ResizablePanel } from "../ui/resizable-panel";
import { DesignerCanvas } from "./designer-canvas";
import { useDesigner, useDesignerActions, useDesignerStore } from "./designer-context";
import { useDesignerModel } from "./designer-view-model";
import { Dock, type DockTab } from "./dock";
import { Inspector } from "./inspector";
import type { InspectorTab } from "./inspector-tab";
import { KeySheet } from "./key-sheet";
import { type QuickAction, QuickActions } from "./quick-actions";
import { CONNECT_EVENT } from "./screen-events";
import { TaskRail } from "./task-rail";
import { useDesignerKeys } from "./use-designer-keys";
import { useGestures } from "./use-gestures";

export interface DesignerViewProps {
  readonly canEdit: boolean;
  readonly fitKey: string;
  readonly dockTab: DockTab;
  readonly onDockTab: (tab: DockTab) => void;
  readonly inspectorTab: InspectorTab;
  readonly onInspectorTab: (tab: InspectorTab) => void;
  readonly onSaveVersion: () => void;
  /** Over everything below the top bar: offline, an old version, a conflict. */
  readonly banner?: ReactNode;
}

/** Rail, canvas, inspector, dock. What is shown where comes in as props; what is drawn lives in the store. */
export function DesignerView(props: DesignerViewProps) {
  const { canEdit, fitKey, dockTab, onDockTab, inspectorTab, onInspectorTab, onSaveVersion, banner } = props;
  const store = useDesignerStore();
  const { canvas } = useDesignerModel();
  const gestures = useGestures();
  const [quickAction, setQuickAction] = useState<QuickAction>();
  const [showsKeys, setShowsKeys] = useState(false);
  const [wave, setWave] = useState<ReadonlySet<string>>();

  const openConnect = useCallback((from: string) => setQuickAction({ type: "connect", from }), []);
  useEffect(() => {
    const onConnect = () => {
      const [first] = store.getState().selection.tasks;
      if (first !== undefined) openConnect(first);
    };
    window.addEventListener(CONNECT_EVENT, onConnect);
    return () => window.removeEventListener(CONNECT_EVENT, onConnect);
  }, [store, openConnect]);

  useDesignerKeys({
    gestures,
    canEdit,
    onAdd: () => setQuickAction({ type: "add" }),
    onConnect: openConnect,
    onFit: () => canvas.current?.fit(),
    onProblems: () => onDockTab("problems"),
    onHelp: () => setShowsKeys(true),
    onSave: onSaveVersion,
  });
  useCommands({ canEdit, onAdd: () => setQuickAction({ type: "add" }), onDockTab, onKeys: () => setShowsKeys(true) });

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {banner}
      <div className="flex min-h-0 flex-1">
        <ResizablePanel
          label="Task list width"
          landmark="Tasks and capabilities"
          edge="right"
          initial={240}
          min={180}
          max={420}
          storageKey="planwright.rail"
          className="max-w-[20vw] flex-none border-r border-hairline max-md:hidden xl:max-w-none"
        >
          <TaskRail />
        </ResizablePanel>
        <main className="flex min-w-0 flex-1 flex-col">
          <div className="@container relative min-h-0 flex-1">
            <DesignerCanvas
              canEdit={canEdit}
              fitKey={fitKey}
              wave={wave}
              onQuickAction={setQuickAction}
              onOpen={focusInspector}
            />
            <NoticeBar />
          </div>
          <ResizablePanel
            label="Dock height"
            edge="top"
            initial={220}
            min={36}
            max={640}
            storageKey="planwright.dock"
            className="flex-none border-t border-hairline"
          >
            <Dock tab={dockTab} onTab={onDockTab} onHoverWave={setWave} />
          </ResizablePanel>
        </main>
        <ResizablePanel
          label="Inspector width"
          landmark="Inspector"
          edge="left"
          initial={360}
          min={280}
          max={640}
          storageKey="planwright.inspector"
          className="max-w-[32vw] flex-none border-l border-hairline max-md:hidden xl:max-w-[45vw]"
        >
          <fieldset disabled={!canEdit} id="designer-inspector" className="contents">
            <Inspector tab={inspectorTab} onTab={onInspectorTab} />
          </fieldset>
        </ResizablePanel>
      </div>
      <TaskIds />
      {canEdit ? <QuickActions action={quickAction} onClose={() => setQuickAction(undefined)} /> : null}
      <KeySheet open={showsKeys} onOpenChange={setShowsKeys} />
    </div>
  );
}

const focusInspector = (): void =>
  document.getElementById("designer-inspector")?.querySelector<HTMLElement>("[role=tab]")?.focus();

/** Suggestions for every field that takes a task's name. */
function TaskIds() {
  const { plan } = useDesignerModel();
  return (
    <datalist id="designer-task-ids">
      {plan.tasks.slice(0, 500).map((task) => (
        <option key={task.id} value={task.id} />
      ))}
    </datalist>
  );
}

/** What was refused and why, at the place where it was tried. */
function NoticeBar() {
  const notice = useDesigner((state) => state.notice);
  const { notify } = useDesignerActions();
  if (notice === undefined) return null;
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-14 z-[6] flex justify-center px-4">
      <div
        role="alert"
        className={`pointer-events-auto flex max-w-2xl items-center gap-2 rounded-box py-1.5 pr-1.5 pl-3 text-small shadow-float ${notice.tone === "failed" ? "tone-failed bg-tone-bg text-tone" : "bg-raised text-fg"}`}
      >
        <Icon name={notice.tone === "failed" ? "cross" : "info"} />
        <span className="min-w-0 [overflow-wrap:anywhere]">{notice.text}</span>
        <Button size="small" variant="bare" aria-label="Dismiss" onClick={() => notify(undefined)}>
          <Icon name="cross" small />
        </Button>
      </div>
    </div>
  );
}

interface CommandOptions {
  readonly canEdit: boolean;
  readonly onAdd: () => void;
  readonly onDockTab: (tab: DockTab) => void;
  readonly onKeys: () => void;
}

const TASK_COMMANDS_MAX = 200;

function useCommands({ canEdit, onAdd, onDockTab, onKeys }: CommandOptions): void {
  const { plan } = useDesignerModel();
  const gestures = useGestures();
  const { undo, redo, toggle } = useDesignerActions();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callbacks only open things; a new list a render would re-register for ever
  const commands = useMemo<readonly ShellCommand[]>(
    () => [
      ...(canEdit
        ? ([
            { id: "plan add", group: "Plan", icon: "plus", label: "Add a task", shortcut: "N", run: onAdd },
            { id: "plan undo", group: "Plan", icon: "undo", label: "Undo", shortcut: "⌘Z", run: undo },
            { id: "plan redo", group: "Plan", icon: "redo", label: "Redo", shortcut: "⇧⌘Z", run: redo },
            {
              id: "plan layout",
              group: "Plan",
              icon: "layout",
              label: "Tidy layout",
              shortcut: "L",
              run: gestures.tidyUp,
            },
          ] satisfies ShellCommand[])
        : []),
      {
        id: "plan ready",
        group: "Show",
        label: "Ready sets on the canvas",
        shortcut: "1",
        run: () => toggle("readySets"),
      },
      {
        id: "plan critical",
        group: "Show",
        label: "Critical path on the canvas",
        shortcut: "2",
        run: () => toggle("criticalPath"),
      },
      {
        id: "plan conflicts",
        group: "Show",
        label: "Conflicts on the canvas",
        shortcut: "3",
        run: () => toggle("conflicts"),
      },
      { id: "dock problems", group: "Show", label: "Problems", shortcut: "⌘↵", run: () => onDockTab("problems") },
      { id: "dock simulate", group: "Show", label: "Simulate", run: () => onDockTab("simulate") },
      {
        id: "dock text",
        group: "Show",
        label: "Plan as text",
        keywords: ["yaml", "json", "export"],
        run: () => onDockTab("text"),
      },
      { id: "plan keys", group: "Show", label: "All keys", shortcut: "?", run: onKeys },
      ...plan.tasks.slice(0, TASK_COMMANDS_MAX).map(
        (task): ShellCommand => ({
          id: `task ${task.id}`,
          group: "Tasks",
          label: task.title ?? task.id,
          hint: task.id,
          run: () => gestures.reveal(task.id),
        }),
      ),
    ],
    [plan.tasks, gestures, canEdit],
  );
  useShellCommands(commands);
}
