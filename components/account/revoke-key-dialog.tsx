import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import type { ApiKeyEntry } from "./api-key-table";

export interface RevokeKeyDialogProps {
  readonly apiKey: ApiKeyEntry | undefined;
  readonly onCancel: () => void;
  readonly onConfirm: (key: ApiKeyEntry) => void;
}

export const RevokeKeyDialog = ({ apiKey, onCancel, onConfirm }: RevokeKeyDialogProps) => (
  <Dialog
    open={apiKey !== undefined}
    onOpenChange={(open) => {
      if (!open) onCancel();
    }}
    title={`Revoke ${apiKey?.name ?? "the key"}?`}
    description="Whatever uses it is refused from its next request on. A revoked key cannot be brought back."
    footer={
      <>
        <Button onClick={onCancel}>Keep it</Button>
        <Button variant="danger" onClick={() => apiKey !== undefined && onConfirm(apiKey)}>
          Revoke the key
        </Button>
      </>
    }
  >
    {null}
  </Dialog>
);
