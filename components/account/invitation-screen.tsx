"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { toApiError } from "../trpc-client/api-error";
import { type ApiOutputs, useTRPC } from "../trpc-client/context";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { Field, TextInput } from "../ui/input";
import { SkeletonRows } from "../ui/skeleton";
import { signIn, signOut } from "./auth-requests";

type Preview = ApiOutputs["invitations"]["preview"];

/**
 * Where the link of an invitation leads. The token stands behind the `#` and goes to the server in a body alone.
 * Without one, somebody who is in no workspace hears so here.
 */
export function InvitationScreen() {
  const trpc = useTRPC();
  const [token, setToken] = useState<string>();
  const preview = useMutation(trpc.invitations.preview.mutationOptions());
  const { mutate } = preview;
  useEffect(() => {
    const given = window.location.hash.slice(1) || (sessionStorage.getItem(KEPT) ?? "");
    sessionStorage.removeItem(KEPT);
    setToken(given);
    if (given !== "") mutate({ token: given });
  }, [mutate]);
  return (
    <main className="grid min-h-full place-items-center bg-canvas px-4 py-12">
      <section className="box w-full max-w-96 bg-surface p-6">
        {token === "" ? (
          <EmptyState
            icon="people"
            title="You are in no workspace"
            action={
              <Button onClick={() => void signOut().then(() => window.location.assign("/sign-in"))}>Sign out</Button>
            }
          >
            Ask an admin for an invitation, and open its link.
          </EmptyState>
        ) : preview.error !== null ? (
          <EmptyState icon="lock" title="This invitation does not work">
            {toApiError(preview.error).message} Ask whoever sent it for a new one.
          </EmptyState>
        ) : preview.data === undefined || token === undefined ? (
          <SkeletonRows rows={4} label="Looking at the invitation" />
        ) : (
          <>
            <h1 className="text-page">Join {preview.data.workspace}</h1>
            <p className="mt-1 mb-5 text-small text-fg-2">
              {preview.data.invitedBy} invites <span className="font-medium">{preview.data.email}</span> as{" "}
              {preview.data.roles.join(", ")}.
            </p>
            {preview.data.known ? <JoinForm token={token} /> : <NewPersonForm token={token} preview={preview.data} />}
          </>
        )}
      </section>
    </main>
  );
}

/** Keeps the token in this tab while somebody signs in: an address would carry it into logs. */
const KEPT = "planwright:invitation";

const enter = () => window.location.assign("/plans");

function NewPersonForm({ token, preview }: { readonly token: string; readonly preview: Preview }) {
  const trpc = useTRPC();
  const accept = useMutation(trpc.invitations.accept.mutationOptions());
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const password = String(fields.get("password") ?? "");
    const accepted = await accept
      .mutateAsync({ token, name: String(fields.get("name") ?? ""), password })
      .catch(() => undefined);
    if (accepted === undefined) return;
    const fault = await signIn({ email: preview.email, password });
    if (fault === undefined) enter();
    else window.location.assign("/sign-in");
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" aria-label="Accept the invitation">
      <Field label="Your name">
        {(control) => (
          <TextInput {...control} className="h-9" name="name" autoComplete="name" required maxLength={100} autoFocus />
        )}
      </Field>
      <Field label="Password" note="12 or more characters">
        {(control) => (
          <TextInput
            {...control}
            className="h-9"
            name="password"
            type="password"
            autoComplete="new-password"
            required
            minLength={12}
            maxLength={256}
          />
        )}
      </Field>
      <Fault error={accept.error} />
      <Button type="submit" variant="primary" size="large" disabled={accept.isPending}>
        {accept.isPending ? "Joining…" : "Join"}
      </Button>
    </form>
  );
}

function JoinForm({ token }: { readonly token: string }) {
  const trpc = useTRPC();
  const join = useMutation(trpc.invitations.join.mutationOptions({ onSuccess: enter }));
  const code = join.error === null ? undefined : toApiError(join.error).code;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-small text-fg-2">You can sign in already: join with the account that you have.</p>
      {code === "unauthenticated" ? (
        <Button asChild variant="primary" size="large">
          <a href="/sign-in?back=%2Finvitation" onClick={() => sessionStorage.setItem(KEPT, token)}>
            Sign in first
          </a>
        </Button>
      ) : (
        <>
          <Fault error={join.error} />
          <Button variant="primary" size="large" disabled={join.isPending} onClick={() => join.mutate({ token })}>
            {join.isPending ? "Joining…" : "Join"}
          </Button>
        </>
      )}
    </div>
  );
}

const Fault = ({ error }: { readonly error: unknown }) =>
  error === null ? null : (
    <p role="alert" className="tone-failed rounded-control bg-tone-bg px-3 py-2 text-small text-tone">
      {toApiError(error).message}
    </p>
  );
