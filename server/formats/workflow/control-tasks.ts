import type { JsonValue } from "#kernel/json";

/**
 * A task that does nothing but give on what it was given: forks, joins, decisions and states that shape data. It runs
 * on a built-in capability; its output stands at `#/result`.
 */
export const passOn = (input: JsonValue) => ({
  capability: "json.transform",
  arguments: { input, expression: "@" },
});

/** Where such a task's output stands. */
export const PASSED_ON = "/result";
