"use client";

import { type ReactNode, useId, useRef, useState } from "react";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import { Icon } from "../ui/icon";
import { Segmented } from "../ui/segmented";
import { Select } from "../ui/select";
import { hasReferences, textParts, wholeReference } from "./argument-value";
import { JsonInput } from "./json-input";
import { propertiesOf, typeOf } from "./output-paths";
import { ReferencePicker } from "./reference-picker";

export interface ArgumentFieldProps {
  readonly taskId: string;
  /** JSON pointer of this value within the arguments; also the key of its gesture. */
  readonly pointer: string;
  readonly name: string;
  readonly schema: JsonObject;
  readonly required: boolean;
  readonly value: JsonValue | undefined;
  /** What is wrong here, by pointer. */
  readonly problems: ReadonlyMap<string, string>;
  /** Undefined takes the member away. */
  readonly onChange: (value: JsonValue | undefined) => void;
  readonly onDone: () => void;
  /** Where the name was a person's choice, it can go again. */
  readonly onRemove?: () => void;
}

const SEGMENTS_MAX = 3;
const SEGMENT_LETTERS_MAX = 26;
const DEPTH_MAX = 4;

/** One argument: a control for what its schema says, or a chip where another task's output takes its place. */
export function ArgumentField(props: ArgumentFieldProps) {
  const { taskId, name, schema, required, value, problems, pointer, onChange, onDone } = props;
  const id = useId();
  const reference = wholeReference(value);
  const problem = problems.get(pointer);
  const type = typeOf(schema);
  const description = getOwn(schema, "description");
  const isNested = reference === undefined && isFieldset(schema, value, pointer);
  const pick = (picked: string) => {
    onChange(typeof value === "string" && value !== "" ? `${value}\${${picked}}` : { $output: picked });
    onDone();
  };
  return (
    <div className="mb-3 min-w-0 last:mb-0">
      <div className="mb-[3px] flex items-baseline gap-1.5 text-micro font-medium text-fg-3">
        <label htmlFor={id} className="cut text-fg" title={name}>
          {labelOf(schema, name)}
        </label>
        {required ? <span className={value === undefined ? "tone-conflict text-tone" : ""}>required</span> : null}
        <span className="mono ml-auto whitespace-nowrap text-nano">{noteOf(schema, type)}</span>
        <ReferencePicker taskId={taskId} type={type} onPick={pick} />
        {props.onRemove === undefined ? null : (
          <button
            type="button"
            className="flex h-5 w-5 flex-none items-center justify-center rounded-tag text-fg-3 hover:bg-hover"
            aria-label={`Remove ${name}`}
            title={`Remove ${name}`}
            onClick={props.onRemove}
          >
            <Icon name="cross" small />
          </button>
        )}
      </div>
      {reference !== undefined ? (
        <ReferenceChip
          id={id}
          reference={reference}
          onRemove={() => {
            onChange(undefined);
            onDone();
          }}
        />
      ) : isNested ? (
        <Fieldset {...props} />
      ) : isMap(schema, value, pointer) ? (
        <MapFields {...props} />
      ) : (
        <Control {...props} id={id} invalid={problem !== undefined} />
      )}
      {problem !== undefined && !isNested ? (
        <p className="tone-failed mt-1 text-micro text-tone">{problem}</p>
      ) : typeof description === "string" ? (
        <p className="mt-1 text-micro text-fg-3">{description}</p>
      ) : null}
    </div>
  );
}

const labelOf = (schema: JsonObject, name: string): string => {
  const title = getOwn(schema, "title");
  return typeof title === "string" ? title : name;
};

function noteOf(schema: JsonObject, type: string | undefined): string {
  const [minimum, maximum] = [getOwn(schema, "minimum"), getOwn(schema, "maximum")];
  if (typeof minimum === "number" && typeof maximum === "number") return `${minimum}–${maximum}`;
  const format = getOwn(schema, "format");
  if (typeof format === "string") return format;
  return getOwn(schema, "enum") === undefined ? (type ?? "any") : "enum";
}

/** An object with named members is shown as fields, unless its value is something else already. */
function isFieldset(schema: JsonObject, value: JsonValue | undefined, pointer: string): boolean {
  if (propertiesOf(schema).length === 0 || pointer.split("/").length > DEPTH_MAX) return false;
  return value === undefined || (isJsonObject(value) && !Object.keys(value).some((key) => key.startsWith("$")));
}

/** An object whose names a person chooses: one field a member, and a way to add one. */
function isMap(schema: JsonObject, value: JsonValue | undefined, pointer: string): boolean {
  if (getOwn(schema, "type") !== "object" || pointer.split("/").length > DEPTH_MAX) return false;
  if (propertiesOf(schema).length > 0 || getOwn(schema, "additionalProperties") === false) return false;
  return value === undefined || (isJsonObject(value) && !Object.keys(value).some((key) => key.startsWith("$")));
}

function MapFields({ taskId, pointer, schema, value, problems, onChange, onDone }: ArgumentFieldProps) {
  const members = isJsonObject(value) ? value : {};
  const others = getOwn(schema, "additionalProperties");
  const memberSchema = isJsonObject(others) ? others : ANYTHING;
  const [name, setName] = useState("");
  const add = () => {
    const wanted = name.trim();
    if (wanted === "" || Object.hasOwn(members, wanted)) return;
    onChange(withMember(members, wanted, ""));
    onDone();
    setName("");
  };
  return (
    <div className="border-l-2 border-hairline pl-3">
      {Object.entries(members).map(([key, member]) => (
        <ArgumentField
          key={key}
          taskId={taskId}
          pointer={`${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`}
          name={key}
          schema={fitting(memberSchema, member)}
          required={false}
          value={member}
          problems={problems}
          onChange={(next) => onChange(withMember(members, key, next ?? ""))}
          onDone={onDone}
          onRemove={() => {
            onChange(withMember(members, key, undefined));
            onDone();
          }}
        />
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <span className="input" data-quiet="true">
          <input
            aria-label="Name of a value to add"
            placeholder="Add a value: type its name"
            value={name}
            onChange={(event) => setName(event.target.value)}
            onBlur={add}
          />
        </span>
      </form>
    </div>
  );
}

const ANYTHING: JsonObject = {};
const TEXT: JsonObject = { type: "string" };

/** Where any value is allowed, one that is text now gets the editor for text. */
const fitting = (schema: JsonObject, value: JsonValue): JsonObject =>
  schema === ANYTHING && typeof value === "string" ? TEXT : schema;

function Fieldset({ taskId, pointer, schema, value, problems, onChange, onDone }: ArgumentFieldProps) {
  const members = isJsonObject(value) ? value : {};
  const required = getOwn(schema, "required");
  return (
    <div className="border-l-2 border-hairline pl-3">
      {propertiesOf(schema).map(([name, property]) => (
        <ArgumentField
          key={name}
          taskId={taskId}
          pointer={`${pointer}/${name}`}
          name={name}
          schema={property}
          required={Array.isArray(required) && required.includes(name)}
          value={getOwn(members, name)}
          problems={problems}
          onChange={(next) => onChange(withMember(members, name, next))}
          onDone={onDone}
        />
      ))}
    </div>
  );
}

/** The object with one member set or, for undefined, taken away; other members keep their order. */
export function withMember(object: JsonObject, name: string, value: JsonValue | undefined): JsonObject {
  const entries = Object.entries(object).filter(([key]) => key !== name || value !== undefined);
  if (value === undefined) return Object.fromEntries(entries);
  if (!Object.hasOwn(object, name)) return Object.fromEntries([...entries, [name, value]]);
  return Object.fromEntries(entries.map(([key, old]) => [key, key === name ? value : old]));
}

interface ControlProps extends ArgumentFieldProps {
  readonly id: string;
  readonly invalid: boolean;
}

function Control(props: ControlProps) {
  const { id, schema, value, onChange, onDone, invalid, name, required } = props;
  const choices = getOwn(schema, "enum");
  const type = getOwn(schema, "type");
  if (Array.isArray(choices) && choices.every((choice) => typeof choice === "string")) {
    return <Choice {...props} choices={choices} />;
  }
  if (type === "boolean" && typeof (value ?? false) === "boolean") {
    return (
      <Segmented
        label={name}
        className="w-full"
        value={value === undefined ? "unset" : value === true ? "true" : "false"}
        options={[
          { value: "true", label: "yes" },
          { value: "false", label: "no" },
          ...(required ? [] : [{ value: "unset", label: "not set" }]),
        ]}
        onValueChange={(next) => {
          onChange(next === "unset" ? undefined : next === "true");
          onDone();
        }}
      />
    );
  }
  if ((type === "number" || type === "integer") && (value === undefined || typeof value === "number")) {
    return (
      <NumberInput
        id={id}
        value={value}
        invalid={invalid}
        placeholder={placeholderOf(schema)}
        onChange={onChange}
        onDone={onDone}
      />
    );
  }
  if (type === "string" && (value === undefined || typeof value === "string")) return <TemplateInput {...props} />;
  return <JsonInput id={id} value={value} invalid={invalid} label={name} onChange={onChange} onDone={onDone} />;
}

function Choice({
  id,
  name,
  value,
  required,
  onChange,
  onDone,
  choices,
}: ControlProps & { readonly choices: readonly string[] }) {
  const chosen = typeof value === "string" ? value : undefined;
  const set = (next: string) => {
    onChange(next === "" ? undefined : next);
    onDone();
  };
  const isShort = choices.length <= SEGMENTS_MAX && choices.join("").length <= SEGMENT_LETTERS_MAX;
  if (isShort) {
    return (
      <Segmented
        label={name}
        className="w-full"
        value={chosen ?? ""}
        options={choices.map((choice) => ({ value: choice, label: choice }))}
        onValueChange={set}
      />
    );
  }
  return (
    <Select
      id={id}
      label={name}
      value={chosen}
      placeholder={required ? "Choose" : "Not set"}
      options={choices.map((choice) => ({ value: choice, label: choice }))}
      onValueChange={set}
    />
  );
}

const placeholderOf = (schema: JsonObject): string => {
  const fallback = getOwn(schema, "default");
  return fallback === undefined
    ? "Not set"
    : `Default ${typeof fallback === "string" ? fallback : JSON.stringify(fallback)}`;
};

interface NumberInputProps {
  readonly id: string;
  readonly value: number | undefined;
  readonly invalid: boolean;
  readonly placeholder: string;
  readonly onChange: (value: number | undefined) => void;
  readonly onDone: () => void;
}

/** Keeps what is typed (`1.`, `-`) until it is a number. */
function NumberInput({ id, value, invalid, placeholder, onChange, onDone }: NumberInputProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <span className="input" data-invalid={invalid}>
      <input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        placeholder={placeholder}
        value={typed ?? value ?? ""}
        onChange={(event) => {
          const text = event.target.value;
          setTyped(text);
          if (text.trim() === "") onChange(undefined);
          else if (Number.isFinite(Number(text))) onChange(Number(text));
        }}
        onBlur={() => {
          setTyped(undefined);
          onDone();
        }}
      />
    </span>
  );
}

/** Text with references in it: chips to read, text to edit. */
function TemplateInput({ id, taskId, schema, value, invalid, onChange, onDone }: ControlProps) {
  const text = typeof value === "string" ? value : "";
  const [isEditing, setEditing] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  if (!isEditing && hasReferences(text)) {
    return (
      <button
        type="button"
        id={id}
        className="input flex-wrap text-left"
        data-invalid={invalid}
        onClick={() => {
          setEditing(true);
          requestAnimationFrame(() => area.current?.focus());
        }}
      >
        {textParts(text).map((part, index) =>
          part.isReference ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in order
            <ReferenceText key={index} reference={part.text} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in order
            <span key={index} className="max-w-full whitespace-pre-wrap break-words">
              {part.text}
            </span>
          ),
        )}
      </button>
    );
  }
  return (
    <textarea
      ref={area}
      id={id}
      rows={Math.min(8, Math.max(1, text.split("\n").length, Math.ceil(text.length / 46)))}
      className="input block resize-y overflow-auto"
      data-task={taskId}
      aria-invalid={invalid}
      spellCheck={false}
      placeholder={placeholderOf(schema)}
      value={text}
      onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
      onBlur={() => {
        setEditing(false);
        onDone();
      }}
    />
  );
}

const ReferenceText = ({ reference, children }: { readonly reference: string; readonly children?: ReactNode }) => (
  <span className="reference" title={reference}>
    <Icon name="diamond" small />
    <span className="cut">{reference}</span>
    {children}
  </span>
);

interface ReferenceChipProps {
  readonly id: string;
  readonly reference: string;
  readonly onRemove: () => void;
}

function ReferenceChip({ id, reference, onRemove }: ReferenceChipProps) {
  return (
    <span className="input tone-accent" style={{ borderColor: "var(--d)" }}>
      <ReferenceText reference={reference} />
      <span className="flex-1" />
      <button
        type="button"
        id={id}
        className="flex h-5 w-5 flex-none items-center justify-center rounded-tag text-fg-3 hover:bg-hover"
        aria-label={`Take the reference ${reference} out`}
        title="Take the reference out"
        onClick={onRemove}
      >
        <Icon name="cross" small />
      </button>
    </span>
  );
}
