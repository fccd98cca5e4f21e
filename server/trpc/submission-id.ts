import { z } from "zod";
import type { PersonRef } from "#kernel/run/event";

/**
 * An id that whoever sends a change makes up: sent again with it, since the answer was lost, the change is not made
 * twice and is answered as the first time.
 */
export const requestIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,100}$/, "A request id has 8 to 100 letters, digits, - or _.");

/** What a submission is known by in its run: one person's request for one thing. Undefined: it carried no id. */
export const submissionIdOf = (person: PersonRef, what: string, requestId: string | undefined): string | undefined =>
  requestId === undefined ? undefined : `${person.id} ${what} ${requestId}`;
