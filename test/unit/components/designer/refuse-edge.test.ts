import { describe, expect, it } from "vitest";
import { planSchema } from "#kernel/plan/plan";
import { graphOfPlan } from "#kernel/plan/plan-graph";
import { refuseEdge } from "../../../../components/designer/refuse-edge";

const chainOf = (ids: readonly string[]) =>
  graphOfPlan(
    planSchema.parse({
      format: "planwright/v1",
      name: "chain",
      tasks: ids.map((id, index) => ({ id, capability: "test.echo", dependsOn: index === 0 ? [] : [ids[index - 1]] })),
    }),
  );

describe("refuseEdge", () => {
  const graph = chainOf(["a", "b", "c"]);

  it("refuses an edge from a task to itself", () => {
    expect(refuseEdge(graph, "a", "a")).toBe("a cannot wait for itself");
  });

  it("names the whole path that an edge would close to a cycle", () => {
    expect(refuseEdge(graph, "c", "a")).toBe("This would close a cycle: a → b → c → a");
  });

  it("says that an edge is there already", () => {
    expect(refuseEdge(graph, "a", "b")).toBe("b already waits for a");
  });

  it("allows an edge that only repeats an order, since that is a matter of taste", () => {
    expect(refuseEdge(graph, "a", "c")).toBeUndefined();
  });

  it("shortens a long path in its middle", () => {
    const long = chainOf(["t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"]);
    expect(refuseEdge(long, "t8", "t1")).toBe("This would close a cycle: t1 → t2 → t3 → 4 more → t8 → t1");
  });
});
