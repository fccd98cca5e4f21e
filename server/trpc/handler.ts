import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { AppError, transportCode } from "../errors";
import type { Services } from "../services";
import type { Context } from "./context";
import { isTrustedOrigin } from "./origin";
import { appRouter } from "./root";

export const API_PATH = "/api/trpc";

/** In which a page says what workspace it shows, so that nothing of it lands in another. */
const SHOWN_WORKSPACE_HEADER = "x-planwright-workspace";

/** The largest body taken: a file of 24 MB in base64, and room for what surrounds it. */
const BODY_BYTES_MAX = 34 * 1024 * 1024;

/** Answers one request to the interface, from a browser, the command line or a test. */
export async function handleApiRequest(request: Request, services: Services): Promise<Response> {
  const length = Number(request.headers.get("content-length") ?? 0);
  if (length > BODY_BYTES_MAX) return refuse(413, new AppError("too_large", "This is larger than 24 MB."));
  // A foreign page can send a form or plain text without being asked first; JSON it cannot.
  if (request.method !== "GET" && request.method !== "HEAD" && !isJson(request.headers)) {
    return refuse(415, new AppError("invalid_input", "The body must be application/json."));
  }
  return fetchRequestHandler({
    endpoint: API_PATH,
    req: request,
    router: appRouter,
    createContext: () => createContext(request, services),
    onError({ error, path }) {
      if (error.code === "INTERNAL_SERVER_ERROR") services.reportFault(error.cause ?? error, { procedure: path });
    },
  });
}

async function createContext(request: Request, services: Services): Promise<Context> {
  const { headers } = request;
  const host = headers.get("host") ?? new URL(request.url).host;
  const identifyAgain = () => services.identify(headers);
  const principal = await identifyAgain();
  return {
    services,
    headers,
    principal,
    shownWorkspaceId: headers.get(SHOWN_WORKSPACE_HEADER) ?? undefined,
    identifyAgain,
    originTrusted: principal?.via === "api_key" || isTrustedOrigin(headers, host, services.trustedOrigins),
  };
}

const isJson = (headers: Headers): boolean => /^application\/json\s*(;|$)/i.test(headers.get("content-type") ?? "");

/** In the shape of every other refusal, so that a client needs one way to read them. */
function refuse(httpStatus: number, { code, message }: AppError): Response {
  const data = { code: transportCode(code), httpStatus, appCode: code, details: {} };
  return Response.json({ error: { message, code: -32013, data } }, { status: httpStatus });
}
