import { createHash } from "node:crypto";
import type { NewRunEvent, RunEvent, RunEventType } from "#kernel/run/event";

/** One row of `run_events` but for its run and `seq`. */
export interface EncodedEvent {
  readonly at: number;
  readonly type: RunEventType;
  readonly taskId: string | undefined;
  readonly payload: string;
}

export interface EventRow {
  readonly run_key: string;
  readonly seq: number;
  readonly at: number;
  readonly type: RunEventType;
  readonly task_id: string | null;
  readonly payload: string;
}

/** Keys of an event whose values are stored once in `documents` and named by their hash. */
const BY_REFERENCE = ["plan", "capabilities"] as const;

/** The SHA-256 of a document's text, its key in `documents`. */
export const documentHash = (content: string): string => createHash("sha256").update(content).digest("hex");

/**
 * An event as a row. The payload is JSON text: `JSON.stringify` writes U+0000 and lone surrogates as escapes, so that
 * every string comes back as it was, which jsonb refuses; and it never holds a line break, which the append relies on.
 *
 * @param documents receives what the payload names by hash: they must be stored in the same transaction.
 */
export function encodeEvent(event: NewRunEvent, documents: Map<string, string>): EncodedEvent {
  if (event.type === "task_succeeded") return encodeSuccess(event);
  if ("taskId" in event) {
    const { at, type, taskId, ...rest } = event;
    return { at, type, taskId, payload: JSON.stringify(rest) };
  }
  const { at, type, ...rest } = event;
  if (!("plan" in rest)) return { at, type, taskId: undefined, payload: JSON.stringify(rest) };
  const { plan, capabilities = [], ...fields } = rest;
  if (plan === undefined) return { at, type, taskId: undefined, payload: JSON.stringify(fields) };
  const planRef = storeDocument(plan, documents);
  const capabilitiesRef = storeDocument(capabilities, documents);
  return { at, type, taskId: undefined, payload: JSON.stringify({ ...fields, planRef, capabilitiesRef }) };
}

/** Most events are this one, so what nearly all of them say is left out: a first attempt that changed nothing. */
function encodeSuccess(event: NewRunEvent & { readonly type: "task_succeeded" }): EncodedEvent {
  const { at, type, taskId, attempt, observation, ...rest } = event;
  const { status, sideEffect, ...observed } = observation;
  const payload = JSON.stringify({
    ...rest,
    ...(attempt === 1 ? {} : { attempt }),
    observation: {
      ...(status === "ok" ? {} : { status }),
      ...(sideEffect === "none" ? {} : { sideEffect }),
      ...observed,
    },
  });
  return { at, type, taskId, payload };
}

/** Puts back what {@link encodeSuccess} left out. */
function decodeSuccess(fields: Record<string, unknown>): Record<string, unknown> {
  const observation = { status: "ok", sideEffect: "none", ...asRecord(fields.observation) };
  return { attempt: 1, ...fields, observation };
}

const asRecord = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});

/** Texts and hashes of values seen before: a registry's snapshot goes into every run that is started. */
const known = new WeakMap<object, { readonly content: string; readonly hash: string }>();

function storeDocument(value: object, documents: Map<string, string>): string {
  let document = known.get(value);
  if (document === undefined) {
    const content = JSON.stringify(value);
    document = { content, hash: documentHash(content) };
    known.set(value, document);
  }
  documents.set(document.hash, document.content);
  return document.hash;
}

const MAY_REFER: ReadonlySet<RunEventType> = new Set(["plan_accepted", "plan_revised", "plan_proposed"]);

/** The hashes that a row's payload names. */
export function referencesOf(row: EventRow): readonly string[] {
  if (!MAY_REFER.has(row.type)) return [];
  const fields = parseFields(row);
  return BY_REFERENCE.flatMap((key) => referenceIn(fields, key) ?? []);
}

/**
 * The event of a row, with its documents in place. Not validated again: the row was written by {@link encodeEvent} and
 * cannot have changed since, and a fold of a long run reads thousands of them.
 */
export function decodeEvent(row: EventRow, documents: ReadonlyMap<string, unknown>): RunEvent {
  const parsed = parseFields(row);
  const fields = row.type === "task_succeeded" ? decodeSuccess(parsed) : parsed;
  for (const key of BY_REFERENCE) {
    const hash = referenceIn(fields, key);
    if (hash === undefined) continue;
    if (!documents.has(hash)) throw new Error(`Event ${row.seq} names document ${hash}, which is missing`);
    fields[key] = documents.get(hash);
    delete fields[`${key}Ref`];
  }
  const envelope = { seq: row.seq, at: row.at, type: row.type };
  const event = row.task_id === null ? envelope : { ...envelope, taskId: row.task_id };
  return Object.assign(event, fields) as unknown as RunEvent;
}

const parseFields = (row: EventRow): Record<string, unknown> => JSON.parse(row.payload);

function referenceIn(fields: Record<string, unknown>, key: string): string | undefined {
  const hash = fields[`${key}Ref`];
  return typeof hash === "string" ? hash : undefined;
}
