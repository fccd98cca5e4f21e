"use client";

import "./gantt.css";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import { formatClock } from "#kernel/view/format";
import { frameAt } from "#kernel/view/frame";
import { gapOf } from "#kernel/view/gap";
import { idleGaps } from "#kernel/view/time-axis";
import { buildTimeline } from "#kernel/view/timeline";
import type { LiveStatus } from "../trpc-client/live-events-store";
import { type RunLog, useLogVersion } from "../trpc-client/run-log";
import { Banner } from "../ui/banner";
import { RelativeTime, useNow } from "../ui/relative-time";
import { ResizablePanel } from "../ui/resizable-panel";
import { BudgetsPanel } from "./budgets-panel";
import { EventInspector } from "./event-inspector";
import { EventList } from "./event-list";
import { Gantt } from "./gantt";
import { DiffSummary, OverlayBar } from "./graph-bars";
import { GraphPanel } from "./graph-panel";
import { Inspector } from "./inspector";
import { KeysDialog } from "./keys-dialog";
import { Legend } from "./legend";
import { LimitWaits } from "./limit-waits";
import { MomentPanel, OutcomePanel } from "./moment-panel";
import { ReplanLedger } from "./replan-ledger";
import { RunDock } from "./run-dock";
import { handleRunKey } from "./run-keys";
import { RunStrip } from "./run-strip";
import { TaskTable } from "./task-table";
import { TimeWent } from "./time-went";
import { Transport } from "./transport";
import { createRunViewStore, type InitialView, type RunViewState } from "./view-store";
import { WaitsPanel } from "./waits-panel";

/** What the run worked with was erased: what is empty here was not empty then. */
const RedactedBanner = ({ at }: { readonly at: number | undefined }) =>
  at === undefined ? null : (
    <Banner tone="awaiting" icon="lock">
      Arguments, outputs and texts of this run were erased <RelativeTime at={at} />, as the workspace keeps them for a
      limited time. What happened, and when, is complete.
    </Banner>
  );

export interface RunViewProps {
  /** One view over the same events; the mode only says what stands in front at first. */
  readonly mode: "live" | "replay";
  readonly log: RunLog;
  readonly live: LiveStatus;
  readonly initial: InitialView;
  /** Told when the moment or the selection changes and rests: for the address bar. */
  readonly onPlace: (place: Pick<RunViewState, "seq" | "taskId" | "dockTab">) => void;
  /** The list of runs beside a live one. */
  readonly runs?: ReactNode;
}

export function RunView({ mode, log, live, initial, onPlace, runs }: RunViewProps) {
  const { history } = log;
  const [store] = useState(() => createRunViewStore(history, initial));
  const view = useStore(store);
  const { actions } = view;
  const version = useLogVersion(log);
  const clock = useNow();
  const count = history.events.length;
  const finished = history.tip.status === "finished";
  const following = view.seq === undefined && !finished;
  const seq = view.seq ?? count;
  const now = following ? clock : view.at;
  // The history is appended to in place: `version` says when it grew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const frame = useMemo(() => frameAt(history, seq, now), [history, version, seq, now]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const timeline = useMemo(() => buildTimeline(history.events, history.tip), [history, version]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const eventTimes = useMemo(() => history.events.map((event) => event.at), [history, version]);
  const folds = useMemo(
    () => (view.foldIdle ? idleGaps(timeline, eventTimes, following ? { until: frame.at } : {}) : []),
    [timeline, eventTimes, view.foldIdle, following, frame.at],
  );
  const gateTask = useCallback((gateId: string) => history.tip.gates.get(gateId)?.request.taskId, [history]);
  usePlaying(view, folds);
  useKeys(view);
  usePlace(view, onPlace);

  const playhead = Math.min(following ? frame.at : (view.at ?? frame.at), Math.max(frame.at, timeline.to));
  const clockLabel = formatClock(playhead - frame.startedAt);
  const playheadLabel = following ? "now" : clockLabel;
  const past = !following && seq < count;
  const lastEvent = history.events[seq - 1];
  const lastTask = lastEvent !== undefined && "taskId" in lastEvent ? lastEvent.taskId : undefined;
  const hasLedger =
    timeline.revisions.length > 0 ||
    timeline.marks.some((mark) => mark.kind === "refused_replan") ||
    history.tip.proposal !== undefined;
  const selectedEvent = view.eventSeq === undefined ? undefined : history.events[view.eventSeq - 1];

  const eventList = (
    <EventList
      events={history.events}
      count={count}
      seq={seq}
      startedAt={frame.startedAt}
      playheadLabel={playheadLabel}
      selectedSeq={view.eventSeq}
      selectedTaskId={view.taskId}
      gateTask={gateTask}
      onSelect={actions.selectEvent}
    />
  );
  const detail =
    view.taskId !== undefined ? (
      <Inspector
        key={view.taskId}
        frame={frame}
        history={history}
        taskId={view.taskId}
        gateTask={gateTask}
        onSelectTask={actions.selectTask}
        onSelectEvent={actions.selectEvent}
        onClose={actions.clearSelection}
      />
    ) : selectedEvent !== undefined ? (
      <EventInspector
        event={selectedEvent}
        startedAt={frame.startedAt}
        gateTask={gateTask}
        onClose={actions.clearSelection}
      />
    ) : (
      <div className="min-h-0 flex-1 overflow-y-auto">
        {mode === "replay" ? <MomentPanel frame={frame} past={past} /> : <OutcomePanel frame={frame} />}
        <WaitsPanel frame={frame} selected={view.taskId} onSelect={actions.selectTask} />
        <LimitWaits state={frame.state} live={following} />
        <BudgetsPanel frame={frame} history={history} />
      </div>
    );
  const dockItems = [
    { id: "timeline", label: "Timeline" },
    ...(mode === "live" ? ([{ id: "events", label: "Events", count }] as const) : []),
    { id: "table", label: "Table" },
    { id: "time", label: "Where the time went" },
  ] as const;

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h1 className="sr-only">{history.tip.name}</h1>
      <KeysDialog />
      <StaleBanner live={live} finished={finished} lastAt={history.tip.lastAt} />
      <RedactedBanner at={history.tip.redactedAt} />
      <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
        <aside aria-label={mode === "live" ? "Runs" : "Events"} className="contents">
          <ResizablePanel
            label={mode === "live" ? "Runs width" : "Events width"}
            edge="right"
            initial={240}
            min={200}
            max={480}
            storageKey={`run-rail-${mode}`}
            className="flex flex-col border-r border-hairline bg-surface max-lg:hidden"
          >
            {mode === "live" && runs !== undefined ? runs : eventList}
          </ResizablePanel>
        </aside>
        <main
          className="relative min-h-0 min-w-0 flex-1 overflow-hidden max-lg:h-[400px] max-lg:flex-none"
          aria-label="Run"
        >
          <GraphPanel
            frame={frame}
            tip={history.tip}
            overlays={view.overlays}
            selected={view.taskId}
            onSelect={actions.selectTask}
            insetTop={mode === "live" ? 108 : 56}
            {...(mode === "replay"
              ? {
                  topLeft: <OverlayBar overlays={view.overlays} onToggle={actions.toggleOverlay} />,
                  topRight: view.overlays.has("diff") ? <DiffSummary state={frame.state} /> : undefined,
                }
              : { bottomRight: <OverlayBar overlays={view.overlays} onToggle={actions.toggleOverlay} /> })}
          />
          {mode === "live" ? (
            <div className="absolute inset-x-3.5 top-3 z-[6]">
              <RunStrip frame={frame} past={past} />
            </div>
          ) : null}
        </main>
        <aside aria-label="Details" className="contents">
          <ResizablePanel
            label="Inspector width"
            edge="left"
            initial={360}
            min={280}
            max={640}
            storageKey="run-inspector"
            className="flex flex-col border-l border-hairline bg-surface max-lg:!w-full max-lg:border-t max-lg:border-l-0"
          >
            {detail}
          </ResizablePanel>
        </aside>
      </div>
      <RunDock
        items={dockItems}
        tab={view.dockTab}
        onTab={actions.setDockTab}
        lead={
          <Transport
            elapsedMs={playhead - frame.startedAt}
            totalMs={Math.max(timeline.to, following ? frame.at : 0) - timeline.from}
            playing={view.playing}
            speed={view.speed}
            live={!following && !finished}
            onStep={actions.step}
            onPlay={actions.togglePlay}
            onSpeed={actions.setSpeed}
            onFollow={actions.follow}
          />
        }
        aside={view.dockTab === "timeline" ? <Legend future={following ? "forecast" : "after playhead"} /> : undefined}
      >
        {view.dockTab === "timeline" ? (
          <>
            <Gantt
              timeline={timeline}
              frame={frame}
              eventTimes={eventTimes}
              folds={folds}
              playhead={playhead}
              playheadLabel={playheadLabel}
              selected={view.taskId}
              focusTaskId={view.taskId ?? lastTask}
              onSelect={actions.selectTask}
              onScrub={actions.seekTime}
              onRevision={actions.selectEvent}
            />
            {hasLedger ? (
              <div className="flex w-[var(--inspector-w)] flex-none flex-col border-l border-hairline max-lg:hidden">
                <ReplanLedger
                  events={history.events}
                  count={count}
                  startedAt={frame.startedAt}
                  seq={seq}
                  limit={history.tip.plan?.budgets?.planRevisions}
                  onSelect={actions.selectEvent}
                />
              </div>
            ) : null}
          </>
        ) : null}
        {view.dockTab === "events" ? eventList : null}
        {view.dockTab === "table" ? (
          <TaskTable frame={frame} timeline={timeline} selected={view.taskId} onSelect={actions.selectTask} />
        ) : null}
        {view.dockTab === "time" ? (
          <div className="min-w-0 flex-1">
            <TimeWent
              report={gapOf(history.events, history.tip, timeline, finished ? undefined : frame.at)}
              finished={finished}
              onSelect={actions.selectTask}
            />
          </div>
        ) : null}
      </RunDock>
    </div>
  );
}

/** While it plays, the moment moves with the frames that the browser draws. */
function usePlaying(view: RunViewState, folds: Parameters<RunViewState["actions"]["tick"]>[1]): void {
  const { playing, actions } = view;
  useEffect(() => {
    if (!playing) return;
    let last = performance.now();
    let handle = requestAnimationFrame(function draw(time) {
      // Every other frame is smooth enough and leaves the browser time to draw.
      if (time - last >= 30) {
        actions.tick(time - last, folds);
        last = time;
      }
      handle = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(handle);
  }, [playing, actions, folds]);
}

function useKeys({ actions }: RunViewState): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (handleRunKey(event, actions)) event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [actions]);
}

const PLACE_REST_MS = 150;

function usePlace(view: RunViewState, onPlace: RunViewProps["onPlace"]): void {
  const { seq, taskId, dockTab, playing } = view;
  useEffect(() => {
    if (playing) return;
    const timer = setTimeout(() => onPlace({ seq, taskId, dockTab }), PLACE_REST_MS);
    return () => clearTimeout(timer);
  }, [seq, taskId, dockTab, playing, onPlace]);
}

function StaleBanner({
  live,
  finished,
  lastAt,
}: {
  readonly live: LiveStatus;
  readonly finished: boolean;
  readonly lastAt: number;
}) {
  if (finished || live !== "offline") return null;
  return (
    <Banner tone="unknown" icon="cloudOff">
      The live connection is cut and is being taken up again. Shown as of {new Date(lastAt).toLocaleTimeString()}; the
      run itself goes on.
    </Banner>
  );
}
