"use client";

import { formatSeconds } from "../ui/duration";
import { EmptyState } from "../ui/empty-state";
import { SkeletonRows } from "../ui/skeleton";
import { CycleNotice } from "./cycle-notice";
import { useDesignerModel } from "./designer-view-model";
import { useGestures } from "./use-gestures";

const SHOWN_TASKS_MAX = 60;

export interface ReadySetsTabProps {
  readonly onHoverWave: (wave: ReadonlySet<string> | undefined) => void;
}

/** Waves as columns, for reading: when the run comes, a task starts as soon as its own parents allow it. */
export function ReadySetsTab({ onHoverWave }: ReadySetsTabProps) {
  const { analysis, graph } = useDesignerModel();
  const gestures = useGestures();
  const result = analysis.result;
  if (result === undefined) return <SkeletonRows rows={4} label="Finding the ready sets" />;
  if (result.analysis === undefined) return <CycleNotice />;
  const { levels } = result.analysis;
  if (levels.length === 0) return <EmptyState title="No tasks, no waves" />;
  return (
    <ol className="flex h-full min-w-full" aria-label="Waves">
      {levels.map((ids, level) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: a wave is its number
          key={level}
          className="min-w-36 flex-1 overflow-auto border-r border-hairline px-1 py-2 last:border-0"
          onMouseEnter={() => onHoverWave(new Set(ids))}
          onMouseLeave={() => onHoverWave(undefined)}
        >
          <div className="label mb-1 flex justify-between gap-2 px-2">
            <span>Wave {level + 1}</span>
            <span>{ids.length}</span>
          </div>
          <ul>
            {ids.slice(0, SHOWN_TASKS_MAX).map((id) => (
              <li key={id}>
                <button
                  type="button"
                  className="list-row rounded-control px-2"
                  style={{ height: 24 }}
                  title={id}
                  onClick={() => gestures.reveal(id)}
                >
                  <span className="cut flex-1">{id}</span>
                  <span className="number text-fg-3">
                    {formatSeconds(result.durations.seconds[graph.indexOf.get(id) ?? -1])}
                  </span>
                </button>
              </li>
            ))}
            {ids.length > SHOWN_TASKS_MAX ? (
              <li className="px-2 text-small text-fg-3">{ids.length - SHOWN_TASKS_MAX} more</li>
            ) : null}
          </ul>
        </li>
      ))}
    </ol>
  );
}
