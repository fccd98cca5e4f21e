import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import type { PlanListEntry } from "./plan-table";

export interface RemovePlanDialogProps {
  readonly plan: PlanListEntry | undefined;
  readonly onCancel: () => void;
  readonly onConfirm: (plan: PlanListEntry) => void;
}

export const RemovePlanDialog = ({ plan, onCancel, onConfirm }: RemovePlanDialogProps) => (
  <Dialog
    open={plan !== undefined}
    onOpenChange={(open) => {
      if (!open) onCancel();
    }}
    title={`Remove ${plan?.name ?? "the plan"}?`}
    description="It leaves this list. Its runs, and the versions they are pinned to, stay as they are."
    footer={
      <>
        <Button onClick={onCancel}>Keep it</Button>
        <Button variant="danger" onClick={() => plan !== undefined && onConfirm(plan)}>
          Remove the plan
        </Button>
      </>
    }
  >
    {null}
  </Dialog>
);
