import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { Kbd } from "../ui/kbd";

export interface EmptyCanvasProps {
  readonly canEdit: boolean;
  readonly onAdd: () => void;
}

export const EmptyCanvas = ({ canEdit, onAdd }: EmptyCanvasProps) => (
  <div className="box flex max-w-sm flex-col items-center gap-2 px-8 py-6 text-center shadow-float">
    <Icon name="layout" className="h-5 w-5 text-fg-3" />
    <p className="font-medium">This plan has no tasks yet</p>
    {canEdit ? (
      <>
        <p className="text-small text-fg-3">
          Add the first one, drag a capability from the left, or open the Text tab below and paste a plan.
        </p>
        <Button className="mt-1" onClick={onAdd}>
          Add the first task <Kbd>N</Kbd>
        </Button>
      </>
    ) : (
      <p className="text-small text-fg-3">An engineer can draw it.</p>
    )}
  </div>
);
