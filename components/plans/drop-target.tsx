"use client";

import { type ReactNode, useEffect, useState } from "react";
import { Icon } from "../ui/icon";

export interface DropTargetProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onText: (text: string) => void;
  readonly children: ReactNode;
}

/** True where pasting belongs to the field that has the focus. */
const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;

/** Takes files dropped anywhere on the page, and text or files pasted outside a field. */
export function DropTarget({ onFiles, onText, children }: DropTargetProps) {
  const [isOver, setIsOver] = useState(false);

  useEffect(() => {
    // Entering a child leaves its parent, so what counts is how many were entered and not left.
    let depth = 0;
    const onDragEnter = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      depth++;
      setIsOver(true);
    };
    const onDragLeave = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setIsOver(false);
    };
    const onDragOver = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      // A file that came over the page before this listened has no entering to be counted by.
      if (depth === 0) {
        depth = 1;
        setIsOver(true);
      }
    };
    const onDrop = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setIsOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) onFiles(files);
    };
    const onPaste = (event: ClipboardEvent) => {
      if (isEditable(event.target)) return;
      const files = [...(event.clipboardData?.files ?? [])];
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (files.length > 0) onFiles(files);
      else if (text.trim() !== "") onText(text);
    };
    const leave = new AbortController();
    const { signal } = leave;
    window.addEventListener("dragenter", onDragEnter, { signal });
    window.addEventListener("dragleave", onDragLeave, { signal });
    window.addEventListener("dragover", onDragOver, { signal });
    window.addEventListener("drop", onDrop, { signal });
    window.addEventListener("paste", onPaste, { signal });
    return () => leave.abort();
  }, [onFiles, onText]);

  return (
    <>
      {children}
      {isOver ? <DropOverlay /> : null}
    </>
  );
}

const DropOverlay = () => (
  <div className="tone-accent pointer-events-none fixed inset-3 z-[var(--z-dialog)] flex flex-col items-center justify-center gap-2 rounded-dialog border-2 border-dashed border-tone-bd bg-tone-bg/95 text-tone">
    <Icon name="download" className="h-7 w-7" />
    <p className="text-title font-semibold">Drop to import</p>
    <p className="text-small">Planwright, planner models, workflow engines, agent builders, Mermaid, DOT. Gzip too.</p>
  </div>
);
