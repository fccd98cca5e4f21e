import type { JsonValue } from "#kernel/json";
import type { Position } from "./position";

/** A parsed JSON or YAML text that still knows where each value stood. */
export interface StructuredDocument {
  readonly syntax: "json" | "yaml";
  readonly value: JsonValue;
  /**
   * Where the values at these JSON pointers stand. A pointer to nothing gets the place of its nearest ancestor, since
   * that is where a missing key would be written. One pass for all of them.
   */
  locate(pointers: Iterable<string>): ReadonlyMap<string, Position>;
}
