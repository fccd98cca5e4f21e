import { canonicalJson, type JsonObject, type JsonValue } from "../json";
import { sha256 } from "../sha256";
import type { Plan } from "./plan";

/**
 * SHA-256 of a plan's canonical form without layout: plans that mean the same hash the same, wherever their cards
 * stand and in whatever order their keys were written.
 */
export function planContentHash(plan: Plan): string {
  const tasks = plan.tasks.map(({ position: _position, ...task }) => task);
  return sha256(canonicalJson(definedOnly({ ...plan, tasks })));
}

/** Keys without a value are not there: canonical JSON has no undefined. */
function definedOnly(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(definedOnly);
  if (typeof value !== "object" || value === null) return value as JsonValue;
  const defined: Record<string, JsonValue> = Object.create(null);
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) defined[key] = definedOnly(member);
  }
  return defined as JsonObject;
}
