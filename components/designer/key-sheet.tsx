"use client";

import { Dialog } from "../ui/dialog";
import { Kbd } from "../ui/kbd";

const GROUPS: readonly { readonly title: string; readonly keys: readonly (readonly [string, string])[] }[] = [
  {
    title: "Draw",
    keys: [
      ["N", "Add a task"],
      ["C", "Connect the selected task, then type the target"],
      ["F2", "Rename"],
      ["⌫", "Delete, with its edges"],
      ["⌘D", "Duplicate"],
      ["⌘C ⌘X ⌘V", "Copy, cut, paste tasks"],
      ["⌘Z", "Undo"],
      ["⇧⌘Z", "Redo"],
    ],
  },
  {
    title: "Look",
    keys: [
      ["1", "Ready sets on the canvas"],
      ["2", "Critical path"],
      ["3", "Conflicts"],
      ["F", "Fit the plan into view"],
      ["L", "Tidy layout"],
      ["+ −", "Zoom"],
      ["/", "Find a task or capability"],
    ],
  },
  {
    title: "Move",
    keys: [
      ["← →", "Follow an edge"],
      ["↑ ↓", "To the card above or below"],
      ["⇧ with a drag", "Select with a box"],
      ["⌘A", "Select all"],
      ["↵", "Open the selected task"],
      ["Esc", "Let go"],
    ],
  },
  {
    title: "Plan",
    keys: [
      ["⌘S", "Save as a version"],
      ["⌘↵", "Validate: show the problems"],
      ["⌘K", "Command menu"],
      ["?", "These keys"],
    ],
  },
];

export interface KeySheetProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

export const KeySheet = ({ open, onOpenChange }: KeySheetProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title="Keys"
    description="On Windows and Linux, Ctrl stands for ⌘."
    wide
  >
    <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
      {GROUPS.map(({ title, keys }) => (
        <section key={title}>
          <h3 className="mb-1.5 text-small">{title}</h3>
          <dl className="flex flex-col gap-1 text-small">
            {keys.map(([key, meaning]) => (
              <div key={key} className="flex items-center justify-between gap-3">
                <dt className="text-fg-2">{meaning}</dt>
                <dd className="flex gap-1">
                  {key.split(" ").map((part) => (
                    <Kbd key={part}>{part}</Kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  </Dialog>
);
