import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BUILT_IN_CAPABILITIES } from "#kernel/capability/built-in/registry";
import { builtInExecutor } from "../../../server/capabilities/built-in";
import { callContext } from "../../support/call-context";

const folder = mkdtempSync(join(tmpdir(), "planwright-capabilities-"));
const ledgerFile = join(folder, "ledger.jsonl");
const executor = builtInExecutor({
  folderOf: (workspaceId) => join(folder, workspaceId),
  ledgerFile,
  addressPolicy: { allowedHosts: [], allowedPrivate: [] },
});
const call = (capability: string, args: object, context = callContext()) =>
  executor.call(capability, args as never, context);

describe("the built-in executor", () => {
  it("implements every built-in capability, with the same fingerprint as the registry shows", () => {
    for (const capability of BUILT_IN_CAPABILITIES)
      expect(executor.registry.find(capability.name)?.fingerprint).toBe(capability.fingerprint);
  });

  it("refuses arguments that do not fit the schema before it calls, naming the place", async () => {
    const observation = await call("wait.sleep", { seconds: "long" });
    expect(observation).toMatchObject({ status: "terminal", errorCategory: "invalid_arguments", sideEffect: "none" });
    expect(observation.message).toContain("/seconds");
  });

  it("answers capability_gone for a name that nothing implements, never the nearest one", async () => {
    expect(await call("wait.sleeep", {})).toMatchObject({ status: "terminal", errorCategory: "capability_gone" });
  });

  it("fills a template in and reports every name without a value", async () => {
    const values = { name: "Ada", __proto__: null, n: 3 };
    expect(await call("text.template", { template: "{{name}} has {{ n }}", values })).toMatchObject({
      output: { text: "Ada has 3" },
    });
    const missing = await call("text.template", { template: "{{toString}} {{x}}", values: {} });
    expect(missing).toMatchObject({ status: "terminal", errorCategory: "invalid_arguments" });
    expect(missing.message).toMatch(/toString.*x/);
  });

  it("does not expand a value that looks like a placeholder again", async () => {
    const answer = await call("text.template", { template: "{{a}}", values: { a: "{{b}}", b: "secret" } });
    expect(answer.output).toEqual({ text: "{{b}}" });
  });

  it("joins texts under a heading", async () => {
    const answer = await call("text.join", { parts: ["a", 2], heading: "Brief", separator: "\n" });
    expect(answer.output).toEqual({ text: "Brief\na\n2" });
  });

  it("transforms JSON with JMESPath and says what is wrong with an expression", async () => {
    const input = { rows: [{ n: 1 }, { n: 5 }] };
    expect((await call("json.transform", { input, expression: "rows[?n > `2`].n" })).output).toEqual({ result: [5] });
    expect(await call("json.transform", { input, expression: "rows[" })).toMatchObject({ status: "terminal" });
  });

  it.each([
    ["(3 + x) / 2", { x: 5 }, 4],
    ["2^10", {}, 1024],
    ["x > 3", { x: 4 }, true],
    ["sqrt(16) * -1", {}, -4],
  ])("calculates %s", async (expression, variables, result) => {
    expect((await call("math.evaluate", { expression, variables })).output).toEqual({ result });
  });

  it.each([
    "1/0",
    "import({a: 1})",
    "evaluate('1')",
    "cos.constructor('return 1')()",
    "f(x) = x",
    "zeros(100000)",
    "a",
  ])("refuses %s instead of answering nonsense", async (expression) => {
    expect(await call("math.evaluate", { expression })).toMatchObject({
      status: "terminal",
      errorCategory: "invalid_arguments",
    });
  });

  it("ends a sleep at once when it is cancelled", async () => {
    const controller = new AbortController();
    const sleeping = call("wait.sleep", { seconds: 600 }, callContext({ signal: controller.signal }));
    controller.abort(new DOMException("The run was cancelled.", "AbortError"));
    expect(await sleeping).toMatchObject({ status: "terminal", errorCategory: "cancelled", sideEffect: "none" });
  });

  it("tells a time limit from a cancellation", async () => {
    const signal = AbortSignal.timeout(5);
    expect(await call("test.sleep", { ms: 60_000 }, callContext({ signal }))).toMatchObject({
      status: "retryable",
      errorCategory: "timeout",
    });
  });

  it("fails the first attempts of test.flaky by attempt number, so that a repeat of the same attempt is the same", async () => {
    const args = { failures: 2 };
    for (const attempt of [1, 2, 1])
      expect((await call("test.flaky", args, callContext({ attempt }))).status).toBe("retryable");
    expect((await call("test.flaky", args, callContext({ attempt: 3 }))).output).toEqual({ attempt: 3 });
    expect((await call("test.flaky", { ...args, kind: "terminal" })).status).toBe("terminal");
  });

  it("writes one ledger line a call and counts a repeated key once", async () => {
    await call("test.count", { key: "k" }, callContext({ idempotencyKey: "r:t:1" }));
    const again = await call("test.count", { key: "k" }, callContext({ idempotencyKey: "r:t:1" }));
    expect(again).toMatchObject({ output: { count: 1 }, sideEffect: "committed", stateChanged: false });
    expect(readFileSync(ledgerFile, "utf8").trim().split("\n")).toHaveLength(2);
  });

  it("fails as asked with test.fail", async () => {
    expect(await call("test.fail", { category: "forbidden", message: "No." })).toMatchObject({
      status: "terminal",
      errorCategory: "forbidden",
      message: "No.",
    });
  });
});
