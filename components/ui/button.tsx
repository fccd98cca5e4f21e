"use client";

import { Slot } from "radix-ui";
import type { ComponentPropsWithRef } from "react";
import { classNames } from "./class-names";
import { Icon, type IconName } from "./icon";
import { Tooltip } from "./tooltip";

export type ButtonVariant = "default" | "primary" | "danger" | "bare";
export type ButtonSize = "small" | "regular" | "large";

export interface ButtonProps extends ComponentPropsWithRef<"button"> {
  /** `primary` is ink: one to a screen. */
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  /** Renders the single child (a link) with the look of a button. */
  readonly asChild?: boolean;
}

export function Button({ variant = "default", size = "regular", asChild, className, ...rest }: ButtonProps) {
  const Element = asChild ? Slot.Root : "button";
  return (
    <Element
      {...(asChild ? {} : { type: "button" as const })}
      data-variant={variant}
      data-size={size}
      className={classNames("button", className)}
      {...rest}
    />
  );
}

export interface IconButtonProps extends Omit<ComponentPropsWithRef<"button">, "children" | "aria-label"> {
  readonly icon: IconName;
  /** The button's name, for a screen reader and in the tooltip. */
  readonly label: string;
  readonly shortcut?: string;
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  readonly tooltipSide?: "top" | "right" | "bottom" | "left";
}

export function IconButton({
  icon,
  label,
  shortcut,
  variant = "bare",
  size = "regular",
  tooltipSide,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip content={label} {...(shortcut ? { shortcut } : {})} {...(tooltipSide ? { side: tooltipSide } : {})}>
      <button
        type="button"
        aria-label={label}
        data-variant={variant}
        data-size={size}
        data-icon="true"
        className={classNames("button", className)}
        {...rest}
      >
        <Icon name={icon} />
      </button>
    </Tooltip>
  );
}
