import { objectSchema } from "#kernel/capability/built-in/define";
import type { CapabilityDraft } from "#kernel/capability/capability-draft";
import type { HttpSettings } from "#kernel/capability/http-settings";

/** A capability that fetches an order over HTTP, with whatever a test wants different. */
export const httpCapability = (
  name: string,
  { settings = {}, ...rest }: Partial<Omit<CapabilityDraft, "settings">> & { settings?: Partial<HttpSettings> } = {},
): CapabilityDraft => ({
  name,
  title: "Read an order",
  description: "Reads one order.",
  provider: "http",
  inputSchema: objectSchema({ orderId: { type: "string" } }),
  outputSchema: { type: "object" },
  sideEffect: "read",
  reads: [],
  writes: [],
  idempotency: "natural",
  requires: [],
  approval: "never",
  timeoutSeconds: 5,
  retryOn: ["timeout", "rate_limited", "unavailable"],
  estimate: { p50Seconds: 0.5, p95Seconds: 5 },
  ...rest,
  settings: {
    kind: "openapi",
    method: "GET",
    server: "https://shop.example",
    path: "/orders/{orderId}",
    parameters: [{ argument: "orderId", in: "path", name: "orderId", style: "simple", explode: false }],
    fixed: [],
    ...settings,
  },
});
