"use client";

import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { IconButton } from "./button";
import { classNames } from "./class-names";

export interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  /** Said to a screen reader when the dialog opens, and shown below the title. */
  readonly description?: ReactNode;
  readonly children: ReactNode;
  /** Buttons, the safest first and the main one last. */
  readonly footer?: ReactNode;
  readonly wide?: boolean;
}

/** For what must interrupt: a conflict, a start, a deletion. What fits the inspector belongs there instead. */
export function Dialog({ open, onOpenChange, title, description, children, footer, wide }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="dialog-veil" />
        <Radix.Content
          className={classNames("dialog", wide && "w-[min(860px,calc(100vw-32px))]")}
          onOpenAutoFocus={focusContent}
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
        >
          <div className="pt-4 pr-14 pb-2 pl-5">
            <Radix.Title className="text-title">{title}</Radix.Title>
            {description === undefined ? null : (
              <Radix.Description className="mt-0.5 text-small text-fg-2">{description}</Radix.Description>
            )}
          </div>
          <div className="min-h-0 flex-1 overflow-auto px-5 pb-4">{children}</div>
          {footer === undefined ? null : (
            <div className="flex items-center justify-end gap-2 border-t border-hairline px-5 py-3">{footer}</div>
          )}
          {/* Last, so that a dialog opens with the focus on its content, where Esc closes it and not a tooltip. */}
          <div className="absolute top-4 right-5">
            <Radix.Close asChild>
              <IconButton icon="cross" label="Close" shortcut="Esc" />
            </Radix.Close>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** To the first field, else to the dialog itself: the first button is Close, which nobody opened it for. */
function focusContent(event: Event): void {
  event.preventDefault();
  if (!(event.target instanceof HTMLElement)) return;
  const field = event.target.querySelector<HTMLElement>("input, textarea, [data-autofocus]");
  (field ?? event.target).focus();
}
