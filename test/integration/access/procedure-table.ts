import type { Role } from "../../../server/runtime/principal";
import { gatedPlan } from "../../support/gated-run";
import { httpCapability } from "../../support/http-capability";
import type { World } from "./world";

/**
 * Who may use a procedure, and one input it takes. A procedure without a row here fails the build.
 *
 * To add one: a line below with its path, `who`, and `input`; `takesId: true` where the input names something that
 * belongs to a workspace. The sweep does the rest: no session, a wrong, revoked or expired key, a key without the
 * scope, a removed member, every role that is not in `who`, the ids of another workspace, a foreign origin, a GET.
 */
export interface ProcedureRow {
  /** The roles that may use it. Everybody in the workspace: `EVERYBODY`. Without any session: `"anybody"`. */
  readonly who: readonly Role[] | "anybody";
  /** A key may not, whatever its scopes: only a person at a screen. */
  readonly inPerson?: true;
  /** Who may is in the thing itself, as a gate's role is: being let in is tested where it is at home. */
  readonly decidesItself?: true;
  /** What a refusal of a wrong role says, where whoever is refused may be refused for more than that. */
  readonly refusal?: RegExp;
  readonly input: (world: World) => unknown;
  /** The input names something of a workspace: another workspace's id must be answered like an id of nothing. */
  readonly takesId?: true;
  /** An id of nothing is answered with 200, since there is nothing to do. */
  readonly missingIsFine?: true;
}

export const EVERYBODY: readonly Role[] = ["engineer", "reviewer", "approver", "admin"];
export const ENGINEERS: readonly Role[] = ["engineer", "admin"];
export const ADMINS: readonly Role[] = ["admin"];

const plan = gatedPlan();
const planFile = { fileName: "a.json", content: { encoding: "text", data: JSON.stringify(plan) } };

const openApiDocument = "{openapi: 3.1.0, info: {title: Shop, version: '1'}, paths: {/orders: {get: {responses: {}}}}}";

const channel = {
  name: "Chat",
  enabled: true,
  events: [],
  target: { kind: "webhook", url: "https://hooks.example.org/1" },
};

/** The last ones end what the others need. */
export const PROCEDURE_TABLE: Readonly<Record<string, ProcedureRow>> = {
  "me.get": { who: EVERYBODY, input: () => undefined },

  "capabilities.list": { who: EVERYBODY, input: () => undefined },
  "capabilities.overview": { who: EVERYBODY, input: () => undefined },
  "capabilities.get": { who: EVERYBODY, input: ({ capability }) => ({ name: capability }), takesId: true },
  "capabilities.taskHistory": { who: EVERYBODY, input: ({ planId }) => ({ planId }), takesId: true },
  "capabilities.register": {
    who: ENGINEERS,
    input: () => ({ draft: httpCapability("shop.listOrders"), baseVersion: 0 }),
  },
  "capabilities.readOpenApi": { who: ENGINEERS, input: () => ({ from: "text", text: openApiDocument }) },
  "capabilities.importOpenApi": {
    who: ENGINEERS,
    input: () => ({
      text: openApiDocument,
      server: "https://shop.example",
      prefix: "shop",
      secrets: [],
      operations: [{ id: "GET /orders" }],
    }),
  },
  "capabilities.retire": { who: ENGINEERS, input: ({ capability }) => ({ name: capability }), takesId: true },
  "capabilities.enable": { who: ENGINEERS, input: ({ capability }) => ({ name: capability }), takesId: true },

  "secrets.list": { who: ENGINEERS, input: () => undefined },
  "secrets.set": { who: ENGINEERS, input: () => ({ name: "shop-key", value: "0123456789" }) },
  "secrets.remove": { who: ENGINEERS, input: ({ secret }) => ({ name: secret }), takesId: true },

  "plans.list": { who: EVERYBODY, input: () => ({}) },
  "plans.get": { who: EVERYBODY, input: ({ planId }) => ({ planId }), takesId: true },
  "plans.versions": { who: EVERYBODY, input: ({ planId }) => ({ planId }), takesId: true },
  "plans.version": { who: EVERYBODY, input: ({ planId }) => ({ planId, number: 1 }), takesId: true },
  "plans.export": { who: EVERYBODY, input: ({ planId }) => ({ planId, format: "dot" }), takesId: true },
  "plans.create": { who: ENGINEERS, input: () => ({ name: "a" }) },
  "plans.import": { who: ENGINEERS, input: () => planFile },
  "plans.saveDraft": {
    who: ENGINEERS,
    input: ({ planId }) => ({ planId, plan, baseVersion: 1, expectedRevision: null }),
    takesId: true,
  },
  "plans.discardDraft": { who: ENGINEERS, input: ({ planId }) => ({ planId }), takesId: true, missingIsFine: true },
  "plans.saveVersion": {
    who: ENGINEERS,
    input: ({ planId }) => ({ planId, plan, baseVersion: 1 }),
    takesId: true,
  },

  "review.workspace": { who: EVERYBODY, input: () => undefined },
  "review.plan": { who: EVERYBODY, input: ({ planId }) => ({ planId }), takesId: true },

  "runs.list": { who: EVERYBODY, input: () => ({}) },
  "runs.get": { who: EVERYBODY, input: ({ runId }) => ({ runId }), takesId: true },
  "runs.events": { who: EVERYBODY, input: ({ runId }) => ({ runId }), takesId: true },
  "runs.artifact": { who: EVERYBODY, input: ({ runId }) => ({ runId, outputRef: "none" }), takesId: true },
  "runs.reconcile": {
    who: EVERYBODY,
    decidesItself: true,
    input: ({ runId }) => ({ runId, taskId: "write", attempt: 1, action: "look_up", reason: "" }),
    takesId: true,
  },
  "runs.start": { who: ENGINEERS, input: ({ planId }) => ({ planId }), takesId: true },
  "runs.previewRevision": {
    who: ENGINEERS,
    input: ({ runId }) => ({ runId, plan, reason: "new_information", triggerSeq: 1 }),
    takesId: true,
  },
  "runs.revise": {
    who: ENGINEERS,
    input: ({ runId }) => ({ runId, plan, reason: "new_information", triggerSeq: 1, expectedRevision: 1, seenSeq: 2 }),
    takesId: true,
  },
  "runs.retryTask": { who: ENGINEERS, input: ({ runId }) => ({ runId, taskId: "a" }), takesId: true },
  "runs.previewRerun": { who: ENGINEERS, input: ({ runId }) => ({ runId, fromTaskIds: ["a"] }), takesId: true },
  "runs.rerun": { who: ENGINEERS, input: ({ runId }) => ({ runId, fromTaskIds: ["a"] }), takesId: true },
  "runs.pause": { who: ENGINEERS, input: ({ runId }) => ({ runId }), takesId: true },
  "runs.resume": { who: ENGINEERS, input: ({ runId }) => ({ runId }), takesId: true },

  "limits.get": { who: EVERYBODY, input: () => undefined },
  "limits.waiting": { who: EVERYBODY, input: ({ runId }) => ({ runId }), takesId: true },
  "limits.setCeiling": { who: ADMINS, input: () => ({ period: "month", budget: "costUsd", limit: 1e6 }) },
  "limits.removeCeiling": { who: ADMINS, takesId: true, input: () => ({ ceilingId: "none" }) },
  "limits.setScopes": { who: ADMINS, input: () => ({ role: "engineer", scopes: null }) },

  "retention.get": { who: ADMINS, input: () => undefined },
  "retention.preview": { who: ADMINS, input: () => ({ keepDays: 1 }) },
  "retention.set": { who: ADMINS, input: () => ({ keepDays: null }) },
  "retention.hold": { who: ADMINS, input: ({ runId }) => ({ runId, reason: "asked" }), takesId: true },
  "retention.release": { who: ADMINS, input: ({ runId }) => ({ runId }), takesId: true },

  "gates.list": { who: EVERYBODY, input: () => ({}) },
  "gates.get": { who: EVERYBODY, input: ({ gate }) => ({ gateId: gate.gateId }), takesId: true },
  "gates.decide": {
    who: ["approver"],
    // The engineer, whose run it is, is refused for that.
    refusal: /\brole\b|\bstarted this run\b/,
    input: ({ gate }) => ({ ...gate, decision: "approve" }),
    takesId: true,
  },

  "gates.revoke": { who: EVERYBODY, input: ({ gate }) => ({ gateId: gate.gateId }), takesId: true },

  "delegations.list": { who: EVERYBODY, input: () => undefined },
  "delegations.candidates": { who: EVERYBODY, input: () => undefined },
  "delegations.create": { who: EVERYBODY, inPerson: true, input: () => ({ delegateId: "nobody", endsAt: 1 }) },
  "delegations.revoke": { who: EVERYBODY, inPerson: true, input: () => ({ delegationId: "none" }) },

  "notifications.channels": { who: ADMINS, input: () => undefined },
  "notifications.deliveries": { who: ADMINS, input: () => ({ limit: 1 }) },
  "notifications.create": { who: ADMINS, inPerson: true, input: () => channel },
  "notifications.update": {
    who: ADMINS,
    inPerson: true,
    takesId: true,
    input: () => ({ ...channel, channelId: "none" }),
  },
  "notifications.remove": { who: ADMINS, inPerson: true, takesId: true, input: () => ({ channelId: "none" }) },
  "notifications.test": { who: ADMINS, inPerson: true, takesId: true, input: () => ({ channelId: "none" }) },
  "notifications.retry": { who: ADMINS, inPerson: true, takesId: true, input: () => ({ deliveryId: "none" }) },

  "events.stream": { who: EVERYBODY, input: ({ runId }) => ({ runs: [{ runId, afterSeq: 0 }] }) },

  "sessions.list": { who: EVERYBODY, inPerson: true, input: () => undefined },
  "sessions.revoke": {
    who: EVERYBODY,
    inPerson: true,
    input: ({ sessionId }) => ({ sessionId }),
    takesId: true,
  },
  "sessions.revokeOthers": { who: EVERYBODY, inPerson: true, input: () => undefined },

  "workspaces.list": { who: EVERYBODY, input: () => undefined },
  "workspaces.create": { who: ADMINS, inPerson: true, input: () => ({ name: "Another" }) },
  "workspaces.rename": { who: ADMINS, inPerson: true, input: () => ({ name: "Operations" }) },
  "workspaces.switch": {
    who: EVERYBODY,
    inPerson: true,
    input: ({ workspaceId }) => ({ workspaceId }),
    takesId: true,
  },
  "workspaces.leave": { who: EVERYBODY, inPerson: true, decidesItself: true, input: () => undefined },

  "people.list": { who: EVERYBODY, input: () => undefined },
  "people.changeRoles": {
    who: ADMINS,
    inPerson: true,
    input: ({ personId }) => ({ personId, roles: ["engineer"] }),
    takesId: true,
  },
  "people.remove": { who: ADMINS, inPerson: true, input: ({ personId }) => ({ personId }), takesId: true },

  "invitations.list": { who: ADMINS, input: () => undefined },
  "invitations.create": {
    who: ADMINS,
    inPerson: true,
    input: () => ({ email: "new@example.org", roles: ["reviewer"] }),
  },
  "invitations.revoke": {
    who: ADMINS,
    inPerson: true,
    input: ({ invitationId }) => ({ invitationId }),
    takesId: true,
  },
  "invitations.preview": { who: "anybody", input: () => ({ token: "no token at all, but long enough" }) },
  "invitations.accept": {
    who: "anybody",
    input: () => ({ token: "no token at all, but long enough", name: "A", password: "a long enough password" }),
  },
  "invitations.join": { who: "anybody", input: () => ({ token: "no token at all, but long enough" }) },

  "audit.list": { who: ADMINS, input: () => ({}) },
  "audit.facets": { who: ADMINS, input: () => undefined },
  "audit.verify": { who: ADMINS, input: () => undefined },

  "apiKeys.list": { who: EVERYBODY, input: () => undefined },
  "apiKeys.create": { who: EVERYBODY, inPerson: true, input: () => ({ name: "a", scopes: ["read"] }) },

  "apiKeys.revoke": { who: EVERYBODY, input: ({ keyId }) => ({ keyId }), takesId: true },
  "runs.cancel": { who: ENGINEERS, input: ({ runId }) => ({ runId }), takesId: true },
  "plans.remove": { who: ENGINEERS, input: ({ planId }) => ({ planId }), takesId: true },
};
