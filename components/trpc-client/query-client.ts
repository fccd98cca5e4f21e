import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { type ApiError, toApiError } from "./api-error";

/**
 * Sends somebody whose session ended to sign in again, and back here afterwards; whoever is in no workspace, to where
 * that is said; and a page whose workspace another tab has left, to the one that is shown now.
 */
function leaveWhenSignedOut(error: unknown): void {
  const target = wayOut(toApiError(error).code, window.location);
  if (target !== undefined) window.location.assign(target);
}

function wayOut(code: ApiError["code"], { pathname, search }: Location): string | undefined {
  if (code === "workspace_changed") return "/plans";
  if (pathname === "/sign-in" || pathname === "/invitation") return undefined;
  if (code === "no_workspace") return "/invitation";
  return code === "unauthenticated" ? `/sign-in?back=${encodeURIComponent(pathname + search)}` : undefined;
}

/** One attempt more where no answer came; a refusal is an answer and stays. */
const retryUnlessRefused = (failures: number, error: unknown): boolean =>
  failures < 2 && toApiError(error).code === "offline";

/**
 * A change that is made while a page still loads for the first time must be shown too: the library joins such a first
 * request, which may have been answered before the change, and takes its answer for fresh. Here it is asked again.
 */
class FreshQueryClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const isLoading = this.getQueryCache()
      .findAll(filters)
      .some(({ state }) => state.data === undefined && state.fetchStatus === "fetching");
    await super.invalidateQueries(filters, options);
    if (isLoading) await super.invalidateQueries(filters, options);
  }
}

export const createQueryClient = () =>
  new FreshQueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
    defaultOptions: {
      queries: { retry: retryUnlessRefused, staleTime: 5_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
