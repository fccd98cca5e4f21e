import { Field, TextArea, TextInput } from "../ui/input";
import { Select } from "../ui/select";
import type { TypedField } from "./typed-field";

export interface TypedFormProps {
  readonly fields: readonly TypedField[];
  readonly texts: ReadonlyMap<string, string>;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (name: string, text: string) => void;
}

/** A field for each member, of its own type. */
export const TypedForm = ({ fields, texts, problems, onChange }: TypedFormProps) => (
  <div className="grid max-h-[40vh] grid-cols-2 gap-3 overflow-y-auto max-md:grid-cols-1">
    {fields.map((field) => (
      <Field
        key={field.name}
        label={field.name}
        note={field.kind}
        {...(field.description === undefined ? {} : { hint: field.description })}
        {...(problems.has(field.name) ? { error: problems.get(field.name) ?? "" } : {})}
      >
        {(control) => (
          <Control
            {...control}
            field={field}
            text={texts.get(field.name) ?? field.text}
            invalid={problems.has(field.name)}
            onChange={onChange}
          />
        )}
      </Field>
    ))}
  </div>
);

interface ControlProps {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly field: TypedField;
  readonly text: string;
  readonly invalid: boolean;
  readonly onChange: (name: string, text: string) => void;
}

function Control({ field, text, invalid, onChange, ...control }: ControlProps) {
  const change = (next: string) => onChange(field.name, next);
  if (field.choices !== undefined || field.kind === "boolean") {
    const choices = field.choices ?? ["true", "false"];
    return (
      <Select
        id={control.id}
        value={text === "" ? undefined : text}
        options={choices.map((value) => ({ value, label: value }))}
        onValueChange={change}
      />
    );
  }
  if (field.kind === "json" || text.length > 60 || text.includes("\n")) {
    return (
      <TextArea
        {...control}
        rows={Math.min(8, Math.max(2, text.split("\n").length))}
        invalid={invalid}
        className={field.kind === "json" ? "font-mono" : ""}
        value={text}
        spellCheck={field.kind === "text"}
        onChange={(event) => change(event.target.value)}
      />
    );
  }
  return (
    <TextInput
      {...control}
      invalid={invalid}
      inputMode={field.kind === "number" ? "decimal" : undefined}
      value={text}
      onChange={(event) => change(event.target.value)}
    />
  );
}
