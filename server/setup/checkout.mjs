import path from "node:path";

/** The checkout that this file is part of: set-up works wherever it is called from. */
export const ROOT = path.resolve(import.meta.dirname, "..", "..");

/** A path inside the checkout. */
export const inCheckout = (...names) => path.join(ROOT, ...names);
