import { createHash } from "node:crypto";
import { canonicalJson, isJsonObject } from "#kernel/json";
import type { AuditRecord } from "./audit-log";

/** Where a chain ends. Kept elsewhere (a file, a ticket, a printout), it shows later that nothing was cut off. */
export interface AuditHead {
  readonly workspaceId: string;
  readonly number: number;
  readonly hash: string;
}

/** One place where the audit is not what it was. */
export interface AuditFault {
  /** The row; 0: the workspace as a whole. */
  readonly number: number;
  readonly kind:
    | "edited"
    | "payload"
    | "missing"
    | "out_of_order"
    | "broken_link"
    | "other_workspace"
    | "redaction"
    | "head"
    | "exported_head"
    | "run";
  readonly message: string;
}

/** Before the first entry there is this. */
const GENESIS = "0".repeat(64);

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The hash that an entry must have, computed from what it says. */
export function auditHash({ payload: _payload, hash: _hash, ...header }: AuditRecord): string {
  return sha256(canonicalJson(header));
}

/** The payload's hash, and whether it is in canonical form: JSON that means the same must not hash otherwise. */
function isPayloadTrue({ payload, payloadHash }: AuditRecord): boolean {
  if (payload === null) return true;
  try {
    return sha256(payload) === payloadHash && canonicalJson(JSON.parse(payload)) === payload;
  } catch {
    return false;
  }
}

/** Redaction is itself in the audit, and such entries are never redacted. */
const REDACTED_ACTION = "audit.redacted";

/**
 * Walks one workspace's chain from its first entry on, in the order of the rows, and names every row that is not as it
 * was written. After a fault it goes on from what the row says, so that one edit is one fault.
 */
export class AuditChain {
  readonly #workspaceId: string;
  readonly #exported: AuditHead | undefined;
  readonly #redacted: number[] = [];
  #redactedUpTo = 0;
  #last = { number: 0, hash: GENESIS };

  constructor(workspaceId: string, exported?: AuditHead) {
    this.#workspaceId = workspaceId;
    this.#exported = exported;
  }

  /** Where the walk stands. */
  get head(): AuditHead {
    return { workspaceId: this.#workspaceId, ...this.#last };
  }

  get redacted(): number {
    return this.#redacted.length;
  }

  /** Takes the next row. */
  add(record: AuditRecord): AuditFault[] {
    const faults: AuditFault[] = [];
    const { number } = record;
    const fault = (kind: AuditFault["kind"], message: string, at = number) =>
      faults.push({ number: at, kind, message });
    const expected = this.#last.number + 1;
    if (number > expected) {
      const gap = number - expected === 1 ? `Entry ${expected} is` : `Entries ${expected} to ${number - 1} are`;
      fault("missing", `${gap} not there.`, expected);
    }
    if (number < expected) fault("out_of_order", `Entry ${number} comes after entry ${this.#last.number}.`);
    if (record.workspaceId !== this.#workspaceId) {
      fault("other_workspace", `Entry ${number} belongs to workspace ${record.workspaceId}.`);
    }
    if (auditHash(record) !== record.hash) fault("edited", `Entry ${number} is not what it was when it was written.`);
    if (!isPayloadTrue(record)) fault("payload", `The payload of entry ${number} is not the one that was written.`);
    if (number === expected && record.previousHash !== this.#last.hash) {
      fault("broken_link", `Entry ${number} does not continue entry ${this.#last.number} as it now is.`);
    }
    this.#noteRedaction(record);
    const exported = this.#exported;
    if (exported?.number === number && exported.hash !== record.hash) {
      fault("exported_head", `Entry ${number} was another one when the head was exported.`);
    }
    this.#last = { number, hash: record.hash };
    return faults;
  }

  /** Once the last row is in. `stored` is what the database keeps as the chain's end; absent for a file. */
  end(stored?: { readonly number: number; readonly hash: string }): AuditFault[] {
    const faults: AuditFault[] = [];
    const { number, hash } = this.#last;
    for (const redacted of this.#redacted) {
      if (redacted <= this.#redactedUpTo) continue;
      const message = `The payload of entry ${redacted} is gone, and no entry says that it was redacted.`;
      faults.push({ number: redacted, kind: "redaction", message });
    }
    if (stored !== undefined && stored.number > number) {
      const message = `The chain ended at entry ${stored.number}; entries from ${number + 1} on are cut off.`;
      faults.push({ number: number + 1, kind: "head", message });
    } else if (stored !== undefined && (stored.number !== number || stored.hash !== hash)) {
      faults.push({ number, kind: "head", message: `Entry ${number} is not the one at which the chain ended.` });
    }
    const exported = this.#exported;
    if (exported !== undefined && exported.workspaceId !== this.#workspaceId) {
      const message = `The exported head is one of workspace ${exported.workspaceId}.`;
      faults.push({ number: 0, kind: "exported_head", message });
    } else if (exported !== undefined && exported.number > number) {
      const message = `There were ${exported.number} entries when the head was exported; from ${number + 1} on they are cut off.`;
      faults.push({ number: number + 1, kind: "exported_head", message });
    }
    return faults;
  }

  #noteRedaction({ number, action, payload }: AuditRecord): void {
    if (payload === null) {
      this.#redacted.push(number);
      return;
    }
    if (action !== REDACTED_ACTION) return;
    const detail = detailOf(payload);
    if (typeof detail?.upTo === "number" && detail.upTo < number) {
      this.#redactedUpTo = Math.max(this.#redactedUpTo, detail.upTo);
    }
  }
}

/** What a payload says in detail; undefined: nothing, or nothing readable. */
export function detailOf(payload: string | null): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(payload ?? "null");
    const detail = isJsonObject(parsed) ? parsed.detail : undefined;
    return isJsonObject(detail) ? detail : undefined;
  } catch {
    return undefined;
  }
}
