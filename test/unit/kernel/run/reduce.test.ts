import { describe, expect, it } from "vitest";
import { runTaskIdSchema } from "#kernel/ids";
import type { NewRunEvent } from "#kernel/run/event";
import { append, planOf, startedRun } from "../../../support/run-fixture";

const succeeded = (taskId: string, output: number | string = "ok", at = 1): NewRunEvent => ({
  type: "task_succeeded",
  taskId: runTaskIdSchema.parse(taskId),
  attempt: 1,
  startedAt: at,
  at,
  observation: { status: "ok", output, sideEffect: "none", latencyMs: 1 },
});

describe("reduce", () => {
  it("R1 makes B and C ready, and D not, when only A of the diamond has ended", () => {
    const plan = planOf([
      { id: "A" },
      { id: "B", dependsOn: ["A"] },
      { id: "C", dependsOn: ["A"] },
      { id: "D", dependsOn: ["B", "C"] },
    ]);
    const state = append(startedRun(plan), succeeded("A"));
    expect([...state.ready].sort()).toEqual(["B", "C"]);
    expect(state.tasks.get("D")?.status).toBe("pending");
  });
});
