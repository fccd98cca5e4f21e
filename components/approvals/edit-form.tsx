"use client";

import { useMemo, useState } from "react";
import { canonicalJson, type JsonObject, type JsonValue } from "#kernel/json";
import { Button } from "../ui/button";
import { Field, TextInput } from "../ui/input";
import { fieldsOf, objectOf } from "./typed-field";
import { TypedForm } from "./typed-form";

export interface EditFormProps {
  readonly value: JsonValue;
  readonly schema?: JsonObject;
  readonly sending: boolean;
  readonly onCancel: () => void;
  readonly onSend: (value: JsonValue, reason: string) => void;
}

/** Other arguments to ask again with. Nothing runs by this: a new gate opens with a new hash. */
export function EditForm({ value, schema, sending, onCancel, onSend }: EditFormProps) {
  const fields = useMemo(() => fieldsOf(value, schema), [value, schema]);
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [reason, setReason] = useState("");
  const [unchanged, setUnchanged] = useState(false);
  return (
    <form
      className="grid gap-3 border-b border-hairline px-6 py-3 max-md:px-3"
      onSubmit={(event) => {
        event.preventDefault();
        const edited = objectOf(fields, texts);
        if (!edited.ok) {
          setProblems(edited.error);
          return;
        }
        const same = canonicalJson(edited.value) === canonicalJson(value);
        setUnchanged(same);
        if (!same) onSend(edited.value, reason.trim());
      }}
    >
      <TypedForm
        fields={fields}
        texts={texts}
        problems={problems}
        onChange={(name, text) => {
          setTexts(new Map([...texts, [name, text]]));
          setProblems(new Map([...problems].filter(([other]) => other !== name)));
          setUnchanged(false);
        }}
      />
      <Field label="What you changed and why">
        {(control) => (
          <TextInput
            {...control}
            value={reason}
            maxLength={2_000}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      {unchanged ? (
        <p role="alert" className="tone-failed text-small text-tone">
          Nothing is changed yet. To let these arguments run, approve them.
        </p>
      ) : null}
      <div className="flex items-center justify-end gap-2">
        <span className="flex-1 text-small text-fg-3 max-md:hidden">
          Nothing runs by this: a new gate asks about the edited arguments.
        </span>
        <Button onClick={onCancel}>Discard</Button>
        <Button type="submit" disabled={sending}>
          Send back
        </Button>
      </div>
    </form>
  );
}
