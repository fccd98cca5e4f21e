import path from "node:path";
import { BUILT_IN_REGISTRY } from "#kernel/capability/built-in/registry";
import { validatePlan } from "#kernel/plan/validate";
import type { RunEvent, RunEventOf } from "#kernel/run/event";
import { describeEvent } from "#kernel/view/event-text";
import { checkSchema } from "../capabilities/schema-check";
import { placeDiagnostics } from "../formats/finish-import";
import { exportJson } from "../formats/native-export";
import { type Command, type ExitCode, type Invocation, onlyPositional } from "./command";
import { displayName, loadPlan } from "./load-plan";
import { printable } from "./print-diagnostics";
import { refuse } from "./refuse";
import { connect, refusalOf, type ServerConnection } from "./server-client";

export const runCommand: Command = {
  help: `planwright run FILE [--approve-all] [--json]

Runs a plan on the running server and prints its events, one a line, as they come. --json prints each as JSON.
Ends with 0 when the run completed, with 1 when it ended otherwise or could not start.

The server and the key come from .planwright/cli.json, which npm start writes, or from PLANWRIGHT_URL and
PLANWRIGHT_API_KEY. Interrupting stops the following, not the run.

  --approve-all   sign every gate as the second person (approverApiKey, PLANWRIGHT_APPROVER_API_KEY): for trying a
                  plan out, where nobody else is there to sign`,
  options: { "approve-all": { type: "boolean" } },

  async run(invocation) {
    const file = onlyPositional(invocation, "FILE");
    const { io } = invocation;
    const loaded = await loadPlan(file, io);
    if (!loaded.ok) return refuse(invocation, displayName(file), loaded.error);
    const { plan, locate } = loaded.value;
    const validation = validatePlan(plan, { registry: BUILT_IN_REGISTRY, checkSchema });
    if (!validation.valid) {
      return refuse(invocation, displayName(file), placeDiagnostics(validation.diagnostics, locate));
    }
    const connection = await connect(io.checkout);
    if (!connection.ok) return fail(invocation, "offline", `Nothing was run: ${connection.error}`);
    const { api, url } = connection.value;
    try {
      const imported = await api.plans.import.mutate({
        fileName: file === "-" ? "plan.json" : `${path.basename(file).slice(0, 240)}.json`,
        content: { encoding: "text", data: exportJson(plan) },
        reuse: true,
      });
      const { runId } = await api.runs.start.mutate({ planId: imported.planId });
      io.complain(`Run ${runId}: ${new URL(`/runs/${runId}`, url).href}`);
      return await follow(runId, connection.value, invocation);
    } catch (error) {
      const refusal = refusalOf(error);
      return fail(invocation, refusal.code, refusal.message);
    }
  },
};

function fail({ json, io }: Invocation, code: string, message: string): ExitCode {
  if (json) io.print(JSON.stringify({ error: { code, message } }));
  io.complain(printable(message));
  return 1;
}

/** Prints the run's events until it has finished. */
function follow(runId: string, connection: ServerConnection, invocation: Invocation): Promise<ExitCode> {
  const { io, json, values } = invocation;
  return new Promise((resolve) => {
    let lastSeq = 0;
    const gateTasks = new Map<string, string>();
    const stopOnInterrupt = () => {
      io.complain(`The run goes on: ${new URL(`/runs/${runId}`, connection.url).href}`);
      end(1);
    };
    const end = (code: ExitCode) => {
      process.off("SIGINT", stopOnInterrupt);
      subscription.unsubscribe();
      resolve(code);
    };
    const take = (event: RunEvent) => {
      if (event.seq <= lastSeq) return;
      lastSeq = event.seq;
      if (event.type === "approval_requested" && event.taskId !== undefined) gateTasks.set(event.gateId, event.taskId);
      io.print(json ? JSON.stringify(event) : formatEvent(event, gateTasks));
      if (event.type === "approval_requested")
        void answerGate(event, connection, values["approve-all"] === true, invocation);
      if (event.type === "run_finished") end(event.outcome === "completed" ? 0 : 1);
    };
    const subscription = connection.api.events.stream.subscribe(
      { runs: [{ runId: connection.runId(runId), afterSeq: 0 }], inbox: false },
      {
        onData({ data: message }) {
          if (message.type === "run_events") for (const event of message.events) take(event);
          if (message.type === "run_gone") end(fail(invocation, "not_found", "The run is not there any more."));
        },
        onError(error) {
          const refusal = refusalOf(error);
          end(fail(invocation, refusal.code, refusal.message));
        },
      },
    );
    process.once("SIGINT", stopOnInterrupt);
  });
}

/** Signs a gate, or says who has to. A refusal is told and the run is followed further: somebody else may sign. */
async function answerGate(
  gate: RunEventOf<"approval_requested">,
  { signer, url }: ServerConnection,
  approveAll: boolean,
  { io }: Invocation,
): Promise<void> {
  const { gateId, nonce, argumentsHash, question, taskId } = gate;
  const what = taskId === undefined ? "The plan" : `Task ${taskId}`;
  const link = new URL(`/approvals?gate=${encodeURIComponent(gateId)}`, url).href;
  if (!approveAll || question !== undefined) {
    io.complain(`${what} waits for ${question === undefined ? "a signature" : "an answer"}: ${link}`);
    return;
  }
  try {
    await signer.gates.decide.mutate({
      gateId,
      nonce,
      argumentsHash,
      decision: "approve",
      reason: "run --approve-all",
    });
  } catch (error) {
    io.complain(printable(`${what} was not signed: ${refusalOf(error).message} ${link}`));
  }
}

function formatEvent(event: RunEvent, gateTasks: ReadonlyMap<string, string>): string {
  const time = new Date(event.at).toISOString().slice(11, 23);
  return printable(
    `${String(event.seq).padStart(4)}  ${time}  ${event.type.padEnd(21)} ${describeEvent(event, (gateId) => gateTasks.get(gateId)).text}`,
  );
}
