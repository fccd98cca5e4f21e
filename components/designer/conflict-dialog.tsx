"use client";

import type { Plan } from "#kernel/plan/plan";
import { PlanDiffView } from "../graph/plan-diff-view";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";

export interface ConflictDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** What the other side saved, in words: "Another tab saved this draft", "Version 8 was saved". */
  readonly what: string;
  readonly theirs: Plan;
  readonly mine: Plan;
  readonly onTakeTheirs: () => void;
  readonly onKeepMine: () => void;
}

/** Two people, or two tabs: nothing is overwritten until somebody has seen what differs and chosen. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { open, onOpenChange, what, theirs, mine, onTakeTheirs, onKeepMine } = props;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      wide
      title={what}
      description="Nothing was overwritten. This is how your plan differs from what is saved now."
      footer={
        <>
          <span className="mr-auto text-small text-fg-3">Taking theirs can be undone with ⌘Z.</span>
          <Button onClick={onTakeTheirs}>Take theirs</Button>
          <Button variant="primary" onClick={onKeepMine}>
            Keep mine
          </Button>
        </>
      }
    >
      <PlanDiffView before={theirs} after={mine} />
    </Dialog>
  );
}
