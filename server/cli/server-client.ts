import { createTRPCClient, httpLink, httpSubscriptionLink, splitLink, TRPCClientError } from "@trpc/client";
import { EventSource } from "eventsource";
import { type RunId, runIdSchema } from "#kernel/ids";
import { ok, type Result } from "#kernel/result";
import type { AppRouter } from "../trpc/root";
import { loadCredentials } from "./load-credentials";

export type ServerApi = ReturnType<typeof createApi>;

export interface ServerConnection {
  readonly url: string;
  readonly api: ServerApi;
  /** As the second person, who signs; the same as `api` where there is no second key. */
  readonly signer: ServerApi;
  runId(text: string): RunId;
}

/** The server as this installation's credentials see it; no request is made yet. */
export async function connect(checkout: string): Promise<Result<ServerConnection, string>> {
  const credentials = await loadCredentials(checkout);
  if (!credentials.ok) return credentials;
  const { url, apiKey, approverApiKey } = credentials.value;
  const api = createApi(url, apiKey);
  return ok({
    url,
    api,
    signer: approverApiKey === undefined ? api : createApi(url, approverApiKey),
    runId: (text) => runIdSchema.parse(text),
  });
}

/** Data travels as plain JSON; naming that keeps the declared types on both sides. */
const plainJson = {
  serialize: <Value>(value: Value): Value => value,
  deserialize: <Value>(value: Value): Value => value,
};

function createApi(server: string, apiKey: string) {
  const url = new URL("/api/trpc", server).href;
  const headers = { authorization: `Bearer ${apiKey}` };
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: httpSubscriptionLink({
          url,
          transformer: plainJson,
          EventSource,
          eventSourceOptions: () => ({
            fetch: (address, init) => fetch(address, { ...init, headers: { ...init.headers, ...headers } }),
          }),
        }),
        false: httpLink({ url, transformer: plainJson, headers }),
      }),
    ],
  });
}

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly diagnostics: readonly unknown[];
}

/** Why the server did not do what was asked, for a person at a terminal. */
export function refusalOf(error: unknown): Refusal {
  if (isApiError(error)) {
    const { data, message } = error;
    if (data !== null && data !== undefined) {
      return { code: data.appCode, message, diagnostics: data.details.diagnostics ?? [] };
    }
    return {
      code: "offline",
      message: "The server does not answer. Is it running? Start it with npm start.",
      diagnostics: [],
    };
  }
  return { code: "internal", message: error instanceof Error ? error.message : String(error), diagnostics: [] };
}

const isApiError = (error: unknown): error is TRPCClientError<AppRouter> => error instanceof TRPCClientError;
