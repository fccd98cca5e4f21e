import { describe, expect, it } from "vitest";
import { defineBuiltIn, objectSchema } from "#kernel/capability/built-in/define";
import { type Capability, snapshotCapability } from "#kernel/capability/capability";
import { grantsScope } from "#kernel/capability/scope";
import type { JsonObject } from "#kernel/json";
import { committed, succeeded } from "../../../server/capabilities/definition";
import { type Authorize, capabilityExecutor } from "../../../server/capabilities/executor";
import { callContext } from "../../support/call-context";

const define = (more: Partial<Capability> = {}) =>
  snapshotCapability(
    defineBuiltIn({
      name: "crm.update",
      title: "Update",
      description: "Updates.",
      inputSchema: objectSchema({ id: { type: "integer" } }),
      outputSchema: {},
      sideEffect: "write",
      timeoutSeconds: 10,
      estimate: { p50Seconds: 1, p95Seconds: 1 },
      ...more,
    }),
  );

function executorOf(capability: ReturnType<typeof define>, authorize?: Authorize) {
  const calls: unknown[] = [];
  const call = (callArguments: unknown) => {
    calls.push(callArguments);
    return committed(null);
  };
  const executor = capabilityExecutor([{ capability, call }], authorize === undefined ? {} : { authorize });
  return { executor, calls };
}

describe("the boundary before a call", () => {
  it.each([
    ["the capability is another one than was validated", { fingerprint: "0".repeat(64) }, { id: 1 }, "policy_denied"],
    ["the arguments do not fit", {}, { id: "one" }, "invalid_arguments"],
    ["the actor may not", {}, { id: 1 }, "policy_denied"],
  ])("sends nothing where %s, and says so terminally", async (_why, context, callArguments, errorCategory) => {
    const { executor, calls } = executorOf(define(), async () => "Not in the workspace any more.");
    const observation = await executor.call("crm.update@1", callArguments, callContext(context));
    expect(observation).toMatchObject({ status: "terminal", errorCategory, sideEffect: "none" });
    expect(calls).toEqual([]);
  });

  it("asks who the actor is at every call, whatever it does and requires", async () => {
    let asked = 0;
    const authorize: Authorize = async () => {
      asked += 1;
      return undefined;
    };
    for (const [more, times] of [
      [{}, 2],
      [{ sideEffect: "none", requires: ["crm:read"] }, 2],
      [{ sideEffect: "read" }, 2],
      [{ sideEffect: "none" }, 2],
    ] as const) {
      asked = 0;
      const { executor } = executorOf(define(more as Partial<Capability>), authorize);
      for (let call = 0; call < 2; call++) await executor.call("crm.update", { id: 1 }, callContext());
      expect(asked).toBe(times);
    }
  });

  it("asks for the scopes of the very arguments that are sent, and sends nothing where one cannot be told", async () => {
    const asked: (readonly string[])[] = [];
    const authorize: Authorize = async ({ scopes }) => {
      asked.push(scopes);
      return grantsScope(["crm:update:7"], scopes[0] ?? "") ? undefined : `${scopes[0]} is missing.`;
    };
    const { executor, calls } = executorOf(
      define({ requires: ["crm:update:${id}"], inputSchema: { type: "object" } }),
      authorize,
    );
    const call = (callArguments: JsonObject) => executor.call("crm.update@1", callArguments, callContext());
    expect(await call({ id: 7 })).toMatchObject({ status: "ok" });
    expect(await call({ id: "*" })).toMatchObject({
      status: "terminal",
      errorCategory: "policy_denied",
      errorCode: "not_authorized",
      message: "crm:update:%2A is missing.",
      // Else it would be charged what its capability declares, although nothing was sent.
      usage: { tokens: 0, costUsd: 0 },
    });
    expect(await call({})).toMatchObject({
      status: "terminal",
      errorCode: "scope_unknown",
      sideEffect: "none",
      usage: { tokens: 0, costUsd: 0 },
    });
    expect(asked).toEqual([["crm:update:7"], ["crm:update:%2A"]]);
    expect(calls).toEqual([{ id: 7 }]);
  });

  it("asks the newest version of a built-in what an earlier one requires", async () => {
    const asked: (readonly string[])[] = [];
    const authorize: Authorize = async ({ scopes }) => {
      asked.push(scopes);
      return undefined;
    };
    const implementationOf = (more: Partial<Capability>) => ({ capability: define(more), call: () => committed(null) });
    const executor = capabilityExecutor(
      [implementationOf({}), implementationOf({ version: 2, requires: ["crm:update:${id}"] })],
      { authorize },
    );
    const { fingerprint } = define();
    expect(await executor.call("crm.update@1", { id: 7 }, callContext({ fingerprint }))).toMatchObject({
      status: "ok",
    });
    expect(asked).toEqual([["crm:update:7"]]);
  });

  it("has sent nothing where authority could not be asked, and says so", async () => {
    const { executor, calls } = executorOf(define(), async () => {
      throw new Error("The database gave no answer.");
    });
    const observation = await executor.call("crm.update@1", { id: 1 }, callContext());
    expect(observation).toMatchObject({ status: "terminal", errorCategory: "internal", sideEffect: "none" });
    expect(calls).toEqual([]);
  });

  it("calls nothing while the run may be somebody else's, be it since the checks began", async () => {
    let isHeld = true;
    const abort = new AbortController();
    const { executor, calls } = executorOf(define(), async () => {
      isHeld = false;
      return undefined;
    });
    const context = callContext({ signal: abort.signal, isHeld: () => isHeld });
    const zombie = executor.call("crm.update", { id: 1 }, context);
    setTimeout(() => abort.abort(new Error("The driver has let go.")), 50);
    expect(await zombie).toMatchObject({ errorCategory: "cancelled", sideEffect: "not_committed" });
    expect(calls).toEqual([]);

    const renewed = executor.call("crm.update", { id: 2 }, callContext({ isHeld: () => isHeld }));
    setTimeout(() => {
      isHeld = true;
    }, 50);
    expect(await renewed).toMatchObject({ status: "ok" });
    expect(calls).toEqual([{ id: 2 }]);
  });

  it("hands on the very arguments that were checked", async () => {
    const { executor, calls } = executorOf(define());
    const given = { id: 7 };
    await executor.call("crm.update", given, callContext());
    expect(calls[0]).toBe(given);
  });

  it("grants a scope by its name, by its area and by everything, and by nothing else", () => {
    expect(grantsScope(["crm:read"], "crm:read")).toBe(true);
    expect(grantsScope(["crm:*"], "crm:read")).toBe(true);
    expect(grantsScope(["*"], "crm:read")).toBe(true);
    expect(grantsScope(["crm:read", "crmx:*", ""], "crm:write")).toBe(false);
    expect(grantsScope([], "crm:read")).toBe(false);
  });

  it("makes the reading call that a capability wants first, with its arguments, and nothing where it does not hold", async () => {
    const reads: unknown[] = [];
    const read = snapshotCapability({
      ...define({ sideEffect: "read" }),
      name: "crm.get",
      inputSchema: { type: "object" },
    });
    const preconditions = [
      { capability: "crm.get@1", arguments: { key: { $argument: "/id" } } as never, expect: { pointer: "/open" } },
    ];
    for (const [output, sent] of [
      [{ open: true }, 1],
      [{ open: false }, 0],
      [{}, 0],
    ] as const) {
      const calls: unknown[] = [];
      const executor = capabilityExecutor([
        {
          capability: define({ preconditions }),
          call: (given) => {
            calls.push(given);
            return committed(null);
          },
        },
        {
          capability: read,
          call: (given) => {
            reads.push(given);
            return succeeded(output);
          },
        },
      ]);
      const observation = await executor.call("crm.update", { id: 7 }, callContext());
      expect(calls).toHaveLength(sent);
      if (sent === 0) {
        expect(observation).toMatchObject({ status: "terminal", errorCode: "precondition_failed", sideEffect: "none" });
      }
    }
    expect(reads).toEqual([{ key: 7 }, { key: 7 }, { key: 7 }]);
  });

  it("checks nothing by a call that could change something", async () => {
    const preconditions = [{ capability: "crm.update@1", arguments: {} as never, expect: { pointer: "" } }];
    const { executor, calls } = executorOf(define({ preconditions }));
    expect(await executor.call("crm.update", { id: 7 }, callContext())).toMatchObject({ status: "terminal" });
    expect(calls).toEqual([]);
  });
});
