import { t } from "./init";
import { apiKeysRouter } from "./routers/api-keys";
import { auditRouter } from "./routers/audit";
import { capabilitiesRouter } from "./routers/capabilities";
import { delegationsRouter } from "./routers/delegations";
import { eventsRouter } from "./routers/events";
import { gatesRouter } from "./routers/gates";
import { invitationsRouter } from "./routers/invitations";
import { limitsRouter } from "./routers/limits";
import { meRouter } from "./routers/me";
import { notificationsRouter } from "./routers/notifications";
import { peopleRouter } from "./routers/people";
import { plansRouter } from "./routers/plans";
import { retentionRouter } from "./routers/retention";
import { reviewRouter } from "./routers/review";
import { runsRouter } from "./routers/runs";
import { secretsRouter } from "./routers/secrets";
import { sessionsRouter } from "./routers/sessions";
import { workspacesRouter } from "./routers/workspaces";

/** The whole interface. The browser and the command line use this one. */
export const appRouter = t.router({
  me: meRouter,
  plans: plansRouter,
  capabilities: capabilitiesRouter,
  secrets: secretsRouter,
  runs: runsRouter,
  review: reviewRouter,
  gates: gatesRouter,
  delegations: delegationsRouter,
  notifications: notificationsRouter,
  events: eventsRouter,
  apiKeys: apiKeysRouter,
  retention: retentionRouter,
  limits: limitsRouter,
  sessions: sessionsRouter,
  workspaces: workspacesRouter,
  people: peopleRouter,
  invitations: invitationsRouter,
  audit: auditRouter,
});
export type AppRouter = typeof appRouter;
