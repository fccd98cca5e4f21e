import type { CapabilitySnapshot } from "#kernel/capability/capability";
import { canonicalJson, getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";

/** One place where two versions say something else. */
export interface VersionChange {
  /** `inputSchema / properties / words / maximum` */
  readonly place: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** Listed at most: past this, somebody reads the two texts. */
const CHANGES_MAX = 60;

/** What changed from one version to another, leaf by leaf; number and fingerprint always do and are left out. */
export function diffVersions(before: CapabilitySnapshot, after: CapabilitySnapshot): readonly VersionChange[] {
  const changes: VersionChange[] = [];
  compare(plain(before), plain(after), [], changes);
  return changes;
}

const plain = ({ version: _version, fingerprint: _fingerprint, ...rest }: CapabilitySnapshot): JsonObject =>
  rest as unknown as JsonObject;

function compare(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: readonly string[],
  changes: VersionChange[],
): void {
  if (changes.length >= CHANGES_MAX) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare(getOwn(before, key), getOwn(after, key), [...path, key], changes);
    return;
  }
  const same = before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after);
  if (same || (before === undefined && after === undefined)) return;
  changes.push({ place: path.join(" / "), before, after });
}
