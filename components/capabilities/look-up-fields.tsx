import { useId, useState } from "react";
import type { LookUp } from "#kernel/capability/capability";
import { Field, TextInput } from "../ui/input";
import type { Operation, OperationChoice } from "./import-data";
import { type LookUpText, lookUpText, readLookUp, suggestedArguments } from "./look-up-text";

export interface LookUpFieldsProps {
  readonly operation: Operation;
  /** Operations of the document that only read, under the names they get. */
  readonly askable: ReadonlyMap<string, Operation>;
  /** What is chosen already: a row that was searched away comes back with it. */
  readonly lookUp: OperationChoice["lookUp"];
  /** Undefined while it cannot be used as it is typed. */
  readonly onChange: (lookUp: LookUp | undefined) => void;
}

/** How to find out whether a call whose answer was lost took effect: which capability says so, and how. */
export function LookUpFields({ operation, askable, lookUp, onChange }: LookUpFieldsProps) {
  const [text, setText] = useState(() => lookUpText(lookUp));
  const [seen, setSeen] = useState(false);
  const list = useId();
  const { faults } = readLookUp(text);
  const set = (part: Partial<LookUpText>) => {
    const next = { ...text, ...part };
    setText(next);
    setSeen(true);
    onChange(readLookUp(next).lookUp);
  };
  const ask = (capability: string) => {
    const asked = askable.get(capability);
    set({ capability, ...(asked !== undefined && { arguments: suggestedArguments(operation, asked) }) });
  };
  const input = (key: keyof LookUpText, label: string, more: { hint?: string; placeholder?: string } = {}) => {
    const fault = seen || key === "capability" ? faults[key] : undefined;
    return (
      <Field
        label={label}
        {...(more.hint !== undefined && { hint: more.hint })}
        {...(fault !== undefined && { error: fault })}
      >
        {(control) => (
          <TextInput
            {...control}
            className="mono"
            {...(key === "capability" && { list })}
            {...(more.placeholder !== undefined && { placeholder: more.placeholder })}
            value={text[key]}
            onChange={(event) => (key === "capability" ? ask(event.target.value) : set({ [key]: event.target.value }))}
          />
        )}
      </Field>
    );
  };
  return (
    <fieldset className="col-span-full grid grid-cols-3 gap-3 border-t border-hairline pt-3 max-lg:grid-cols-2 max-sm:grid-cols-1">
      <legend className="sr-only">How a lost answer is looked up</legend>
      {input("capability", "Look-up asks", { placeholder: "shop.getOrder", hint: "One that reads. Pick it as well." })}
      <datalist id={list}>
        {[...askable.keys()].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {input("arguments", "With the arguments", {
        hint: '{"$argument": "/name"} is one of this call, {"$idempotencyKey": true} its key.',
      })}
      {input("pointer", "Its answer says so at", { hint: "An answer has status, headers and body." })}
      {input("committed", "It took effect where that is", { placeholder: "anything", hint: "paid, open" })}
      {input("notCommitted", "It did not where that is", { hint: "An answer 404 says so too." })}
      {input("output", "The call's output stands at", { placeholder: "the whole answer" })}
    </fieldset>
  );
}
