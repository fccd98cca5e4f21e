"use client";

import { Command } from "cmdk";
import { Dialog as Radix } from "radix-ui";
import { Icon, type IconName } from "../ui/icon";
import { Kbd } from "../ui/kbd";

export interface QuickPickItem {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  readonly icon?: IconName;
  /** Why it cannot be chosen; shown in place of the detail. */
  readonly refused?: string;
}

export interface QuickPickProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly placeholder: string;
  readonly items: readonly QuickPickItem[];
  readonly empty: string;
  readonly onPick: (id: string) => void;
}

const SHOWN_MAX = 300;

/** Type a few letters, Enter: for adding and connecting without the mouse. */
export function QuickPick({ open, onOpenChange, title, placeholder, items, empty, onPick }: QuickPickProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="dialog-veil" />
        <Radix.Content className="dialog overflow-hidden" aria-describedby={undefined}>
          <Radix.Title className="sr-only">{title}</Radix.Title>
          <Command label={title} loop className="flex min-h-0 flex-col">
            <div className="flex items-center gap-2 border-b border-hairline px-4">
              <span className="text-small font-medium whitespace-nowrap text-fg-2">{title}</span>
              <Command.Input
                placeholder={placeholder}
                className="h-11 min-w-0 flex-1 bg-transparent text-lead outline-none"
              />
              <Kbd>Esc</Kbd>
            </div>
            <Command.List className="max-h-[52vh] overflow-auto p-1.5 text-small">
              <Command.Empty className="p-6 text-center text-fg-3">{empty}</Command.Empty>
              {items.slice(0, SHOWN_MAX).map((item) => (
                <Command.Item
                  key={item.id}
                  value={item.id}
                  keywords={[item.label]}
                  disabled={item.refused !== undefined}
                  className="menu-item"
                  onSelect={() => {
                    onOpenChange(false);
                    onPick(item.id);
                  }}
                >
                  {item.icon === undefined ? null : <Icon name={item.icon} className="text-fg-2" />}
                  <span className="mono max-w-[60%] cut">{item.id}</span>
                  {item.label === item.id ? null : <span className="cut min-w-16 flex-1 text-fg-2">{item.label}</span>}
                  <span className="cut ml-auto text-fg-3" title={item.refused}>
                    {item.refused ?? item.detail}
                  </span>
                </Command.Item>
              ))}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
