"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { RunState } from "#kernel/run/state";
import type { Hold } from "#kernel/run/status";
import { describeHold } from "#kernel/view/waiting";
import { HoldChip } from "../graph/status";
import { useTRPC } from "../trpc-client/context";

const ASK_EVERY_MS = 3_000;

/** Calls that wait for a limit over all runs, and who holds what they wait for. Nothing while there are none. */
export function LimitWaits({ state, live }: { readonly state: RunState; readonly live: boolean }) {
  const trpc = useTRPC();
  const mayWait = live && state.status === "running" && state.ready.size > 0;
  const waiting = useQuery(
    trpc.limits.waiting.queryOptions(
      { runId: state.runId as never },
      { enabled: mayWait, refetchInterval: ASK_EVERY_MS },
    ),
  );
  const calls = mayWait ? (waiting.data?.calls ?? []) : [];
  if (calls.length === 0) return null;
  return (
    <section aria-labelledby="limit-waits-heading" className="border-t border-hairline">
      <header className="panel-header">
        <h2 id="limit-waits-heading" className="flex-1">
          Limits over all runs
        </h2>
        <span className="label">{calls.length}</span>
      </header>
      <ul>
        {calls.slice(0, 20).map((call) => {
          const task = state.tasks.get(call.taskId);
          return (
            <li key={call.taskId} className="border-b border-hairline px-3 py-2 text-small last:border-0">
              <span className="flex min-w-0 items-center gap-1.5">
                <span className="cut font-medium">{call.taskId}</span>
                <HoldChip hold={call.hold.type} />
              </span>
              <span className="text-fg-2">
                {task === undefined ? call.capability : describeHold(state, task, call.hold)}
              </span>
              <Holders hold={call.hold} runId={state.runId} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Holders({ hold, runId }: { readonly hold: Hold; readonly runId: string }) {
  const holders =
    hold.type === "concurrency"
      ? (hold.heldBy ?? [])
      : hold.type === "resource_lock" && hold.byRunId !== undefined
        ? [{ runId: hold.byRunId, taskId: hold.byTaskId }]
        : [];
  if (holders.length === 0) return null;
  return (
    <span className="block text-fg-3">
      Held by{" "}
      {holders.map((holder, index) => (
        <span key={`${holder.runId} ${holder.taskId}`}>
          {index === 0 ? "" : ", "}
          {holder.runId === runId ? (
            holder.taskId
          ) : (
            <Link
              className="underline"
              href={`/runs/${encodeURIComponent(holder.runId)}?selection=${encodeURIComponent(holder.taskId)}`}
            >
              {holder.taskId} of another run
            </Link>
          )}
        </span>
      ))}
    </span>
  );
}
