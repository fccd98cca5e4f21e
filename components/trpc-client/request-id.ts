/**
 * An id for a change that may be sent again since its answer was lost: with the same id it is made once. From the
 * browser's own chance, which is there without HTTPS too.
 */
export const newRequestId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The ids of what one form sends: the same for the same thing sent again, another one for anything else. */
export interface RequestIds {
  /** @param request all that is sent: with other words in the form it is another request. */
  idFor(request: unknown): string;
  /** It was answered: whatever comes next is a request of its own, the same thing asked for once more included. */
  answered(): void;
}

/** For `useState`: one for as long as the form is there. */
export function createRequestIds(): RequestIds {
  let last: { readonly sent: string; readonly id: string } | undefined;
  return {
    idFor(request) {
      const sent = JSON.stringify(request);
      if (last?.sent !== sent) last = { sent, id: newRequestId() };
      return last.id;
    },
    answered() {
      last = undefined;
    },
  };
}
