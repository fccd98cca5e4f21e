import { expect, test } from "vitest";
import { planContentHash } from "#kernel/plan/content-hash";
import { parsePlan } from "#kernel/plan/parse";
import type { Plan } from "#kernel/plan/plan";

function plan(task: object, order: "given" | "turned" = "given"): Plan {
  const members = Object.entries({ id: "a", capability: "test.echo", ...task });
  const entries = order === "given" ? members : members.reverse();
  const parsed = parsePlan({ format: "planwright/v1", name: "p", tasks: [Object.fromEntries(entries)] });
  if (!parsed.ok) throw new Error(parsed.error[0]?.message);
  return parsed.value;
}

const hash = (task: object, order?: "given" | "turned") => planContentHash(plan(task, order));

test("where a card stands and how its keys are ordered say nothing about what a plan does", () => {
  expect(hash({ position: { x: 1, y: 2 } })).toBe(hash({}));
  expect(hash({ title: "A", arguments: { value: 1 } }, "turned")).toBe(hash({ title: "A", arguments: { value: 1 } }));
});

test("what a task does, and what it is called, does", () => {
  expect(hash({ arguments: { value: 1 } })).not.toBe(hash({ arguments: { value: 2 } }));
  expect(hash({ title: "A" })).not.toBe(hash({ title: "B" }));
});

test("an argument called __proto__ counts like any other", () => {
  const named = JSON.parse('{"arguments":{"__proto__":{"x":1}}}');
  expect(hash(named)).not.toBe(hash({ arguments: {} }));
});
