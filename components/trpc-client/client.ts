import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import type { AppRouter } from "@/server/trpc/root";
import { shownWorkspaceHeaders } from "./shown-workspace";

/** Data travels as plain JSON; naming that keeps the declared types on both sides. */
const plainJson = {
  serialize: <Value>(value: Value): Value => value,
  deserialize: <Value>(value: Value): Value => value,
};

const url = "/api/trpc";

/** Queries that start together share a request; subscriptions share one stream, see live-events. */
export const createClient = () =>
  createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: httpSubscriptionLink({ url, transformer: plainJson }),
        false: httpBatchLink({
          url,
          transformer: plainJson,
          maxURLLength: 6_000,
          maxItems: 20,
          headers: shownWorkspaceHeaders,
        }),
      }),
    ],
  });
