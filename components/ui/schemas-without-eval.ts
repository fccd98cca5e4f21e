import { config } from "zod/v4/core";

/**
 * zod tries on the first schema whether it may make code from text. Our content security policy says no, rightly, and
 * the browser reports the attempt as a violation: on nearly every screen, where a real one would go unseen among them.
 * Imported before any schema is made.
 */
config({ jitless: true });
