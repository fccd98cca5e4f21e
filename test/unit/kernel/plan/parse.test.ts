import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePlan } from "#kernel/plan/parse";
import { parseTaskFast } from "#kernel/plan/parse-task";
import { taskSchema } from "#kernel/plan/plan";

const parsed = (value: unknown) => {
  const result = parsePlan(value);
  return result.ok ? [] : result.error.map(({ code, pointer }) => [code, pointer]);
};
const plan = (...tasks: unknown[]) => ({ format: "planwright/v1", name: "test", tasks });

describe("parsePlan", () => {
  it("fills in defaults", () => {
    const result = parsePlan(plan({ id: "a", capability: "test.echo" }));
    expect(result.ok && result.value.tasks[0]).toEqual({
      id: "a",
      capability: "test.echo",
      arguments: {},
      dependsOn: [],
      reads: [],
      writes: [],
      join: "all_succeeded",
      onFailure: "cancel_dependents",
    });
  });

  it("P1 names every problem at once, each at its place, in document order", () => {
    expect(
      parsed({
        ...plan(
          { id: "a b", capability: 5, dependsOn: ["x", "not/an/id"] },
          { id: "a", capability: "c", when: { all: [{ status: "x" }] } },
          { id: "a", capability: "c", retry: {} },
        ),
        extra: 1,
      }),
    ).toEqual([
      ["schema", "/extra"],
      ["schema", "/tasks/0/capability"],
      ["task_id_invalid", "/tasks/0/dependsOn/1"],
      ["task_id_invalid", "/tasks/0/id"],
      ["schema", "/tasks/1/when/all/0/is"],
      ["duplicate_task_id", "/tasks/2/id"],
      ["schema", "/tasks/2/retry/maxAttempts"],
    ]);
  });

  it("P2 refuses what a planner writes to grant itself trust, and says so", () => {
    const result = parsePlan({
      ...plan({ id: "a", capability: "c", approved: true, approvedBy: "me", gate: null, role: "admin" }),
      budget: 1e9,
    });
    const found = result.ok ? [] : result.error;
    expect(found.map(({ pointer }) => pointer)).toEqual([
      "/budget",
      "/tasks/0/approved",
      "/tasks/0/approvedBy",
      "/tasks/0/gate",
      "/tasks/0/role",
    ]);
    for (const { message } of found) expect(message).toContain("cannot grant trust");
  });

  it("P3 keeps arguments named like parts of a prototype and pollutes nothing", () => {
    const text = '{"__proto__":{"polluted":1},"constructor":{"name":"x"},"toString":"y","hasOwnProperty":1}';
    const value = JSON.parse(
      `{"format":"planwright/v1","name":"n","pools":{"__proto__":2},"tasks":[{"id":"constructor","capability":"c","arguments":${text},"uses":{"__proto__":1,"toString":2}}]}`,
    ) as unknown;
    const result = parsePlan(value);
    expect(JSON.stringify(result.ok && result.value.tasks[0]?.arguments)).toBe(text);
    expect(JSON.stringify(result.ok && result.value.tasks[0]?.uses)).toBe('{"__proto__":1,"toString":2}');
    expect(JSON.stringify(result.ok && result.value.pools)).toBe('{"__proto__":2}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(parsed(JSON.parse('{"format":"planwright/v1","name":"n","tasks":[],"__proto__":{"a":1}}'))).toEqual([
      ["schema", "/__proto__"],
    ]);
    expect(parsed(plan({ id: "__proto__", capability: "c" }))).toEqual([["task_id_invalid", "/tasks/0/id"]]);
  });

  it.each(["a.b", "A-1_x", "0", "then", "length", "valueOf", "toString"])("P4 takes %s as a task id", (id) => {
    expect(parsed(plan({ id, capability: "c" }))).toEqual([]);
  });

  it.each([
    "",
    " a",
    "a b",
    "é",
    "e\u0301",
    "a/b",
    "-a",
    ".a",
    "a\u200b",
    "😀",
    "a\n",
    "x".repeat(129),
    "x".repeat(1e6),
  ])("P4 refuses %j as a task id", (id) => {
    expect(parsed(plan({ id, capability: "c" }))).toEqual([["task_id_invalid", "/tasks/0/id"]]);
  });

  it("P5 refuses what is too deep, too long or too much, without walking it to the end", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = { deep };
    expect(parsed(plan({ id: "a", capability: "c", arguments: { deep } }))[0]?.[0]).toBe("limit_exceeded");
    const wide: unknown[] = [];
    let bomb: unknown = "lol";
    for (let level = 0; level < 40; level++) bomb = [bomb, bomb];
    expect(parsed(plan({ id: "a", capability: "c", arguments: { bomb } }))).toEqual([["limit_exceeded", ""]]);
    for (let index = 0; index <= 100_000; index++) wide.push({ id: `t${index}`, capability: "c" });
    expect(parsed(plan(...wide))).toEqual([["limit_exceeded", "/tasks"]]);
  });

  it("P6 answers with diagnostics for any value, JSON or not", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const throwing = Object.defineProperty({}, "tasks", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    for (const value of [cyclic, throwing, revoked.proxy, new Date(), new Map(), () => 1, Symbol("x"), 1n, undefined]) {
      expect(parsed(value).length).toBeGreaterThan(0);
      expect(parsed(plan({ id: "a", capability: "c", arguments: { value: [value] } })).length).toBeGreaterThan(0);
    }
    fc.assert(fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (value) => !parsePlan(value).ok));
  });

  const anyTask = fc.record(
    {
      id: fc.oneof(fc.constantFrom("a", "b-1", "", "x y"), fc.integer()),
      title: fc.oneof(fc.string(), fc.constant(undefined), fc.string({ minLength: 1_001, maxLength: 1_002 })),
      capability: fc.oneof(fc.constantFrom("test.echo", "", "x".repeat(141)), fc.constant(null)),
      arguments: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
      dependsOn: fc.oneof(fc.array(fc.constantFrom("a", "b", "")), fc.constant("a")),
      estimate: fc.oneof(fc.record({ seconds: fc.double() }), fc.constantFrom(1, {}, { seconds: 1, more: 2 })),
      reads: fc.oneof(fc.array(fc.string()), fc.constant("x")),
      uses: fc.dictionary(fc.constantFrom("gpu", "__proto__"), fc.constantFrom(1, 0, "1")),
      forEach: fc.constantFrom(null, undefined, { $output: "a" }, "x"),
      maxItems: fc.constantFrom(0, 5, -1, 1.5),
      join: fc.constantFrom("all_done", "none_failed", "toString", "x"),
      onFailure: fc.constantFrom("continue", "stop"),
      when: fc.constantFrom(true, { status: "a", is: "failed" }, { all: [] }),
      timeoutSeconds: fc.constantFrom(0, 1, -1, Number.NaN, 1e12),
      retry: fc.constantFrom({ maxAttempts: 2 }, { maxAttempts: 0 }),
      position: fc.constantFrom({ x: 1, y: 2 }, { x: 1 }, { x: 1, y: 2, z: 3 }, { x: Number.NaN, y: 0 }),
      approved: fc.constant(true),
      toString: fc.constant("x"),
    },
    { requiredKeys: [] },
  );

  it("P7 reads a plain task exactly as the schema does", () => {
    fc.assert(
      fc.property(anyTask, (value) => {
        const fast = parseTaskFast(value);
        const slow = taskSchema.safeParse(value);
        if (fast !== undefined) expect({ success: true, data: fast }).toEqual(slow);
      }),
      { numRuns: 2_000 },
    );
  });
});
