/**
 * An id for a change that may be sent again since its answer was lost: with the same id it is made once. From the
 * browser's own chance, which is there without HTTPS too.
 */
export const newRequestId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
