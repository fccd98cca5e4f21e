import { graphOfPlan } from "#kernel/plan/plan-graph";
import { readySet } from "#kernel/plan/ready";
import { diagnose, quote } from "../formats/diagnose";
import { type Command, commaList, onlyPositional, optionText } from "./command";
import { displayName } from "./load-plan";
import { loadSoundPlan } from "./load-sound-plan";
import { refuse } from "./refuse";

export const readyCommand: Command = {
  help: `planwright ready FILE [--done a,b] [--json]

Which tasks may start once the given ones are done: those whose predecessors are all among them.

  --done a,b   ids of finished tasks; without it nothing is finished`,
  options: { done: { type: "string" } },

  async run(invocation) {
    const file = onlyPositional(invocation, "FILE");
    const loaded = await loadSoundPlan(file, invocation.io);
    if (!loaded.ok) return refuse(invocation, displayName(file), loaded.error);
    const graph = graphOfPlan(loaded.value.plan);
    const done = commaList(optionText(invocation.values, "done") ?? "");
    const unknown = done.filter((id) => !graph.indexOf.has(id));
    if (unknown.length > 0) {
      const problems = unknown.map((id) =>
        diagnose({ code: "missing_dependency", message: `--done names ${quote(id)}, which is no task of this plan.` }),
      );
      return refuse(invocation, displayName(file), problems);
    }
    const ready = readySet(graph, new Set(done));
    if (invocation.json) invocation.io.print(JSON.stringify({ ready }, null, 2));
    else for (const id of ready) invocation.io.print(id);
    return 0;
  },
};
