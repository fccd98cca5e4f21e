import { describe, expect, it } from "vitest";
import { defineBuiltIn } from "#kernel/capability/built-in/define";
import { snapshotCapability } from "#kernel/capability/capability";
import type { Observation } from "#kernel/capability/observation";
import { BurnDown } from "#kernel/view/burn-down";
import { ModelRun, SUCCESS } from "../../../support/model-run";
import { randomOf } from "../../../support/random";
import { planOf } from "../../../support/run-fixture";

const ROUNDS = 100;
const READY = 160;
const IN_FLIGHT = 16;

const MODEL = snapshotCapability(
  defineBuiltIn({
    name: "storm.model",
    title: "Ask",
    description: "Uses tokens and money, up to what it declares.",
    inputSchema: { type: "object" },
    outputSchema: {},
    sideEffect: "write",
    idempotency: "key",
    costUsd: 0.1,
    tokensMax: 100,
    timeoutSeconds: 10,
    estimate: { p50Seconds: 1, p95Seconds: 1 },
  }),
);

const storm = (budgets: object): ModelRun =>
  new ModelRun(
    planOf(
      Array.from({ length: READY }, (_, index) => ({
        id: `t${index}`,
        capability: MODEL.name,
        arguments: {},
        retry: { maxAttempts: 3, backoffSeconds: 0 },
      })),
      { budgets },
    ),
    { inFlightLimit: IN_FLIGHT },
    { capabilities: [MODEL] },
  );

/**
 * Answers calls in a random order, some of them with a failure worth another attempt, until nothing runs.
 *
 * @param silent no call says what it used.
 */
function weather(run: ModelRun, random: () => number, watch: () => void, silent = false): void {
  run.decide();
  while (run.calls.size > 0) {
    expect(run.calls.size).toBeLessThanOrEqual(IN_FLIGHT);
    watch();
    const ids = [...run.calls.keys()];
    const id = ids[Math.floor(random() * ids.length)] ?? "";
    const usage = { tokens: Math.floor(random() * 101), costUsd: Math.round(random() * 10) / 100 };
    const fails = random() < 0.2;
    const observation: Observation = {
      status: fails ? "retryable" : "ok",
      sideEffect: fails ? "not_committed" : "committed",
      latencyMs: 1,
      ...(silent ? {} : { usage }),
      ...(fails ? { errorCategory: "unavailable" as const } : { output: null }),
    };
    run.answer(id, observation);
  }
}

describe(`R10 budgets under ${IN_FLIGHT} calls in flight and ${READY} ready tasks (${ROUNDS} rounds)`, () => {
  it.each([
    ["toolCalls", { toolCalls: 20 }, 20],
    ["toolCallsPerCapability.storm.model", { toolCallsPerCapability: { "storm.model": 20 } }, 20],
    ["sideEffects", { sideEffects: 20 }, 20],
    ["tokens", { tokens: 1_500 }, 1_500],
    ["costUsd", { costUsd: 1 }, 1],
    ["retries", { retries: 5 }, 5],
  ] as const)(
    "never exceeds %s, reservations of calls in progress included, and the stop names it",
    (name, budgets, limit) => {
      for (let round = 0; round < ROUNDS; round++) {
        const run = storm(budgets);
        const most = (): number => {
          const { tokens, costUsd, toolCalls, sideEffects, retries } = run.state.budgetUse;
          const open = run.state.inFlight.size;
          if (name === "tokens") return tokens + open * (MODEL.tokensMax ?? 0);
          if (name === "costUsd") return costUsd + open * (MODEL.costUsd ?? 0);
          if (name === "retries") return retries;
          return name === "sideEffects" ? sideEffects : toolCalls;
        };
        weather(run, randomOf(round + 1), () => expect(most()).toBeLessThanOrEqual(limit * (1 + 1e-9)));
        expect(most()).toBeLessThanOrEqual(limit * (1 + 1e-9));
        expect(run.state.outcome).toBe("stop_budget");
        expect([...run.state.tasks.values()].some(({ cause }) => cause?.code === `budget.${name}`)).toBe(true);
      }
    },
  );

  it.each([
    ["tokens", { tokens: 1_500 }, 1_500, 15],
    ["costUsd", { costUsd: 1 }, 1, 10],
  ] as const)("charges the declared %s of calls that do not say what they used", (name, budgets, limit, calls) => {
    for (let round = 0; round < ROUNDS; round++) {
      const run = storm(budgets);
      weather(run, randomOf(round + 1), () => {}, true);
      expect(run.state.budgetUse.toolCalls).toBe(calls);
      expect(run.state.budgetUse[name]).toBeCloseTo(limit);
      expect(run.state.outcome).toBe("stop_budget");
      const burnDown = new BurnDown().take(run.log, run.state);
      expect(burnDown.seriesOf(name).at(-1)?.spent).toBeCloseTo(run.state.budgetUse[name]);
    }
  });

  it("charges a fan-out for the calls of its instances alone", () => {
    const run = new ModelRun(
      planOf([{ id: "each", capability: MODEL.name, arguments: {}, forEach: { $literal: [1, 2, 3] } }]),
      {},
      { capabilities: [MODEL] },
    ).decide();
    for (const index of [0, 1, 2]) run.answer(`each[${index}]`, { ...SUCCESS, sideEffect: "committed" });
    expect(run.statusOf("each")).toBe("succeeded");
    expect(run.state.budgetUse).toMatchObject({ toolCalls: 3, tokens: 300 });
    expect(run.state.budgetUse.costUsd).toBeCloseTo(0.3);
  });

  it("draws as spent what the run says is spent, with nothing reserved at the end", () => {
    for (let round = 0; round < 10; round++) {
      const run = storm({ toolCalls: 60, costUsd: 4 });
      const burnDown = new BurnDown();
      weather(run, randomOf(round + 1), () => burnDown.take(run.log, run.state));
      burnDown.take(run.log, run.state);
      const last = (name: "toolCalls" | "tokens" | "costUsd" | "retries") => burnDown.seriesOf(name).at(-1);
      const use = run.state.budgetUse;
      expect(last("toolCalls")?.spent).toBe(use.toolCalls);
      expect(last("costUsd")?.spent).toBeCloseTo(use.costUsd);
      expect(last("costUsd")?.reserved).toBeCloseTo(0);
      expect(last("tokens")?.spent).toBe(use.tokens);
      expect(last("retries")?.spent ?? 0).toBe(use.retries);
    }
  });
});
