"use client";

import { useReactFlow, useStore } from "@xyflow/react";
import { Button, IconButton } from "../ui/button";
import { Kbd } from "../ui/kbd";

export function ZoomControls({ onFit }: { readonly onFit: () => void }) {
  const flow = useReactFlow();
  const percent = useStore((state) => Math.round(state.transform[2] * 100));
  return (
    <div className="float">
      <IconButton icon="minus" label="Zoom out" size="small" tooltipSide="top" onClick={() => void flow.zoomOut()} />
      <button
        type="button"
        className="w-11 rounded-control text-center text-small text-fg-2 hover:bg-hover"
        title="Zoom to 100 %"
        onClick={() => void flow.zoomTo(1)}
      >
        {percent} %
      </button>
      <IconButton icon="plus" label="Zoom in" size="small" tooltipSide="top" onClick={() => void flow.zoomIn()} />
      <i />
      <Button variant="bare" size="small" onClick={onFit}>
        Fit <Kbd>F</Kbd>
      </Button>
    </div>
  );
}
