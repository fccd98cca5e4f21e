import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BUILT_IN_REGISTRY } from "#kernel/capability/built-in/registry";
import { canonicalJson } from "#kernel/json";
import { diffPlans } from "#kernel/plan/diff";
import { validatePlan } from "#kernel/plan/validate";
import { type RunEvent, runEventSchema } from "#kernel/run/event";
import { applyEvent, createRunState, fold } from "#kernel/run/reduce";
import { isTerminal } from "#kernel/run/status";
import { sha256 } from "#kernel/sha256";
import { gapOf } from "#kernel/view/gap";
import { buildTimeline } from "#kernel/view/timeline";
import { checkoutErrorSpike, incidentText } from "../../support/checkout-error-spike";

const FOLDER = `${import.meta.dirname}/../../../public/incidents`;
const readIncident = (file: string): readonly RunEvent[] =>
  z.array(runEventSchema).parse(JSON.parse(readFileSync(`${FOLDER}/${file}`, "utf8")));

describe.each(readdirSync(FOLDER).filter((file) => file.endsWith(".json")))("recorded incident %s", (file) => {
  const events = readIncident(file);

  it("has contiguous events from 1 whose times never run backwards", () => {
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    for (let at = 1; at < events.length; at++) {
      expect(events[at]?.at).toBeGreaterThanOrEqual(events[at - 1]?.at ?? 0);
    }
  });

  it("starts no task before its own parents allow it, and ends each once", () => {
    const state = createRunState();
    for (const event of events) {
      if (event.type === "task_dispatched") expect(state.ready.has(event.taskId), `${event.seq}`).toBe(true);
      if (event.type === "task_succeeded" || event.type === "task_failed") {
        expect(isTerminal(state.tasks.get(event.taskId)?.status ?? "failed"), `${event.seq}`).toBe(false);
      }
      applyEvent(state, event);
    }
  });

  it("runs no gated task before its gate is signed, by somebody who is not excluded, for the hash that was asked", () => {
    for (const event of events) {
      if (event.type !== "approval_decided") continue;
      const request = events.find((each) => each.type === "approval_requested" && each.gateId === event.gateId);
      if (request?.type !== "approval_requested") throw new Error(`No request for ${event.gateId}`);
      expect(request.argumentsHash).toBe(sha256(canonicalJson(request.arguments)));
      expect(event.argumentsHash).toBe(request.argumentsHash);
      expect(request.excluded.map((person) => person.id)).not.toContain(event.by.id);
    }
    const state = createRunState();
    for (const event of events) {
      const task = event.type === "task_dispatched" ? state.tasks.get(event.taskId) : undefined;
      if (task?.task.approval !== undefined) {
        expect(["approved", "used"]).toContain(state.gates.get(task.gateId ?? "")?.status);
      }
      applyEvent(state, event);
    }
  });

  it("revises only to plans that are valid, with the true diff and a trigger that came before", () => {
    const plans = events.flatMap((event) =>
      event.type === "plan_accepted" || event.type === "plan_revised" ? [event.plan] : [],
    );
    for (const plan of plans) {
      const { diagnostics } = validatePlan(plan, { registry: BUILT_IN_REGISTRY });
      expect(diagnostics.filter((diagnostic) => diagnostic.severity === "error")).toEqual([]);
    }
    const revisions = events.filter((event) => event.type === "plan_revised");
    expect(revisions.length).toBeGreaterThan(0);
    for (const [index, revision] of revisions.entries()) {
      const before = plans[index];
      if (before !== undefined) expect(revision.diff).toEqual(diffPlans(before, revision.plan));
      expect(revision.triggerSeq).toBeLessThan(revision.seq);
    }
  });

  it("ends, with every task terminal and no gate open", () => {
    const state = fold(events);
    expect(state.status).toBe("finished");
    expect(state.outcome).toBe("completed");
    expect([...state.tasks.values()].filter((task) => !isTerminal(task.status))).toEqual([]);
    expect([...state.gates.values()].filter((gate) => gate.status === "open")).toEqual([]);
  });
});

describe("checkout error spike", () => {
  it("is the log that its recipe writes", () => {
    expect(readFileSync(`${FOLDER}/checkout-error-spike.json`, "utf8")).toBe(incidentText(checkoutErrorSpike()));
  });

  it("lost most of its time to the signature", () => {
    const events = readIncident("checkout-error-spike.json");
    const tip = fold(events);
    const { shares, gapMs } = gapOf(events, tip, buildTimeline(events, tip));
    expect(shares.approval).toBeGreaterThan(gapMs / 2);
    expect(shares.replanning).toBeGreaterThan(0);
    expect(shares.backoff).toBeGreaterThan(0);
    expect(shares.retries).toBeGreaterThan(0);
  });
});
