import { defineBuiltIn, objectSchema } from "./define";

export const jsonTransform = defineBuiltIn({
  name: "json.transform",
  title: "Transform JSON",
  description: "Evaluates a JMESPath expression on the input.",
  inputSchema: objectSchema({
    input: { title: "Input" },
    expression: { type: "string", minLength: 1, maxLength: 4_000, title: "JMESPath expression" },
  }),
  outputSchema: objectSchema({ result: {} }),
  sideEffect: "none",
  timeoutSeconds: 10,
  estimate: { p50Seconds: 0.01, p95Seconds: 0.1 },
});

export const mathEvaluate = defineBuiltIn({
  name: "math.evaluate",
  title: "Calculate",
  description: "Evaluates an arithmetic expression such as (3 + x) / 2, with named variables.",
  inputSchema: objectSchema(
    {
      expression: { type: "string", minLength: 1, maxLength: 4_000, title: "Expression" },
      variables: { type: "object", title: "Variables", additionalProperties: { type: "number" } },
    },
    ["variables"],
  ),
  outputSchema: objectSchema({ result: { type: ["number", "boolean"] } }),
  sideEffect: "none",
  timeoutSeconds: 10,
  estimate: { p50Seconds: 0.01, p95Seconds: 0.05 },
});

export const waitSleep = defineBuiltIn({
  name: "wait.sleep",
  title: "Wait",
  description: "Waits for a number of seconds.",
  inputSchema: objectSchema({ seconds: { type: "number", minimum: 0, maximum: 604_800, title: "Seconds" } }),
  outputSchema: objectSchema({ sleptSeconds: { type: "number" } }),
  sideEffect: "none",
  timeoutSeconds: 604_800,
  estimate: { p50Seconds: 1, p95Seconds: 10 },
});
