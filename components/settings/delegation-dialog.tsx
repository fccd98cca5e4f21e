"use client";

import { type FormEvent, useId, useState } from "react";
import type { ApiInputs } from "../trpc-client/context";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field, TextInput } from "../ui/input";
import { Select } from "../ui/select";

type NewDelegation = ApiInputs["delegations"]["create"];

export interface DelegationDialogProps {
  readonly open: boolean;
  readonly people: readonly { readonly id: string; readonly name: string }[] | undefined;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onCancel: () => void;
  readonly onCreate: (delegation: NewDelegation) => void;
}

export const DelegationDialog = (props: DelegationDialogProps) => (
  <Dialog
    open={props.open}
    onOpenChange={(open) => {
      if (!open) props.onCancel();
    }}
    title="Ask somebody to stand in"
    description="They can sign what you could sign, until it ends or you end it. Whatever you may not sign yourself, they may not sign for you."
    footer={
      <>
        <Button onClick={props.onCancel}>Cancel</Button>
        <Button type="submit" form="new-delegation" variant="primary" disabled={props.isBusy}>
          {props.isBusy ? "Lending it…" : "Let them sign"}
        </Button>
      </>
    }
  >
    <DelegationForm {...props} />
  </Dialog>
);

const DAY_MS = 86_400_000;

/** `2026-12-01T09:00` in the reader's own time, as a date field wants it. */
function localText(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function DelegationForm({ people, error, onCreate }: DelegationDialogProps) {
  const personField = useId();
  const [personId, setPersonId] = useState<string>();
  const [times] = useState(() => ({ from: localText(Date.now()), to: localText(Date.now() + 7 * DAY_MS) }));
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const read = (name: string) => String(form.get(name) ?? "").trim();
    const startsAt = new Date(read("from")).getTime();
    const endsAt = new Date(read("to")).getTime();
    if (personId === undefined) return setProblem("Choose who stands in for you.");
    if (!Number.isFinite(endsAt) || endsAt <= Date.now()) return setProblem("Choose an end that is still to come.");
    setProblem(undefined);
    const reason = read("reason");
    onCreate({
      delegateId: personId,
      endsAt,
      // Left as it was, or in the past: from now on.
      ...(Number.isFinite(startsAt) && startsAt > Date.now() ? { startsAt } : {}),
      ...(reason === "" ? {} : { reason }),
    });
  };
  const said = problem ?? error;
  return (
    <form id="new-delegation" onSubmit={submit} className="flex flex-col gap-4">
      <div>
        <label htmlFor={personField} className="mb-[3px] block text-micro font-medium">
          Who stands in
        </label>
        <Select
          id={personField}
          value={personId}
          options={(people ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          placeholder={
            people === undefined ? "Loading people…" : people.length === 0 ? "Nobody else is here" : "Choose a person"
          }
          onValueChange={setPersonId}
        />
      </div>
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Field label="From">
          {(control) => <TextInput {...control} name="from" type="datetime-local" defaultValue={times.from} required />}
        </Field>
        <Field label="To" hint="90 days at most.">
          {(control) => <TextInput {...control} name="to" type="datetime-local" defaultValue={times.to} required />}
        </Field>
      </div>
      <Field label="Why" hint="Everybody in the workspace sees it.">
        {(control) => <TextInput {...control} name="reason" maxLength={500} placeholder="Away until Monday" />}
      </Field>
      {said === undefined ? null : (
        <p role="alert" className="tone-failed text-small text-tone">
          {said}
        </p>
      )}
    </form>
  );
}
