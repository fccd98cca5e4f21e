"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { type ShellCommand, useShellCommands } from "../shell/shell-context";
import { TopBar } from "../shell/top-bar";
import { useLiveStatus } from "../trpc-client/live-events";
import { type RunLog, useLogVersion, useRunLog } from "../trpc-client/run-log";
import { Banner, ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { Skeleton, SkeletonRows } from "../ui/skeleton";
import { RunControls } from "./run-controls";
import { RunDetail } from "./run-detail";
import { parsePlace, placeQuery } from "./run-place";
import { RunRail } from "./run-rail";
import { RunView } from "./run-view";
import type { RunViewState } from "./view-store";

export interface RunScreenProps {
  readonly runId: string;
  readonly mode: "live" | "replay";
}

/** A run, followed or replayed: loads the log, keeps the place in the address, wires the buttons. */
export function RunScreen({ runId, mode }: RunScreenProps) {
  const loaded = useRunLog(runId);
  switch (loaded.status) {
    case "loading":
      return (
        <Frame title="Loading" runId={runId} mode={mode}>
          <LoadingView />
        </Frame>
      );
    case "gone":
      return (
        <Frame title="Not found" runId={runId} mode={mode}>
          <EmptyState
            icon="question"
            title="There is no such run"
            action={<LinkButton href="/runs">All runs</LinkButton>}
          >
            It may belong to another workspace, or the link is cut short.
          </EmptyState>
        </Frame>
      );
    case "failed":
      return (
        <Frame title="Run" runId={runId} mode={mode}>
          <ErrorNotice title="The run could not be loaded" action={<Button onClick={loaded.retry}>Try again</Button>}>
            {loaded.error.message}
          </ErrorNotice>
        </Frame>
      );
    case "loaded":
      return <LoadedRun key={runId} log={loaded.log} mode={mode} runId={runId} />;
  }
}

function LoadedRun({ log, mode, runId }: RunScreenProps & { readonly log: RunLog }) {
  useLogVersion(log);
  const router = useRouter();
  const query = useSearchParams();
  const live = useLiveStatus();
  const { tip, events } = log.history;
  // Read once: afterwards the screen writes the address, and must not be moved by its own echo.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const initial = useMemo(() => parsePlace(query, log.history), []);
  const onPlace = useCallback((place: Pick<RunViewState, "seq" | "taskId" | "dockTab">) => {
    const next = `${window.location.pathname}${placeQuery(place)}`;
    if (next !== window.location.pathname + window.location.search) window.history.replaceState(null, "", next);
  }, []);
  const other = mode === "live" ? `/replay/${runId}` : `/runs/${runId}`;
  const commands = useMemo<readonly ShellCommand[]>(
    () => [
      {
        id: "run-other-mode",
        group: "This run",
        label: mode === "live" ? "Replay this run" : "Follow this run",
        icon: "play",
        run: () => router.push(other),
      },
    ],
    [mode, other, router],
  );
  useShellCommands(commands);
  return (
    <div className="flex h-dvh flex-col">
      <TopBar
        breadcrumb={[
          { label: "Runs", href: mode === "live" ? "/runs" : "/replay" },
          { label: tip.name === "" ? runId : tip.name },
        ]}
        mode={mode === "live" ? "runs" : "replay"}
        modeHrefs={{ runs: `/runs/${runId}`, replay: `/replay/${runId}` }}
        detail={<RunDetail state={tip} />}
        actions={<RunControls runId={runId} history={log.history} mode={mode} />}
      />
      {events.length === 0 ? (
        <Banner tone="pending" icon="clock">
          The run has been asked for; its first events are on their way.
        </Banner>
      ) : null}
      <RunView mode={mode} log={log} live={live} initial={initial} onPlace={onPlace} runs={<RunRail runId={runId} />} />
    </div>
  );
}

interface FrameProps extends RunScreenProps {
  readonly title: string;
  readonly children: React.ReactNode;
}

const Frame = ({ title, mode, children }: FrameProps) => (
  <div className="flex h-dvh flex-col">
    <TopBar
      breadcrumb={[{ label: "Runs", href: "/runs" }, { label: title }]}
      mode={mode === "live" ? "runs" : "replay"}
    />
    <main className="min-h-0 flex-1">{children}</main>
  </div>
);

const LinkButton = ({ href, children }: { readonly href: string; readonly children: string }) => (
  <Button asChild>
    <a href={href}>{children}</a>
  </Button>
);

/** The same regions at the same sizes as the loaded screen, so that nothing jumps. */
const LoadingView = () => (
  <div className="flex h-full flex-col">
    <div className="flex min-h-0 flex-1">
      <div className="w-[240px] border-r border-hairline bg-surface py-2 max-lg:hidden">
        <SkeletonRows rows={14} label="Loading the run" />
      </div>
      <div className="relative flex-1">
        <Skeleton className="absolute inset-x-4 top-3 h-24" />
      </div>
      <div className="w-[360px] border-l border-hairline bg-surface py-2 max-lg:hidden">
        <SkeletonRows rows={8} label="Loading the details" />
      </div>
    </div>
    <div className="h-[304px] border-t border-hairline bg-surface" />
  </div>
);
