"use client";

import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon";
import { Kbd } from "./kbd";

export interface MenuProps {
  /** One button that takes a ref. */
  readonly trigger: ReactNode;
  readonly align?: "start" | "center" | "end";
  readonly children: ReactNode;
}

export const Menu = ({ trigger, align = "end", children }: MenuProps) => (
  <DropdownMenu.Root>
    <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content className="menu" align={align} sideOffset={4} collisionPadding={8}>
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
);

export interface MenuItemProps {
  readonly icon?: IconName;
  readonly shortcut?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly hint?: string;
  /** Makes the item a link. */
  readonly href?: string;
  readonly checked?: boolean;
  readonly onSelect?: () => void;
  readonly children: ReactNode;
}

export function MenuItem({ icon, shortcut, danger, disabled, hint, href, checked, onSelect, children }: MenuItemProps) {
  const content = (
    <>
      {icon === undefined ? null : <Icon name={icon} />}
      <span className="cut flex-1">{children}</span>
      {hint === undefined ? null : <span className="text-fg-3">{hint}</span>}
      {shortcut === undefined ? null : <Kbd>{shortcut}</Kbd>}
      {checked ? <Icon name="check" label="chosen" /> : null}
    </>
  );
  return (
    <DropdownMenu.Item
      className={`menu-item ${danger ? "tone-failed text-tone" : ""}`}
      disabled={disabled ?? false}
      asChild={href !== undefined}
      onSelect={() => onSelect?.()}
    >
      {href === undefined ? <div>{content}</div> : <a href={href}>{content}</a>}
    </DropdownMenu.Item>
  );
}

export const MenuSeparator = () => <DropdownMenu.Separator className="menu-separator" />;

export const MenuLabel = ({ children }: { readonly children: ReactNode }) => (
  <DropdownMenu.Label className="label px-2 py-1">{children}</DropdownMenu.Label>
);
