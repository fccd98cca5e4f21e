import { defineBuiltIn, objectSchema } from "./define";

/** A question to a person. It opens a gate instead of making a call: the answer is the task's output. */
export const humanAsk = defineBuiltIn({
  name: "human.ask",
  title: "Ask a person",
  description: "Asks a person a question and waits for the answer.",
  inputSchema: objectSchema(
    {
      question: { type: "string", minLength: 1, maxLength: 4_000, title: "Question", format: "multiline" },
      role: { type: "string", title: "Who answers", enum: ["engineer", "reviewer", "approver"], default: "approver" },
      answerSchema: {
        type: "object",
        title: "Schema of the answer",
        description: "A JSON Schema; without one the answer is a text.",
        additionalProperties: true,
      },
    },
    ["role", "answerSchema"],
  ),
  outputSchema: objectSchema({ answer: {} }),
  sideEffect: "none",
  retryOn: [],
  timeoutSeconds: 604_800,
  estimate: { p50Seconds: 300, p95Seconds: 7_200 },
});
