import type { ApiInputs } from "../trpc-client/context";

export type KeyScope = ApiInputs["apiKeys"]["create"]["scopes"][number];

/** In the order of the form. */
export const KEY_SCOPES: readonly KeyScope[] = ["read", "plan", "run", "decide", "admin"];

export const SCOPE_TEXT: Readonly<Record<KeyScope, { readonly title: string; readonly hint: string }>> = {
  read: { title: "Read", hint: "Plans, runs, events and gates." },
  plan: { title: "Change plans", hint: "Import them, save drafts and versions." },
  run: { title: "Run", hint: "Start, pause, resume and cancel runs." },
  decide: { title: "Sign gates in my name", hint: "Four eyes hold all the same: never gates of my own runs." },
  admin: { title: "Administer", hint: "Capabilities, secrets, limits and the audit, if I am an admin." },
};
