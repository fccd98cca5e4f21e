/**
 * Every route of the web server. A route without a row here fails the build.
 *
 * A page is a frame without data: what stands in it comes from procedures, which have a table of their own. A handler
 * answers by itself: say here which methods it has and what it answers to nobody, and test it where it is at home.
 */
export type RouteRow =
  | { readonly kind: "page" }
  | { readonly kind: "handler"; readonly methods: readonly string[]; readonly toNobody: number };

const PAGE: RouteRow = { kind: "page" };

export const ROUTE_TABLE: Readonly<Record<string, RouteRow>> = {
  "/": PAGE,
  "/account": PAGE,
  "/approvals": PAGE,
  "/capabilities": PAGE,
  "/capabilities/[name]": PAGE,
  "/capabilities/import": PAGE,
  "/invitation": PAGE,
  "/plans": PAGE,
  "/plans/[planId]": PAGE,
  "/plans/[planId]/review": PAGE,
  "/replay": PAGE,
  "/replay/[runId]": PAGE,
  "/review": PAGE,
  "/runs": PAGE,
  "/runs/[runId]": PAGE,
  "/settings": PAGE,
  "/settings/audit": PAGE,
  "/settings/delegation": PAGE,
  "/settings/limits": PAGE,
  "/settings/notifications": PAGE,
  "/settings/people": PAGE,
  "/settings/retention": PAGE,
  "/settings/secrets": PAGE,
  "/settings/workspace": PAGE,
  "/sign-in": PAGE,
  "/api/audit/[part]": { kind: "handler", methods: ["GET"], toNobody: 401 },
  "/api/auth/[...all]": { kind: "handler", methods: ["GET", "POST"], toNobody: 404 },
  "/api/health": { kind: "handler", methods: ["GET"], toNobody: 200 },
  "/api/metrics": { kind: "handler", methods: ["GET"], toNobody: 401 },
  "/api/trpc/[trpc]": { kind: "handler", methods: ["GET", "POST"], toNobody: 401 },
};
