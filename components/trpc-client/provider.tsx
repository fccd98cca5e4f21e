"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { createClient } from "./client";
import { TRPCProvider } from "./context";
import { LiveEventsProvider } from "./live-events";
import { createQueryClient } from "./query-client";

/** Server state and the live stream for everything below it; stands once, in the root layout. */
export function ApiProvider({ children }: { readonly children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  const [trpcClient] = useState(createClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        <LiveEventsProvider>{children}</LiveEventsProvider>
      </TRPCProvider>
    </QueryClientProvider>
  );
}
