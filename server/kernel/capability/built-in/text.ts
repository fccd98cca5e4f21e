import { defineBuiltIn, objectSchema } from "./define";

export const textTemplate = defineBuiltIn({
  name: "text.template",
  title: "Fill in a template",
  description: "Replaces {{name}} in the template with the value of that name; a name without a value is an error.",
  inputSchema: objectSchema(
    {
      template: { type: "string", maxLength: 200_000, title: "Template", format: "multiline" },
      values: { type: "object", title: "Values", additionalProperties: true },
    },
    ["values"],
  ),
  outputSchema: objectSchema({ text: { type: "string" } }),
  sideEffect: "none",
  timeoutSeconds: 10,
  estimate: { p50Seconds: 0.01, p95Seconds: 0.05 },
});

export const textJoin = defineBuiltIn({
  name: "text.join",
  title: "Join texts",
  description: "Joins the parts in order, with a heading above them when one is given.",
  inputSchema: objectSchema(
    {
      parts: { type: "array", title: "Parts", items: { type: ["string", "number", "boolean"] }, maxItems: 10_000 },
      separator: { type: "string", title: "Separator", default: "\n\n" },
      heading: { type: "string", title: "Heading" },
    },
    ["separator", "heading"],
  ),
  outputSchema: objectSchema({ text: { type: "string" } }),
  sideEffect: "none",
  timeoutSeconds: 10,
  estimate: { p50Seconds: 0.01, p95Seconds: 0.05 },
});
