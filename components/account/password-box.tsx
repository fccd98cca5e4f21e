"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTRPC } from "../trpc-client/context";
import { Button } from "../ui/button";
import { Field, TextInput } from "../ui/input";
import { useIsLive } from "../ui/is-live";
import { changePassword, type PasswordFault } from "./auth-requests";

const FAULT_TEXT: Readonly<Record<PasswordFault, string>> = {
  wrong_password: "This is not your present password.",
  too_short: "A password has at least 12 characters.",
  too_many_attempts: "Too many attempts. Try again in ten minutes.",
  no_password: "You sign in elsewhere: there is no password here to change.",
  offline: "The server did not answer.",
  unavailable: "Changing the password does not work right now. The server's log says why.",
};

/** A new password; every other browser is signed out with it. */
export function PasswordBox() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [state, setState] = useState<"idle" | "busy" | "done" | PasswordFault>("idle");
  const isLive = useIsLive();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    setState("busy");
    const fault = await changePassword({
      currentPassword: String(fields.get("current") ?? ""),
      newPassword: String(fields.get("new") ?? ""),
    });
    setState(fault ?? "done");
    if (fault !== undefined) return;
    form.reset();
    await queryClient.invalidateQueries(trpc.sessions.pathFilter());
  };
  const fault = state === "idle" || state === "busy" || state === "done" ? undefined : FAULT_TEXT[state];
  return (
    <section>
      <h2 className="text-lead font-semibold">Password</h2>
      <p className="mt-0.5 mb-2 text-small text-fg-3">A new one signs you out everywhere else.</p>
      <form
        method="post"
        onSubmit={submit}
        className="box flex flex-wrap items-end gap-3 px-4 py-3"
        aria-label="Change the password"
      >
        <Field label="Present password" className="min-w-48 flex-1">
          {(control) => (
            <TextInput {...control} name="current" type="password" autoComplete="current-password" required />
          )}
        </Field>
        <Field label="New password" note="12 or more" className="min-w-48 flex-1">
          {(control) => (
            <TextInput
              {...control}
              name="new"
              type="password"
              autoComplete="new-password"
              required
              minLength={12}
              maxLength={256}
            />
          )}
        </Field>
        <Button type="submit" disabled={state === "busy" || !isLive}>
          {state === "busy" ? "Changing it…" : "Change it"}
        </Button>
        <p aria-live="polite" className="w-full text-small empty:hidden">
          {fault === undefined ? null : <span className="tone-failed text-tone">{fault}</span>}
          {state === "done" ? (
            <span className="tone-succeeded text-tone">Changed. Your other browsers are signed out.</span>
          ) : null}
        </p>
      </form>
    </section>
  );
}
