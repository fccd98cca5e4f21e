import { existsSync } from "node:fs";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { err, ok, type Result } from "#kernel/result";
import type { RunEvent } from "#kernel/run/event";
import { fold } from "#kernel/run/reduce";
import type { RunState } from "#kernel/run/state";
import { diagnose } from "../formats/diagnose";
import { type Command, type Invocation, onlyPositional, optionText, positiveInteger } from "./command";
import { loadText, resolveFile } from "./load-plan";
import { printable } from "./print-diagnostics";
import { readEvents } from "./read-events";
import { refuse } from "./refuse";
import { countStatuses, reportState } from "./state-report";

export const replayCommand: Command = {
  help: `planwright replay RUN|FILE [--at SEQ|end] [--json]

The state of a run after one of its events, folded from its log; nothing is called.
RUN is the id of a run on the server; FILE holds events, as a JSON list or one a line; - is standard input.

  --at SEQ   after event SEQ; 0 is before the first; end, the default, is after the last`,
  options: { at: { type: "string" } },

  async run(invocation) {
    const source = onlyPositional(invocation, "RUN or FILE");
    const at = parseAt(optionText(invocation.values, "at") ?? "end");
    const events = await loadEvents(source, invocation);
    if (!events.ok) return refuse(invocation, source, events.error);
    const last = events.value.at(-1)?.seq ?? 0;
    if (at > last && at !== Number.POSITIVE_INFINITY) {
      const message = `There is no event ${at}; the last is ${last}.`;
      return refuse(invocation, source, [diagnose({ code: "schema", message })]);
    }
    const state = fold(events.value.filter((event) => event.seq <= at));
    if (invocation.json) invocation.io.print(JSON.stringify(reportState(state), null, 2));
    else for (const line of describeState(state, last)) invocation.io.print(printable(line));
    return 0;
  },
};

function parseAt(text: string): number {
  if (text === "end") return Number.POSITIVE_INFINITY;
  return text === "0" ? 0 : positiveInteger(text, "--at");
}

/** A file of that name comes first: run ids are long and random, so nobody names a file like one. */
async function loadEvents(source: string, { io }: Invocation): Promise<Result<RunEvent[], Diagnostic[]>> {
  if (source === "-" || existsSync(resolveFile(source))) {
    const text = await loadText(source, io);
    return text.ok ? readEvents(text.value) : text;
  }
  const { connect, refusalOf } = await import("./server-client");
  const client = await connect(io.checkout);
  if (!client.ok) {
    const message = `There is no file of this name, and no run can be looked up: ${client.error}`;
    return err([diagnose({ code: "schema", message })]);
  }
  try {
    const { events } = await client.value.api.runs.events.query({ runId: client.value.runId(source) });
    return ok(events);
  } catch (error) {
    return err([
      diagnose({
        code: "schema",
        message: `There is no file of this name, and the server says: ${refusalOf(error).message}`,
      }),
    ]);
  }
}

function describeState(state: RunState, last: number): string[] {
  const counts = Object.entries(countStatuses(state)).map(
    ([status, number]) => `${number} ${status.replaceAll("_", " ")}`,
  );
  const outcome = state.outcome === undefined ? "" : `, ${state.outcome}: ${state.outcomeReason ?? ""}`;
  const lines = [
    `${state.name || "(not created yet)"}: event ${state.lastSeq} of ${last}${state.lastSeq === 0 ? "" : `, ${new Date(state.lastAt).toISOString()}`}`,
    `  ${state.status}${outcome}${state.revision > 1 ? `, revision ${state.revision}` : ""}`,
    `  ${counts.length === 0 ? "no tasks" : counts.join(", ")}`,
  ];
  for (const task of state.tasks.values()) {
    const cause = task.cause === undefined ? "" : ` (${task.cause.message})`;
    lines.push(`  ${task.status.padEnd(18)}${task.id}${cause}`);
  }
  return lines;
}
