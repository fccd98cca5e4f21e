import { BUILT_IN_REGISTRY } from "#kernel/capability/built-in/registry";
import type { CapabilitySnapshot } from "#kernel/capability/capability";
import type { Observation } from "#kernel/capability/observation";
import { canonicalJson, type JsonValue } from "#kernel/json";
import { diffPlans } from "#kernel/plan/diff";
import { PLAN_FORMAT, type Plan, planSchema } from "#kernel/plan/plan";
import { type RunEvent, runEventSchema } from "#kernel/run/event";
import { sha256 } from "#kernel/sha256";

/**
 * The recorded incident that Replay shows before anybody has run anything: a checkout error spike. A schema check
 * fails, the plan is revised around it, two gates wait, calls are retried, one replan is refused, and it ends well.
 * `public/incidents/checkout-error-spike.json` is this log, an event a line.
 */

/** Tuesday, 24 November 2026, 14:05 UTC. */
const START = Date.UTC(2026, 10, 24, 14, 5);

const ENGINEER = { id: "engineer", name: "Engineer" };
const APPROVER = { id: "approver", name: "Approver" };

const get = (id: string, title: string, url: string, seconds: number, more: object = {}) => ({
  id,
  title,
  capability: "http.get",
  arguments: { url },
  estimate: { seconds },
  ...more,
});

const send = (id: string, title: string, url: string, body: object, seconds: number, more: object = {}) => ({
  id,
  title,
  capability: "http.request",
  arguments: { method: "POST", url, body },
  estimate: { seconds },
  ...more,
});

const readAlert = get("read-alert", "Read the alert and its scope", "https://alerts.example/checkout/current", 4);
const runbook = get("runbook", "Load checkout runbook", "https://docs.example/runbooks/checkout", 2);
const errorLogs = get(
  "error-logs",
  "Pull checkout error logs",
  "https://logs.example/checkout?since=${read-alert#/body/since}",
  20,
  {
    retry: { maxAttempts: 3, backoffSeconds: 8 },
  },
);
const metrics = get(
  "metrics",
  "Query latency and error rate",
  "https://metrics.example/checkout?since=${read-alert#/body/since}",
  12,
);
const deploys = get(
  "deploys",
  "List deploys in the last 6 h",
  "https://deploys.example/${read-alert#/body/service}?hours=6",
  6,
);
const correlate = send(
  "correlate",
  "Correlate signals with deploys",
  "https://signals.example/correlate",
  {
    errors: { $output: "error-logs#/body/classes" },
    series: { $output: "metrics#/body/errorRate" },
    deploys: { $output: "deploys#/body/releases" },
  },
  26,
  { capability: "http.request" },
);
const blast = get(
  "blast",
  "Estimate affected orders",
  "https://orders.example/affected?rate=${metrics#/body/errorRate}",
  18,
);
const flagOff = send(
  "flag-off",
  "Turn off express-pay flag",
  "https://flags.example/express-pay",
  { enabled: false, reason: "Errors since ${correlate#/body/suspect}" },
  8,
);
const checkSchema = get(
  "check-schema",
  "Check schema of old release",
  "https://schemas.example/orders/compatible?release=${correlate#/body/lastGood}",
  8,
  { onFailure: "block_dependents" },
);
const rollback = send(
  "rollback",
  "Roll back checkout release",
  "https://deploys.example/checkout/rollback",
  { release: { $output: "correlate#/body/lastGood" }, strategy: "rolling" },
  60,
  { dependsOn: ["check-schema"], approval: { reason: "Changes production traffic" } },
);
const draft = {
  id: "draft",
  title: "Draft the customer update",
  capability: "text.template",
  arguments: {
    template: "Checkout had errors for {{orders}} orders. Cause: {{cause}}. We are moving traffic back.",
    values: { orders: { $output: "blast#/body/orders" }, cause: { $output: "correlate#/body/suspect" } },
  },
  estimate: { seconds: 16 },
};
const publish = send(
  "publish",
  "Publish to the status page",
  "https://status.example/incidents",
  { text: { $output: "draft#/text" } },
  3,
  { approval: { reason: "Customers read it", decideWithinSeconds: 3_600 } },
);
const verify = (seconds: number, after: string) =>
  get(
    "verify",
    `Verify recovery for ${seconds / 60} min`,
    `https://metrics.example/checkout/recovery?seconds=${seconds}`,
    seconds,
    {
      dependsOn: [after, "flag-off"],
      timeoutSeconds: 600,
    },
  );
const refundCheck = get(
  "refund-check",
  "Check refunds of failed orders",
  "https://orders.example/refunds/pending",
  45,
  {
    dependsOn: ["verify"],
  },
);
const close = (after: readonly string[]) =>
  send("close", "Close the incident", "https://alerts.example/checkout/close", { by: "planwright" }, 2, {
    dependsOn: after,
  });
const pin = send(
  "pin",
  "Pin traffic to the 4.17.2 pool",
  "https://traffic.example/checkout/pin",
  { pool: { $output: "correlate#/body/lastGood" }, percent: 100 },
  30,
  { retry: { maxAttempts: 2, backoffSeconds: 4 }, approval: { reason: "Changes production traffic" } },
);
const drain = send("drain", "Drain the 4.18.0 pool", "https://traffic.example/checkout/drain", { pool: "4.18.0" }, 40, {
  dependsOn: ["pin"],
});

const planOf = (tasks: readonly object[]): Plan =>
  planSchema.parse({
    format: PLAN_FORMAT,
    name: "Checkout error spike",
    objective: "Find the cause of the checkout errors, restore service and tell customers",
    maxParallel: 2,
    tasks,
    completion: [{ check: "predicate", when: { status: "close", is: "succeeded" } }],
    budgets: { deadlineSeconds: 1_800, planRevisions: 3, toolCalls: 40, retries: 6, sideEffects: 10 },
  });

const found = [readAlert, runbook, errorLogs, metrics, deploys, correlate, blast, flagOff, checkSchema];
const first = planOf([
  ...found,
  rollback,
  draft,
  publish,
  verify(180, "rollback"),
  refundCheck,
  close(["publish", "refund-check"]),
]);
const second = planOf([
  ...found,
  draft,
  publish,
  pin,
  drain,
  verify(300, "drain"),
  refundCheck,
  close(["publish", "refund-check"]),
]);
const third = planOf([...found, draft, publish, pin, drain, verify(300, "drain"), close(["publish", "verify"])]);

const capabilities: readonly CapabilitySnapshot[] = ["http.get", "http.request", "text.template"].flatMap((name) => {
  const snapshot = BUILT_IN_REGISTRY.find(name);
  return snapshot === undefined ? [] : [snapshot];
});

/** The whole log, valid events in order. */
export function checkoutErrorSpike(): readonly RunEvent[] {
  const events: RunEvent[] = [];
  const add = (seconds: number, event: object): number => {
    const seq = events.length + 1;
    events.push(runEventSchema.parse({ ...event, seq, at: START + Math.round(seconds * 1_000) }));
    return seq;
  };
  const started = new Map<string, number>();
  const begin = (seconds: number, taskId: string, attempt = 1, gateId?: string) => {
    started.set(taskId, START + Math.round(seconds * 1_000) + 40);
    add(seconds, { type: "task_dispatched", taskId, attempt, ...(gateId === undefined ? {} : { gateId }) });
  };
  const observe = (seconds: number, taskId: string, more: Partial<Observation>): Observation => ({
    status: "ok",
    sideEffect: "none",
    latencyMs: Math.max(0, START + Math.round(seconds * 1_000) - (started.get(taskId) ?? START)),
    ...more,
  });
  const end = (seconds: number, taskId: string, output: JsonValue, more: Partial<Observation> = {}, attempt = 1) =>
    add(seconds, {
      type: "task_succeeded",
      taskId,
      attempt,
      startedAt: started.get(taskId),
      observation: observe(seconds, taskId, { output, ...more }),
    });
  const answered = (body: JsonValue): JsonValue => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body,
  });
  const committed = { sideEffect: "committed", stateChanged: true } as const;
  const ask = (
    seconds: number,
    taskId: string,
    revision: number,
    callArguments: JsonValue,
    origins: object,
    more: object,
  ) => {
    add(seconds, {
      type: "approval_requested",
      gateId: `${taskId}-${revision}`,
      taskId,
      revision,
      capability: "http.request",
      fingerprint: capabilities[1]?.fingerprint,
      arguments: callArguments,
      argumentsHash: sha256(canonicalJson(callArguments)),
      origins,
      nonce: sha256(`${taskId}-${revision}`).slice(0, 32),
      decideBy: START + Math.round(seconds * 1_000) + 3_600_000,
      executeWithinSeconds: 3_600,
      quorum: 1,
      role: "approver",
      excluded: [{ id: "engineer", why: "started this run" }],
      ...more,
    });
    return sha256(canonicalJson(callArguments));
  };
  const sign = (seconds: number, gateId: string, argumentsHash: string, reason: string) =>
    add(seconds, { type: "approval_decided", gateId, decision: "approve", by: APPROVER, reason, argumentsHash });

  add(0, {
    type: "run_created",
    runId: "checkout-error-spike",
    name: "Checkout error spike",
    startedBy: ENGINEER,
    planVersionNumber: 6,
    policy: { budgetBeforeCompletion: false, fourEyes: true },
  });
  add(0.02, { type: "plan_accepted", revision: 1, plan: first, capabilities });
  begin(0.2, "read-alert");
  begin(0.2, "runbook");
  end(2.4, "runbook", answered({ steps: 7, owner: "payments" }));
  end(4.5, "read-alert", answered({ service: "checkout", since: "2026-11-24T13:52:00Z", severity: 2 }));
  begin(4.7, "error-logs");
  begin(4.7, "metrics");
  end(16.9, "metrics", answered({ errorRate: 7.4, p95Ms: 4_180 }));
  begin(17.1, "deploys");
  end(23, "deploys", answered({ releases: ["4.18.0", "4.17.2"], latest: "4.18.0" }));
  begin(23.2, "blast");
  add(40.1, {
    type: "task_observed",
    taskId: "error-logs",
    attempt: 1,
    startedAt: started.get("error-logs"),
    observation: observe(40.1, "error-logs", {
      status: "retryable",
      errorCategory: "unavailable",
      errorCode: "http_503",
      message: "The log store answered 503: shard 3 is recovering.",
    }),
  });
  add(40.1, {
    type: "task_retry_scheduled",
    taskId: "error-logs",
    attempt: 2,
    notBefore: START + 48_100,
    cause: { code: "unavailable", message: "The log store answered 503: shard 3 is recovering.", taskId: "error-logs" },
  });
  end(41.4, "blast", answered({ orders: 1_284, amountEur: 61_220 }));
  begin(48.1, "error-logs", 2);
  end(
    60.4,
    "error-logs",
    answered({ classes: ["COUPON_COLUMN_MISSING", "EXPRESS_PAY_TIMEOUT"], lines: 18_402 }),
    {},
    2,
  );
  begin(60.6, "correlate");
  end(86.9, "correlate", answered({ suspect: "4.18.0", lastGood: "4.17.2", confidence: 0.93 }), committed);
  begin(87.1, "check-schema");
  begin(87.1, "flag-off");
  const failed = add(94.5, {
    type: "task_failed",
    taskId: "check-schema",
    attempt: 1,
    startedAt: started.get("check-schema"),
    observation: observe(94.5, "check-schema", {
      status: "terminal",
      errorCategory: "conflict",
      errorCode: "http_409",
      message: "Column orders.coupon_id was dropped in 4.18.0; 4.17.2 still reads it.",
      stateChanged: false,
    }),
    cause: {
      code: "conflict",
      message: "Column orders.coupon_id was dropped in 4.18.0; 4.17.2 still reads it.",
      taskId: "check-schema",
    },
  });
  add(94.5, {
    type: "task_blocked",
    taskId: "rollback",
    cause: { code: "parent_failed", message: "“check-schema” failed.", taskId: "check-schema", seq: failed },
  });
  add(95.2, {
    type: "replan_requested",
    reason: "dependency_failed_alternative_exists",
    triggerSeq: failed,
    by: "planner",
    message: "The old release cannot read the new schema. Its own pool still can, on the replica it is pinned to.",
  });
  end(95.3, "flag-off", answered({ enabled: false }), committed);
  begin(95.5, "draft");
  add(97.8, {
    type: "plan_revised",
    revision: 2,
    reason: "dependency_failed_alternative_exists",
    triggerSeq: failed,
    by: "planner",
    plan: second,
    capabilities,
    diff: diffPlans(first, second),
  });
  const pinHash = ask(
    98.1,
    "pin",
    2,
    { method: "POST", url: "https://traffic.example/checkout/pin", body: { pool: "4.17.2", percent: 100 } },
    [
      { pointer: "", from: ["plan"] },
      { pointer: "/body/pool", from: ["correlate#/body/lastGood"] },
    ],
    { reason: "Changes production traffic" },
  );
  end(112.2, "draft", {
    text: "Checkout had errors for 1284 orders. Cause: 4.18.0. We are moving traffic back.",
  });
  const publishHash = ask(
    112.4,
    "publish",
    2,
    {
      method: "POST",
      url: "https://status.example/incidents",
      body: { text: "Checkout had errors for 1284 orders. Cause: 4.18.0. We are moving traffic back." },
    },
    [
      { pointer: "", from: ["plan"] },
      { pointer: "/body/text", from: ["draft#/text"] },
    ],
    { reason: "Customers read it" },
  );
  sign(243.1, "pin-2", pinHash, "Replica checked by hand, go.");
  begin(243.3, "pin", 1, "pin-2");
  add(246.9, {
    type: "task_observed",
    taskId: "pin",
    attempt: 1,
    startedAt: started.get("pin"),
    observation: observe(246.9, "pin", {
      status: "retryable",
      errorCategory: "rate_limited",
      errorCode: "http_429",
      message: "Two traffic changes a minute.",
      retryAfterSeconds: 4,
      sideEffect: "not_committed",
      stateChanged: false,
    }),
  });
  add(246.9, {
    type: "task_retry_scheduled",
    taskId: "pin",
    attempt: 2,
    notBefore: START + 250_900,
    cause: { code: "rate_limited", message: "Two traffic changes a minute.", taskId: "pin" },
  });
  begin(251, "pin", 2, "pin-2");
  end(272.4, "pin", answered({ pool: "4.17.2", percent: 100 }), committed, 2);
  begin(272.6, "drain");
  end(309.1, "drain", answered({ drained: 412 }), committed);
  begin(309.3, "verify");
  sign(312, "publish-2", publishHash, "Wording agreed with support.");
  begin(312.2, "publish", 1, "publish-2");
  const published = end(315.1, "publish", answered({ id: "inc-2207", refunds: "issued_automatically" }), committed);
  add(330.4, {
    type: "replan_requested",
    reason: "step_unnecessary",
    triggerSeq: published,
    by: "planner",
    message: "Refunds were issued automatically, so there is nothing to check.",
  });
  add(333, {
    type: "plan_revised",
    revision: 3,
    reason: "step_unnecessary",
    triggerSeq: published,
    by: "planner",
    plan: third,
    capabilities,
    diff: diffPlans(second, third),
  });
  add(344.2, {
    type: "replan_refused",
    reason: "dependency_failed_alternative_exists",
    triggerSeq: failed,
    by: "planner",
    message: "Its only news was a restated failure.",
  });
  end(609.5, "verify", answered({ errorRate: 0.2, recovered: true }));
  begin(609.7, "close");
  end(611.8, "close", answered({ closed: true }), committed);
  const checked = add(612, {
    type: "completion_checked",
    check: first.completion[0],
    passed: true,
    message: "“close” succeeded.",
  });
  add(612.1, {
    type: "run_finished",
    outcome: "completed",
    reason: "Every completion check passed.",
    causeSeq: checked,
  });
  return events;
}

/** An array in which each event is a line, so that a change of the log is a readable diff. */
export const incidentText = (events: readonly RunEvent[]): string =>
  `[\n${events.map((event) => JSON.stringify(event)).join(",\n")}\n]\n`;
