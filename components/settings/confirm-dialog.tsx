import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";

export interface ConfirmDialogProps {
  readonly title: string;
  /** What will be lost, and whether it can come back. */
  readonly description: string;
  readonly confirm: string;
  readonly keep?: string;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is taken away. */
export const ConfirmDialog = ({ title, description, confirm, keep, isBusy, error, ...on }: ConfirmDialogProps) => (
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
    {error === undefined ? null : (
      <p role="alert" className="tone-failed text-small text-tone">
        {error}
      </p>
    )}
  </Dialog>
);
