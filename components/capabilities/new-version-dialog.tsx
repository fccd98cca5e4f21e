"use client";

import { type FormEvent, useState } from "react";
import type { CapabilityDraft } from "#kernel/capability/capability-draft";
import { capabilityDraftSchema } from "#kernel/capability/capability-draft";
import type { ApiError } from "../trpc-client/api-error";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field, TextArea, TextInput } from "../ui/input";
import { Segmented } from "../ui/segmented";
import { Select } from "../ui/select";

export interface NewVersionDialogProps {
  readonly draft: CapabilityDraft;
  readonly isBusy: boolean;
  readonly error: ApiError | undefined;
  readonly onRegister: (draft: CapabilityDraft, note: string) => void;
  readonly onClose: () => void;
}

type View = "form" | "json";

/** The shown version as a form and as text; what comes out is a version of its own, and this one stays. */
export function NewVersionDialog({ draft: given, isBusy, error, onRegister, onClose }: NewVersionDialogProps) {
  const [view, setView] = useState<View>("form");
  const [draft, setDraft] = useState(given);
  const [text, setText] = useState(() => JSON.stringify(given, null, 2));
  const [note, setNote] = useState("");
  const [fault, setFault] = useState<string>();

  const change = (part: Partial<CapabilityDraft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    setText(JSON.stringify(next, null, 2));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const read = readDraft(text);
    setFault(read.fault);
    if (read.draft !== undefined) onRegister({ ...read.draft, name: given.name }, note.trim());
  };
  const show = (next: View) => {
    const read = readDraft(text);
    if (next === "form" && read.draft === undefined) {
      setFault(read.fault);
      return;
    }
    if (read.draft !== undefined) setDraft(read.draft);
    setFault(undefined);
    setView(next);
  };

  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`New version of ${given.name}`}
      description="Registered versions never change: runs and approvals are bound to them. This becomes the next one."
      footer={
        <>
          <Segmented
            label="Edit as"
            className="mr-auto"
            value={view}
            options={[
              { value: "form", label: "Form" },
              { value: "json", label: "JSON" },
            ]}
            onValueChange={show}
          />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="new-version" variant="primary" disabled={isBusy}>
            {isBusy ? "Registering…" : "Register the version"}
          </Button>
        </>
      }
    >
      <form id="new-version" onSubmit={submit} className="flex flex-col gap-4">
        {view === "form" ? (
          <ContractForm draft={draft} onChange={change} />
        ) : (
          <Field label="The whole contract">
            {(control) => (
              <TextArea
                {...control}
                rows={22}
                spellCheck={false}
                className="mono text-micro"
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
        )}
        <Field label="What changes, and why">
          {(control) => (
            <TextInput {...control} value={note} maxLength={500} onChange={(event) => setNote(event.target.value)} />
          )}
        </Field>
        <Faults fault={fault} error={error} />
      </form>
    </Dialog>
  );
}

interface ContractFormProps {
  readonly draft: CapabilityDraft;
  readonly onChange: (part: Partial<CapabilityDraft>) => void;
}

const SIDE_EFFECTS = [
  { value: "none", label: "None" },
  { value: "read", label: "Reads" },
  { value: "write", label: "Writes" },
  { value: "destructive", label: "Cannot be undone" },
] as const;
const IDEMPOTENCIES = [
  { value: "natural", label: "Harmless by itself" },
  { value: "key", label: "Told by a key" },
  { value: "status_lookup", label: "Looked up" },
  { value: "none", label: "Not safe: ask a person" },
] as const;

/** The fields that people change; schemas and settings are edited as text. */
const ContractForm = ({ draft, onChange }: ContractFormProps) => (
  <>
    <Field label="Title">
      {(control) => (
        <TextInput {...control} value={draft.title} onChange={(event) => onChange({ title: event.target.value })} />
      )}
    </Field>
    <Field label="Description">
      {(control) => (
        <TextArea
          {...control}
          rows={3}
          value={draft.description}
          onChange={(event) => onChange({ description: event.target.value })}
        />
      )}
    </Field>
    <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-1">
      <Field label="Side effect">
        {({ id }) => (
          <Select
            id={id}
            value={draft.sideEffect}
            options={SIDE_EFFECTS}
            onValueChange={(sideEffect) => onChange({ sideEffect })}
          />
        )}
      </Field>
      <Field label="A repeated call is">
        {({ id }) => (
          <Select
            id={id}
            value={draft.idempotency}
            options={IDEMPOTENCIES}
            onValueChange={(idempotency) => onChange({ idempotency })}
          />
        )}
      </Field>
      <Field label="Approval before every call">
        {() => (
          <Segmented
            label="Approval before every call"
            className="w-full"
            value={draft.approval}
            options={[
              { value: "never", label: "not asked" },
              { value: "always", label: "always" },
            ]}
            onValueChange={(approval) => onChange({ approval })}
          />
        )}
      </Field>
      <Amount
        label="Time limit"
        unit="s"
        value={draft.timeoutSeconds}
        onChange={(seconds) => onChange({ timeoutSeconds: seconds ?? 30 })}
      />
      <Amount
        label="Calls at once"
        unit="calls"
        value={draft.concurrency}
        onChange={(concurrency) => onChange({ concurrency })}
      />
      <Amount
        label="Calls in a minute"
        unit="calls"
        value={draft.rateLimit === undefined ? undefined : (draft.rateLimit.calls * 60) / draft.rateLimit.perSeconds}
        onChange={(calls) =>
          onChange({
            rateLimit: calls === undefined ? undefined : { calls: Math.max(1, Math.round(calls)), perSeconds: 60 },
          })
        }
      />
    </div>
  </>
);

interface AmountProps {
  readonly label: string;
  readonly unit: string;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

const Amount = ({ label, unit, value, onChange }: AmountProps) => (
  <Field label={label}>
    {(control) => (
      <TextInput
        {...control}
        inputMode="decimal"
        placeholder="No limit"
        defaultValue={value ?? ""}
        suffix={<span className="text-fg-3">{unit}</span>}
        onChange={(event) => {
          const amount = Number(event.target.value);
          if (event.target.value.trim() === "") onChange(undefined);
          else if (Number.isFinite(amount) && amount > 0) onChange(amount);
        }}
      />
    )}
  </Field>
);

function Faults({ fault, error }: { readonly fault: string | undefined; readonly error: ApiError | undefined }) {
  const issues = error?.details.issues ?? [];
  if (fault === undefined && error === undefined) return null;
  return (
    <div role="alert" className="tone-failed text-small text-tone">
      <p>{fault ?? error?.message}</p>
      {issues.length > 1 ? (
        <ul className="mt-1 list-disc pl-4">
          {issues.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <span className="mono">{pointer || "/"}</span> {message}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function readDraft(text: string): { readonly draft?: CapabilityDraft; readonly fault?: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (problem) {
    return { fault: `This is not JSON: ${problem instanceof Error ? problem.message : ""}` };
  }
  const parsed = capabilityDraftSchema.safeParse(value);
  if (parsed.success) return { draft: parsed.data };
  const [issue] = parsed.error.issues;
  return {
    fault: issue === undefined ? "This is no capability." : `${issue.path.map(String).join("/")}: ${issue.message}`,
  };
}
