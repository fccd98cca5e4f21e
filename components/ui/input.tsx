"use client";

import { type ComponentPropsWithRef, type ReactNode, useId } from "react";
import { classNames } from "./class-names";
import { Icon } from "./icon";
import { Kbd } from "./kbd";

export interface TextInputProps extends Omit<ComponentPropsWithRef<"input">, "size"> {
  readonly invalid?: boolean;
  /** A unit or a button inside the frame, at its end. */
  readonly suffix?: ReactNode;
}

export const TextInput = ({ invalid, suffix, className, ...rest }: TextInputProps) => (
  <span className={classNames("input", className)} data-invalid={invalid}>
    <input aria-invalid={invalid} {...rest} />
    {suffix}
  </span>
);

export interface TextAreaProps extends ComponentPropsWithRef<"textarea"> {
  readonly invalid?: boolean;
}

export const TextArea = ({ invalid, className, ...rest }: TextAreaProps) => (
  <textarea aria-invalid={invalid} className={classNames("input block resize-y", className)} {...rest} />
);

export interface SearchInputProps extends Omit<ComponentPropsWithRef<"input">, "size" | "type"> {
  readonly label: string;
  readonly shortcut?: string;
}

export const SearchInput = ({ label, shortcut, className, ...rest }: SearchInputProps) => (
  <label className={classNames("input text-fg-3", className)} data-quiet="true">
    <Icon name="search" small />
    <input type="search" aria-label={label} placeholder={label} className="text-fg" {...rest} />
    {shortcut === undefined ? null : <Kbd>{shortcut}</Kbd>}
  </label>
);

export interface FieldProps {
  readonly label: string;
  readonly required?: boolean;
  /** Type or range, in code font at the right of the label. */
  readonly note?: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string;
  readonly className?: string;
  /** Gets the id for its control, and the id of the text that describes it. */
  readonly children: (control: { readonly id: string; readonly "aria-describedby"?: string }) => ReactNode;
}

export function Field({ label, required, note, hint, error, className, children }: FieldProps) {
  const id = useId();
  const describedBy = error !== undefined || hint !== undefined ? `${id}-help` : undefined;
  return (
    <div className={classNames("min-w-0", className)}>
      <div className="mb-[3px] flex items-baseline gap-1.5 text-micro font-medium text-fg-3">
        <label htmlFor={id} className="cut text-fg">
          {label}
        </label>
        {required ? <span className="tone-conflict text-tone">required</span> : null}
        {note === undefined ? null : <span className="mono cut ml-auto text-nano">{note}</span>}
      </div>
      {children({ id, ...(describedBy ? { "aria-describedby": describedBy } : {}) })}
      {error !== undefined ? (
        <p id={describedBy} className="tone-failed mt-1 text-micro text-tone" role="alert">
          {error}
        </p>
      ) : hint !== undefined ? (
        <p id={describedBy} className="mt-1 text-micro text-fg-3">
          {hint}
        </p>
      ) : null}
    </div>
  );
}
