import { toApiError } from "./api-error";

/** What a mutation's error says to a person; undefined: there is none. */
export const refusalOf = (error: unknown): string | undefined =>
  error === null || error === undefined ? undefined : toApiError(error).message;
