import { defineBuiltIn, objectSchema } from "./define";

const path = {
  type: "string",
  minLength: 1,
  maxLength: 1_000,
  title: "Path",
  description: "Within the workspace folder, such as reports/brief.md.",
};

export const fileRead = defineBuiltIn({
  name: "file.read",
  version: 2,
  title: "Read a file",
  description: "Reads a text file of the workspace folder.",
  inputSchema: objectSchema({ path }),
  outputSchema: objectSchema({ path: { type: "string" }, text: { type: "string" }, bytes: { type: "integer" } }),
  sideEffect: "read",
  reads: ["file:${path}"],
  requires: ["file:read:${path}"],
  timeoutSeconds: 30,
  estimate: { p50Seconds: 0.01, p95Seconds: 0.1 },
});

export const fileWrite = defineBuiltIn({
  name: "file.write",
  version: 2,
  title: "Write a file",
  description:
    "Writes a text file of the workspace folder whole, in one step. Writing the same text again changes nothing.",
  inputSchema: objectSchema({
    path,
    text: { type: "string", maxLength: 5_000_000, title: "Text", format: "multiline" },
  }),
  outputSchema: objectSchema({
    path: { type: "string" },
    bytes: { type: "integer" },
    sha256: { type: "string" },
  }),
  sideEffect: "write",
  writes: ["file:${path}"],
  requires: ["file:write:${path}"],
  timeoutSeconds: 30,
  estimate: { p50Seconds: 0.02, p95Seconds: 0.2 },
});
