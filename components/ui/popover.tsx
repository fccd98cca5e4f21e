"use client";

import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";

export interface PopoverProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** One element that takes a ref: the popover hangs on it. */
  readonly trigger: ReactNode;
  readonly label: string;
  readonly children: ReactNode;
}

export const Popover = ({ open, onOpenChange, trigger, label, children }: PopoverProps) => (
  <Radix.Root open={open} onOpenChange={onOpenChange}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        className="menu w-80 overflow-hidden p-0"
        align="end"
        sideOffset={4}
        collisionPadding={8}
        aria-label={label}
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
