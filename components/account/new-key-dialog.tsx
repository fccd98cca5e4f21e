"use client";

import { type FormEvent, useState } from "react";
import type { ApiInputs } from "../trpc-client/context";
import { Button } from "../ui/button";
import { CopyText } from "../ui/copy-text";
import { Dialog } from "../ui/dialog";
import { Field, TextInput } from "../ui/input";
import { Select } from "../ui/select";
import { KEY_SCOPES, type KeyScope, SCOPE_TEXT } from "./key-scope-text";

type NewKey = ApiInputs["apiKeys"]["create"];

export interface NewKeyDialogProps {
  readonly open: boolean;
  readonly isBusy: boolean;
  /** Set once the key is made; shown here and never again. */
  readonly secret: string | undefined;
  readonly error: string | undefined;
  readonly onCreate: (key: NewKey) => void;
  readonly onClose: () => void;
}

export function NewKeyDialog({ open, isBusy, secret, error, onCreate, onClose }: NewKeyDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={secret === undefined ? "New key" : "Copy the key now"}
      description={
        secret === undefined
          ? "Name it after the place that will use it, and give it no more than it needs."
          : "It is shown this once. We keep only its fingerprint."
      }
      footer={
        secret === undefined ? (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form="new-key" variant="primary" disabled={isBusy}>
              {isBusy ? "Making it…" : "Make the key"}
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={onClose}>
            I have copied it
          </Button>
        )
      }
    >
      {secret === undefined ? <NewKeyForm error={error} onCreate={onCreate} /> : <CopyText text={secret} />}
    </Dialog>
  );
}

const LIFETIMES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "No end" },
] as const;

/** What an agent's key can never have: what it asks for, a person signs. */
const FOR_PEOPLE_ONLY: ReadonlySet<KeyScope> = new Set(["decide", "admin"]);

function NewKeyForm({ error, onCreate }: Pick<NewKeyDialogProps, "error" | "onCreate">) {
  const [scopes, setScopes] = useState<ReadonlySet<KeyScope>>(new Set(["read", "plan", "run"]));
  const [agent, setAgent] = useState(false);
  const [lifetime, setLifetime] = useState<(typeof LIFETIMES)[number]["value"]>("90");
  const chosen = KEY_SCOPES.filter((scope) => scopes.has(scope) && !(agent && FOR_PEOPLE_ONLY.has(scope)));
  const toggle = (scope: KeyScope, on: boolean) => {
    const next = new Set(scopes);
    if (on) next.add(scope);
    else next.delete(scope);
    setScopes(next);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name") ?? "").trim();
    if (name === "" || chosen.length === 0) return;
    onCreate({ name, scopes: chosen, agent, ...(lifetime === "never" ? {} : { days: Number(lifetime) }) });
  };
  return (
    <form id="new-key" onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name" {...(error === undefined ? {} : { error })}>
        {(control) => <TextInput {...control} name="name" maxLength={100} required placeholder="Build server" />}
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-micro font-medium">It may</legend>
        {KEY_SCOPES.map((scope) => (
          <label key={scope} className="flex items-start gap-2 text-small">
            <input
              type="checkbox"
              className="mt-0.5"
              checked={chosen.includes(scope)}
              disabled={agent && FOR_PEOPLE_ONLY.has(scope)}
              onChange={(event) => toggle(scope, event.target.checked)}
            />
            <span>
              {SCOPE_TEXT[scope].title}
              <span className="block text-fg-3">{SCOPE_TEXT[scope].hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <label className="flex items-start gap-2 text-small">
        <input
          type="checkbox"
          className="mt-0.5"
          checked={agent}
          onChange={(event) => setAgent(event.target.checked)}
        />
        <span>
          An agent will use it
          <span className="block text-fg-3">Such a key never signs: what an agent asks for, a person decides.</span>
        </span>
      </label>
      <Field label="Ends after">
        {(control) => <Select id={control.id} value={lifetime} options={LIFETIMES} onValueChange={setLifetime} />}
      </Field>
    </form>
  );
}
