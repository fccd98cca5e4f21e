import type { KeyScope } from "../runtime/key-scope";

/** What the changes of an area ask of a key. Any other area asks for `admin`: a new one is closed until it is named. */
const CHANGES: ReadonlyMap<string, KeyScope> = new Map([
  ["plans", "plan"],
  ["runs", "run"],
  ["gates", "decide"],
]);

/** Areas whose very reading is administration. */
const ADMINISTRATION: ReadonlySet<string> = new Set(["audit", "invitations", "secrets", "apiKeys"]);

/** The scope a key needs for one procedure, by its path and kind. */
export function scopeFor(path: string, type: "query" | "mutation" | "subscription"): KeyScope {
  const area = path.split(".", 1)[0] ?? "";
  if (type === "mutation") return CHANGES.get(area) ?? "admin";
  return ADMINISTRATION.has(area) ? "admin" : "read";
}
