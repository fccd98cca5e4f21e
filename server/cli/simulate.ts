import { BUILT_IN_REGISTRY } from "#kernel/capability/built-in/registry";
import { durationsOf } from "#kernel/plan/durations";
import { graphOfPlan } from "#kernel/plan/plan-graph";
import { type DispatchPolicy, type Simulation, simulate } from "#kernel/plan/simulate";
import { count, diagnose } from "../formats/diagnose";
import { type Command, onlyPositional, optionText, positiveInteger, UsageError } from "./command";
import { displayName } from "./load-plan";
import { loadSoundPlan } from "./load-sound-plan";
import { printable } from "./print-diagnostics";
import { refuse } from "./refuse";

const POLICIES: ReadonlyMap<string, DispatchPolicy> = new Map([
  ["critical-path", "critical_path"],
  ["fifo", "fifo"],
]);

export const simulateCommand: Command = {
  help: `planwright simulate FILE --workers N [--policy critical-path|fifo] [--json]

What a run would take if every task took its expected time: who runs what and when, in seconds. The plan's
maxParallel and pools hold too.

  --workers N   tasks that run at once
  --policy P    critical-path, the default, starts the task with the longest remaining path first, as a run does;
                fifo the one that was ready first`,
  options: { workers: { type: "string" }, policy: { type: "string" } },

  async run(invocation) {
    const file = onlyPositional(invocation, "FILE");
    const { values, json, io } = invocation;
    const workersText = optionText(values, "workers");
    if (workersText === undefined) throw new UsageError("--workers N is missing.");
    const workers = positiveInteger(workersText, "--workers");
    const policyName = optionText(values, "policy") ?? "critical-path";
    const policy = POLICIES.get(policyName);
    if (policy === undefined) throw new UsageError(`--policy must be critical-path or fifo, found "${policyName}".`);

    const loaded = await loadSoundPlan(file, io);
    if (!loaded.ok) return refuse(invocation, displayName(file), loaded.error);
    const { plan } = loaded.value;
    const { seconds } = durationsOf(plan, { registry: BUILT_IN_REGISTRY });
    const simulation = simulate(graphOfPlan(plan), seconds, { workers, policy, plan });
    if (simulation === undefined) {
      return refuse(invocation, displayName(file), [diagnose({ code: "cycle", message: "The plan has a cycle." })]);
    }
    const { makespan, schedule, unscheduled } = simulation;
    if (json) {
      io.print(JSON.stringify({ makespan, schedule, ...(unscheduled.length === 0 ? {} : { unscheduled }) }, null, 2));
    } else {
      for (const line of describeSimulation(simulation)) io.print(printable(line));
    }
    if (unscheduled.length > 0)
      io.complain(`${count(unscheduled.length, "task")} could never start: a pool is too small.`);
    return unscheduled.length > 0 ? 1 : 0;
  },
};

function describeSimulation({ makespan, schedule }: Simulation): string[] {
  const number = (value: number) => String(Number(value.toFixed(3))).padStart(10);
  return [
    `makespan ${Number(makespan.toFixed(3))} s`,
    `${"start".padStart(10)}${"end".padStart(10)}  worker  task`,
    ...schedule.map(
      ({ task, start, end, worker }) => `${number(start)}${number(end)}  ${String(worker).padStart(6)}  ${task}`,
    ),
  ];
}
