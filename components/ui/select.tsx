"use client";

import { Select as Radix } from "radix-ui";
import { classNames } from "./class-names";
import { Icon } from "./icon";

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
  readonly disabled?: boolean;
}

export interface SelectProps<Value extends string> {
  readonly id?: string;
  readonly value: Value | undefined;
  readonly options: readonly SelectOption<Value>[];
  readonly onValueChange: (value: Value) => void;
  /** Needed where no label element names it. */
  readonly label?: string;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly quiet?: boolean;
  readonly className?: string;
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { id, value, options, onValueChange, label, placeholder, disabled, quiet, className } = props;
  const choose = (text: string) => {
    const chosen = options.find((option) => option.value === text);
    if (chosen !== undefined) onValueChange(chosen.value);
  };
  return (
    <Radix.Root
      {...(value === undefined ? {} : { value })}
      onValueChange={choose}
      {...(disabled === undefined ? {} : { disabled })}
    >
      <Radix.Trigger id={id} aria-label={label} className={classNames("input text-left", className)} data-quiet={quiet}>
        <span className="cut flex-1">
          <Radix.Value placeholder={placeholder ?? "Choose"} />
        </span>
        <Icon name="down" small />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          className="menu"
          style={{ minWidth: "var(--radix-select-trigger-width)" }}
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled ?? false}
                className="menu-item"
              >
                <Radix.ItemText>{option.label}</Radix.ItemText>
                {option.hint === undefined ? null : <span className="ml-auto text-fg-3">{option.hint}</span>}
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
