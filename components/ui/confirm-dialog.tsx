import type { ReactNode } from "react";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Refusal } from "./refusal";

export interface ConfirmDialogProps {
  readonly title: string;
  /** What will be lost, and whether it can come back. */
  readonly description: string;
  readonly confirm: string;
  readonly keep?: string;
  readonly isBusy: boolean;
  /** Why it was refused: the dialog stays open and says so. */
  readonly error: string | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** Fields, where more has to be said. */
  readonly children?: ReactNode;
}

/** Asks before something is taken away. */
export const ConfirmDialog = ({
  title,
  description,
  confirm,
  keep,
  isBusy,
  error,
  children,
  ...on
}: ConfirmDialogProps) => (
  <Dialog
    open
    onOpenChange={(open) => {
      if (!open) on.onClose();
    }}
    title={title}
    description={description}
    footer={
      <>
        <Button onClick={on.onClose}>{keep ?? "Cancel"}</Button>
        <Button variant="danger" disabled={isBusy} onClick={on.onConfirm}>
          {confirm}
        </Button>
      </>
    }
  >
    {children}
    <Refusal message={error} />
  </Dialog>
);
