import { z } from "zod";
import type { JsonObject, JsonValue } from "#kernel/json";
import type { Principal } from "./principal";

/** Who did it. `system` is the server itself: its worker, its retention, its first start. */
export type AuditActor =
  | {
      readonly kind: "person";
      readonly id: string;
      readonly name: string;
      /** How they came in; absent where it is not known any more. */
      readonly via?: "session" | "api_key";
      /** The key they came in with. */
      readonly keyId?: string;
    }
  | { readonly kind: "system"; readonly id: "worker" | "server" | "retention" };

/** What it was done to. `kind` is one word: run, gate, person, key, secret, capability, workspace. */
export interface AuditSubject {
  readonly kind: string;
  readonly id: string;
  readonly name?: string;
}

/** One thing that happened, for the record: never a secret, never a whole document. */
export interface NewAuditEntry {
  readonly workspaceId: string;
  readonly actor: AuditActor;
  /** `area.what_happened`, such as `gate.decided`: words of ours, in snake_case. */
  readonly action: `${string}.${string}`;
  readonly subject: AuditSubject;
  readonly detail?: JsonObject;
}

/** The person behind a request, as the audit names them. */
export const actorOf = ({ person, via, viaId }: Principal): AuditActor => ({
  kind: "person",
  id: person.id,
  name: person.name,
  via,
  ...(via === "api_key" && { keyId: viaId }),
});

/** One row of the chain as it is stored and exported. Names and detail stand in `payload`, which retention may take. */
export const auditRecordSchema = z.object({
  workspaceId: z.string(),
  number: z.int(),
  /** Epoch milliseconds on the database clock. */
  at: z.int(),
  actorKind: z.string(),
  actorId: z.string(),
  action: z.string(),
  subjectKind: z.string(),
  subjectId: z.string(),
  /** Canonical JSON text; null once redacted. */
  payload: z.string().nullable(),
  payloadHash: z.string(),
  previousHash: z.string(),
  hash: z.string(),
});
export type AuditRecord = z.infer<typeof auditRecordSchema>;

/** What {@link NewAuditEntry} becomes in a payload. The salt keeps a redacted payload from being guessed by its hash. */
export function auditPayload({ actor, subject, detail }: NewAuditEntry, salt: string): JsonObject {
  const members: [string, JsonValue | undefined][] = [
    ["actorName", actor.kind === "person" ? actor.name : undefined],
    ["detail", detail],
    ["keyId", actor.kind === "person" ? actor.keyId : undefined],
    ["salt", salt],
    ["subjectName", subject.name],
    ["via", actor.kind === "person" ? actor.via : undefined],
  ];
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Enters what has no transaction of its own: a decision that was refused changes nothing else. */
export interface AuditRecorder {
  record(entries: readonly NewAuditEntry[]): Promise<void>;
}
