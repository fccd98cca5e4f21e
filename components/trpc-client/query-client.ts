import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { toApiError } from "./api-error";

/** Sends somebody whose session ended to sign in again, and back here afterwards. */
function leaveWhenSignedOut(error: unknown): void {
  if (toApiError(error).code !== "unauthenticated" || window.location.pathname === "/sign-in") return;
  const back = window.location.pathname + window.location.search;
  window.location.assign(`/sign-in?back=${encodeURIComponent(back)}`);
}

/** One attempt more where no answer came; a refusal is an answer and stays. */
const retryUnlessRefused = (failures: number, error: unknown): boolean =>
  failures < 2 && toApiError(error).code === "offline";

export const createQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
    defaultOptions: {
      queries: { retry: retryUnlessRefused, staleTime: 5_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
