import { createRedactor, type NamedSecret, type Redactor } from "./redactor";

/** Secrets that a process remembers for its log; the oldest is let go only to bound memory. */
const KNOWN_MAX = 500;

const known = new Map<string, NamedSecret>();
let redactor: Redactor | undefined;

/** From now on this value does not come into a log line of this process, however it is written. */
export function hideFromLog(secret: NamedSecret): void {
  if (known.has(secret.value)) return;
  known.set(secret.value, secret);
  for (const oldest of known.keys()) {
    if (known.size <= KNOWN_MAX) break;
    known.delete(oldest);
  }
  redactor = undefined;
}

/** `text` without any secret that this process has had in its hands. */
export function withoutKnownSecrets(text: string): string {
  if (known.size === 0) return text;
  redactor ??= createRedactor([...known.values()]);
  return redactor.text(text);
}
