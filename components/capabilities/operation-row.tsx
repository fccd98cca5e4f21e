import { Field, TextInput } from "../ui/input";
import { Tag } from "../ui/pill";
import { Segmented } from "../ui/segmented";
import { Select } from "../ui/select";
import type { Operation, OperationChoice } from "./import-data";
import { LookUpFields } from "./look-up-fields";
import { SideEffectWord } from "./side-effect-word";

export interface OperationRowProps {
  readonly operation: Operation;
  /** Undefined: not picked. */
  readonly choice: OperationChoice | undefined;
  readonly prefix: string;
  /** Operations that only read, under the names they get. */
  readonly askable: ReadonlyMap<string, Operation>;
  readonly onChange: (id: string, choice: OperationChoice | undefined) => void;
}

/** One operation to pick; once it is, what was guessed of it can be corrected. */
export const OperationRow = ({ operation, choice, prefix, askable, onChange }: OperationRowProps) => {
  const { id, method, path, summary, deprecated, notes, schemes } = operation;
  const names = operation.arguments;
  return (
    <li>
      <label className="flex cursor-pointer items-start gap-3 px-4 py-2.5 hover:bg-hover">
        <input
          type="checkbox"
          className="mt-1"
          checked={choice !== undefined}
          aria-label={`${id}: ${summary}`}
          onChange={(event) => onChange(id, event.target.checked ? { id } : undefined)}
        />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className="mono text-micro font-medium text-fg-2">{method}</span>
            <span className="mono min-w-0 break-all">{path}</span>
            {deprecated ? <Tag tone="unknown">deprecated</Tag> : null}
            {schemes.length > 0 ? (
              <Tag icon="key" title={schemes.join(", ")}>
                needs credentials
              </Tag>
            ) : null}
          </span>
          <span className="cut block text-small text-fg-2" title={operation.description}>
            {summary}
            {names.length === 0 ? null : (
              <span className="text-fg-3">
                {" "}
                · {names.map(({ name, required }) => (required ? name : `${name}?`)).join(", ")}
              </span>
            )}
          </span>
        </span>
        <span className="flex-none text-small">
          <SideEffectWord sideEffect={choice?.sideEffect ?? operation.sideEffect} />
        </span>
      </label>
      {choice === undefined ? null : (
        <div className="border-t border-hairline bg-sunken px-4 py-3 pl-11 max-sm:pl-4">
          <Choices
            operation={operation}
            choice={choice}
            prefix={prefix}
            askable={askable}
            onChange={(next) => onChange(id, next)}
          />
          {notes.length === 0 ? null : (
            <ul className="tone-unknown mt-3 list-disc pl-4 text-small text-tone">
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
        </div>
      )}
    </li>
  );
};

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

interface ChoicesProps {
  readonly operation: Operation;
  readonly choice: OperationChoice;
  readonly prefix: string;
  readonly askable: ReadonlyMap<string, Operation>;
  readonly onChange: (choice: OperationChoice) => void;
}

function Choices({ operation, choice, prefix, askable, onChange }: ChoicesProps) {
  const sideEffect = choice.sideEffect ?? operation.sideEffect;
  const changes = sideEffect === "write" || sideEffect === "destructive";
  const idempotency =
    choice.idempotency ?? (operation.idempotency === "status_lookup" ? "none" : operation.idempotency);
  return (
    <div className="grid grid-cols-4 gap-3 max-lg:grid-cols-2 max-sm:grid-cols-1">
      <Field label="Name">
        {(control) => (
          <TextInput
            {...control}
            className="mono"
            maxLength={128}
            placeholder={`${prefix}.${operation.name}`}
            defaultValue={choice.name ?? ""}
            onChange={(event) => {
              const name = event.target.value.trim();
              onChange({ ...choice, name: name === "" ? undefined : name });
            }}
          />
        )}
      </Field>
      <Field label="Side effect" note="by its method">
        {({ id }) => (
          <Select
            id={id}
            value={sideEffect}
            options={SIDE_EFFECTS}
            onValueChange={(next) =>
              onChange({
                ...choice,
                sideEffect: next,
                // What only a call that changes something is asked has no field any more.
                ...(next === "write" || next === "destructive"
                  ? {}
                  : { idempotency: undefined, idempotencyKeyHeader: undefined, lookUp: undefined }),
              })
            }
          />
        )}
      </Field>
      <Field label="Approval before every call">
        {() => (
          <Segmented
            label="Approval before every call"
            className="w-full"
            value={choice.approval ?? (sideEffect === "destructive" ? "always" : "never")}
            options={[
              { value: "never", label: "not asked" },
              { value: "always", label: "always" },
            ]}
            onValueChange={(approval) => onChange({ ...choice, approval })}
          />
        )}
      </Field>
      <Field label="Time limit">
        {(control) => (
          <TextInput
            {...control}
            inputMode="decimal"
            placeholder="30"
            defaultValue={choice.timeoutSeconds ?? ""}
            suffix={<span className="text-fg-3">s</span>}
            onChange={(event) => {
              const seconds = Number(event.target.value);
              onChange({ ...choice, timeoutSeconds: seconds > 0 ? seconds : undefined });
            }}
          />
        )}
      </Field>
      <Field label="Calls in a minute">
        {(control) => (
          <TextInput
            {...control}
            inputMode="numeric"
            placeholder="No limit"
            defaultValue={choice.rateLimit?.calls ?? ""}
            onChange={(event) => {
              const calls = Math.round(Number(event.target.value));
              onChange({ ...choice, rateLimit: calls > 0 ? { calls, perSeconds: 60 } : undefined });
            }}
          />
        )}
      </Field>
      {changes ? (
        <>
          <Field label="A repeated call is">
            {({ id }) => (
              <Select
                id={id}
                value={idempotency}
                options={IDEMPOTENCIES}
                onValueChange={(next) => onChange({ ...choice, idempotency: next, lookUp: undefined })}
              />
            )}
          </Field>
          {idempotency === "key" ? (
            <Field label="Header that takes the key">
              {(control) => (
                <TextInput
                  {...control}
                  className="mono"
                  placeholder={operation.idempotencyKeyHeader ?? "Idempotency-Key"}
                  defaultValue={choice.idempotencyKeyHeader ?? ""}
                  onChange={(event) => {
                    const header = event.target.value.trim();
                    onChange({ ...choice, idempotencyKeyHeader: header === "" ? undefined : header });
                  }}
                />
              )}
            </Field>
          ) : null}
          {choice.idempotency === "status_lookup" ? (
            <LookUpFields
              operation={operation}
              askable={askable}
              lookUp={choice.lookUp}
              onChange={(lookUp) => onChange({ ...choice, lookUp })}
            />
          ) : null}
        </>
      ) : null}
    </div>
  );
}
