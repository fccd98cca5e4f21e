import { taskDuration } from "#kernel/view/duration";
import { formatClock, formatDuration } from "#kernel/view/format";
import type { Frame } from "#kernel/view/frame";
import type { Timeline } from "#kernel/view/timeline";
import { displayStatusOf } from "../graph/encoding";
import { StatusWord } from "../graph/status";
import { Table, Td, Th } from "../ui/table";

export interface TaskTableProps {
  readonly frame: Frame;
  readonly timeline: Timeline;
  readonly selected: string | undefined;
  readonly onSelect: (taskId: string) => void;
}

/** Rows above this many would freeze the page; the graph and the Gantt show them all. */
const ROWS_MAX = 1_000;

/** Every task as a row: for reading numbers, and for whoever cannot use the picture. */
export function TaskTable({ frame, timeline, selected, onSelect }: TaskTableProps) {
  const { state, startedAt } = frame;
  const critical = new Set(frame.criticalPath);
  const waiting = new Map(frame.waiting.map((each) => [each.taskId, each]));
  const rows = timeline.lanes.slice(0, ROWS_MAX);
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <Table>
        <thead>
          <tr>
            <Th>Task</Th>
            <Th>Status</Th>
            <Th>Capability</Th>
            <Th numeric>Attempts</Th>
            <Th numeric>Ready at</Th>
            <Th numeric>Ended at</Th>
            <Th numeric>Duration</Th>
            <Th>Waits on</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((lane) => {
            const task = state.tasks.get(lane.taskId);
            if (task === undefined) return null;
            const wait = waiting.get(task.id);
            const duration = taskDuration(state, task, frame.at);
            return (
              <tr
                key={task.id}
                data-clickable="true"
                aria-selected={selected === task.id}
                onClick={() => onSelect(task.id)}
              >
                <Td className={critical.has(task.id) ? "font-medium" : undefined}>
                  <button type="button" className="max-w-60 cut" title={lane.title} onClick={() => onSelect(task.id)}>
                    {task.id}
                  </button>
                  {critical.has(task.id) ? <span className="ml-2 text-nano font-semibold text-fg-2">CP</span> : null}
                </Td>
                <Td>
                  <StatusWord status={displayStatusOf(task.status, wait?.hold?.type)} />
                </Td>
                <Td className="font-mono text-micro">{task.task.capability}</Td>
                <Td numeric>{task.attempts.length === 0 ? "–" : task.attempts.length}</Td>
                <Td numeric>{task.readyAt === undefined ? "–" : formatClock(task.readyAt - startedAt)}</Td>
                <Td numeric>{task.endedAt === undefined ? "–" : formatClock(task.endedAt - startedAt)}</Td>
                <Td numeric title={`from: ${duration.source}`}>
                  {duration.source === "actual" || duration.source === "elapsed" ? "" : "est. "}
                  {formatDuration(duration.ms)}
                </Td>
                <Td className="max-w-80 cut text-fg-2" title={wait?.text}>
                  {wait?.text ?? ""}
                </Td>
              </tr>
            );
          })}
        </tbody>
      </Table>
      {timeline.lanes.length > ROWS_MAX ? (
        <p className="p-3 text-small text-fg-3">
          The first {ROWS_MAX} of {timeline.lanes.length} tasks.
        </p>
      ) : null}
    </div>
  );
}
