import { describe, expect, it } from "vitest";
import { testEcho } from "#kernel/capability/built-in/testing";
import { type Capability, registryOf, snapshotCapability } from "#kernel/capability/capability";
import type { JsonObject } from "#kernel/json";
import { applyEdit } from "#kernel/plan/edit";
import { parsePlan } from "#kernel/plan/parse";
import { renameReferences } from "#kernel/plan/rename-references";
import { analyzePlan } from "#kernel/plan/schedule";
import { viewSchema } from "#kernel/plan/schema-view";
import { validatePlan } from "#kernel/plan/validate";
import { TEST_REGISTRY } from "../../../support/kernel/valid-plans";

/** Far above what any of these takes; far below what a quadratic step would. */
const SECONDS_MAX = 30;

function within<Value>(run: () => Value): Value {
  const started = performance.now();
  const value = run();
  expect((performance.now() - started) / 1_000).toBeLessThan(SECONDS_MAX);
  return value;
}

const document = (tasks: readonly object[], rest: object = {}) => ({
  format: "planwright/v1",
  name: "bomb",
  tasks,
  ...rest,
});

const many = (count: number, task: (index: number) => object): object[] =>
  Array.from({ length: count }, (_, index) => ({ id: `t${index}`, capability: "test.echo", ...task(index) }));

function check(tasks: readonly object[], rest?: object) {
  const parsed = parsePlan(document(tasks, rest));
  if (!parsed.ok) throw new Error(parsed.error[0]?.message);
  analyzePlan(parsed.value);
  return validatePlan(parsed.value, { registry: TEST_REGISTRY });
}

describe("plans made to be slow", () => {
  it("a task with 100,000 parents, each named twice and referred to", () => {
    const parents = Array.from({ length: 50_000 }, (_, index) => `t${index}`);
    const tasks = many(50_000, () => ({}));
    tasks.push({
      id: "last",
      capability: "test.echo",
      dependsOn: [...parents, ...parents],
      arguments: { value: parents.map((id) => ({ $output: id })) },
    });
    const { graph } = within(() => check(tasks));
    expect(graph.edgeCount).toBe(50_000);
  });

  it("a chain of 100,000 tasks", () => {
    const { valid, order } = within(() =>
      check(many(100_000, (index) => (index === 0 ? {} : { dependsOn: [`t${index - 1}`] }))),
    );
    expect([valid, order?.length]).toEqual([true, 100_000]);
  });

  it("700 tasks that all depend on one another", () => {
    const tasks = many(700, (index) => ({
      dependsOn: Array.from({ length: 700 }, (_, other) => `t${other}`).filter((_, other) => other !== index),
    }));
    const { diagnostics } = within(() => check(tasks));
    expect(diagnostics.filter(({ code }) => code === "cycle")).toHaveLength(1);
  });

  it("every task wrong in several ways: all are reported up to the limit, and the rest is counted", () => {
    const tasks = many(20_000, (index) => ({
      capability: `nothing.${index}`,
      dependsOn: [`missing-${index}`],
      arguments: { value: `\${gone-${index}}` },
    }));
    const { diagnostics } = within(() => check(tasks));
    expect(diagnostics).toHaveLength(10_001);
    expect(diagnostics.at(-1)?.message).toContain("further problems");
  });

  it("one resource that every task writes", () => {
    const { diagnostics } = within(() => check(many(20_000, () => ({ writes: ["one"] }))));
    expect(diagnostics.some(({ code }) => code === "resource_conflict")).toBe(true);
  });

  it("texts of nothing but openings", () => {
    const text = "${".repeat(500_000);
    const parsed = parsePlan(document([{ id: "a", capability: "test.echo", arguments: { value: text } }]));
    if (!parsed.ok) throw new Error("not parsed");
    within(() => validatePlan(parsed.value, { registry: TEST_REGISTRY }));
    within(() => applyEdit(parsed.value, { type: "rename_task", taskId: "a", newId: "b" }));
    const escapes = "$${".repeat(300_000);
    expect(within(() => renameReferences(escapes, () => "x"))).toBe(escapes);
  });

  it("a schema that refers to itself twice in every branch", () => {
    const schema = { anyOf: [{ $ref: "#" }, { $ref: "#" }], allOf: [{ $ref: "#" }] } as unknown as JsonObject;
    within(() => viewSchema(schema, "/a/b/c"));
    const wild: Capability = { ...testEcho, name: "wild", outputSchema: schema, inputSchema: schema };
    const registry = registryOf([snapshotCapability(wild)]);
    const parsed = parsePlan(
      document([
        { id: "a", capability: "wild" },
        { id: "b", capability: "wild", arguments: { value: { $output: "a#/x/y" } } },
      ]),
    );
    if (!parsed.ok) throw new Error("not parsed");
    within(() => validatePlan(parsed.value, { registry }));
  });

  it("names a million characters long", () => {
    const long = "x".repeat(1_000_000);
    const parsed = within(() =>
      parsePlan(document([{ id: long, capability: long, [long]: 1, dependsOn: [long] }], { [long]: 1 })),
    );
    const messages = parsed.ok ? [] : parsed.error.map(({ message }) => message.length);
    expect(Math.max(...messages)).toBeLessThan(1_000);
  });
});
