import { z } from "zod";
import { canonicalJson } from "#kernel/json";
import { err, ok, type Result } from "#kernel/result";
import type { AuditHead } from "./audit-chain";
import { type AuditRecord, auditRecordSchema } from "./audit-log";

/** One line of an exported audit: the record, with its payload as JSON that tools can read. */
export function auditLine({ payload, ...record }: AuditRecord): string {
  const { workspaceId, number, at, actorKind, actorId, action, subjectKind, subjectId, ...hashes } = record;
  const parsed: unknown = payload === null ? null : JSON.parse(payload);
  const first = { workspaceId, number, at, actorKind, actorId, action, subjectKind, subjectId };
  return JSON.stringify({ ...first, payload: parsed, ...hashes });
}

const lineSchema = auditRecordSchema.extend({ payload: z.json() });

/** The record of a line, or what is wrong with it. */
export function parseAuditLine(line: string): Result<AuditRecord, string> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return err("This is not JSON.");
  }
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) return err("This is not an entry of an audit.");
  const { payload, ...record } = parsed.data;
  return ok({ ...record, payload: payload === null ? null : canonicalJson(payload) });
}

const headSchema = z.object({ workspaceId: z.string(), number: z.int().min(0), hash: z.string().length(64) });

/** An exported head as a file. */
export const auditHeadFile = ({ workspaceId, number, hash }: AuditHead): string =>
  `${JSON.stringify({ workspaceId, number, hash })}\n`;

/** Undefined: this is not an exported head. */
export function parseAuditHead(text: string): AuditHead | undefined {
  try {
    return headSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
