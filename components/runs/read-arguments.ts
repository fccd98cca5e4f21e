import { isJsonObject, type JsonObject } from "#kernel/json";

/** A task's arguments as somebody typed them, or why they are none. */
export function readArguments(text: string): { readonly value: JsonObject } | { readonly problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? { value } : { problem: "Arguments are an object." };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : "This is not JSON." };
  }
}
