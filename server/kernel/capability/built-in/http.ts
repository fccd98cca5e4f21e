import { defineBuiltIn, objectSchema } from "./define";

const url = { type: "string", format: "uri", pattern: "^https?://", maxLength: 4096, title: "URL" };
const headers = {
  type: "object",
  title: "Headers",
  additionalProperties: { type: "string", maxLength: 8192 },
  description: "Sent as they are. Host, length and connection headers are ours.",
};
const response = objectSchema({
  status: { type: "integer" },
  headers: { type: "object", additionalProperties: { type: "string" } },
  body: { description: "Parsed where the answer is JSON, else text." },
});

export const httpGet = defineBuiltIn({
  name: "http.get",
  version: 2,
  title: "Fetch a URL",
  description: "Fetches a URL with GET. Private and link-local addresses are refused unless the operator allows them.",
  inputSchema: objectSchema({ url, headers }, ["headers"]),
  outputSchema: response,
  sideEffect: "read",
  reads: ["url:${url}"],
  requires: ["http:read:${url|host}"],
  timeoutSeconds: 30,
  estimate: { p50Seconds: 0.5, p95Seconds: 5 },
});

export const httpRequest = defineBuiltIn({
  name: "http.request",
  version: 2,
  title: "Send an HTTP request",
  description:
    "Sends a request that may change something. A lost reply leaves its outcome unknown: it is asked about, never blindly repeated.",
  inputSchema: objectSchema(
    {
      method: { type: "string", enum: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"], default: "POST" },
      url,
      headers,
      body: { title: "Body", description: "An object is sent as JSON, a string as it is." },
    },
    ["headers", "body"],
  ),
  outputSchema: response,
  sideEffect: "write",
  idempotency: "none",
  writes: ["url:${url}"],
  requires: ["http:write:${url|host}"],
  timeoutSeconds: 30,
  estimate: { p50Seconds: 0.8, p95Seconds: 8 },
});
