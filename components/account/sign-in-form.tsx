"use client";

import { type FormEvent, useState } from "react";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { Field, TextInput } from "../ui/input";
import { useIsLive } from "../ui/is-live";
import { type SignInFault, signIn } from "./auth-requests";

const FAULT_TEXT: Readonly<Record<SignInFault, string>> = {
  wrong_credentials: "This address and password do not belong together.",
  too_many_attempts: "Too many attempts. Wait a minute, then try again.",
  offline: "The server did not answer. Is it still running?",
  unavailable: "Signing in does not work right now. The server's log says why.",
};

interface FormState {
  readonly isBusy: boolean;
  readonly missing: { readonly email?: string; readonly password?: string };
  readonly fault?: SignInFault;
}

/** Signs in and leaves for `back`. Faults stand where they belong: beside the field, or above the button. */
export function SignInForm({ back }: { readonly back: string }) {
  const [state, setState] = useState<FormState>({ isBusy: false, missing: {} });
  const [isVisible, setIsVisible] = useState(false);
  const isLive = useIsLive();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const email = String(form.get("email") ?? "").trim();
    const password = String(form.get("password") ?? "");
    const missing = {
      ...(email === "" ? { email: "Enter your e-mail address." } : {}),
      ...(password === "" ? { password: "Enter your password." } : {}),
    };
    if (Object.keys(missing).length > 0) return setState({ isBusy: false, missing });
    setState({ isBusy: true, missing: {} });
    const fault = await signIn({ email, password });
    // A full load, so that nothing of an earlier person's data stays in memory.
    if (fault === undefined) return window.location.assign(back);
    setState({ isBusy: false, missing: {}, fault });
  };

  return (
    // Until the page is live the browser itself would send the form: never as an address, which logs keep.
    <form method="post" onSubmit={submit} noValidate className="flex flex-col gap-4" aria-label="Sign in">
      <Field label="E-mail address" {...(state.missing.email ? { error: state.missing.email } : {})}>
        {(control) => (
          <TextInput
            {...control}
            className="h-9"
            name="email"
            type="email"
            autoComplete="username"
            autoFocus
            spellCheck={false}
            invalid={state.missing.email !== undefined}
          />
        )}
      </Field>
      <Field label="Password" {...(state.missing.password ? { error: state.missing.password } : {})}>
        {(control) => (
          <TextInput
            {...control}
            className="h-9"
            name="password"
            type={isVisible ? "text" : "password"}
            autoComplete="current-password"
            invalid={state.missing.password !== undefined}
            suffix={
              <button
                type="button"
                className="rounded-tag p-1 text-fg-3 hover:text-fg"
                aria-label={isVisible ? "Hide the password" : "Show the password"}
                aria-pressed={isVisible}
                onClick={() => setIsVisible(!isVisible)}
              >
                <Icon name="eye" />
              </button>
            }
          />
        )}
      </Field>
      {state.fault === undefined ? null : (
        <p
          role="alert"
          className="tone-failed flex items-center gap-2 rounded-control bg-tone-bg px-3 py-2 text-small text-tone"
        >
          <Icon name="warning" />
          {FAULT_TEXT[state.fault]}
        </p>
      )}
      <Button type="submit" variant="primary" size="large" disabled={state.isBusy || !isLive}>
        {state.isBusy ? "Signing in…" : "Sign in"}
      </Button>
    </form>
  );
}
