"use client";

import { useEffect, useRef } from "react";
import { useDesignerStore } from "./designer-context";
import { RENAME_EVENT } from "./screen-events";
import type { Gestures } from "./use-gestures";

export interface DesignerKeys {
  readonly gestures: Gestures;
  readonly canEdit: boolean;
  readonly onAdd: () => void;
  readonly onConnect: (from: string) => void;
  readonly onFit: () => void;
  readonly onProblems: () => void;
  readonly onHelp: () => void;
  readonly onSave: () => void;
}

/** Keys of the whole screen. What is typed into a field is left alone; so are keys with a dialog open. */
export function useDesignerKeys(keys: DesignerKeys): void {
  const store = useDesignerStore();
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target) || document.querySelector("[role=dialog]") !== null) return;
      const handled = event.metaKey || event.ctrlKey ? withCommand(event) : plain(event);
      if (handled) event.preventDefault();
    };

    const withCommand = (event: KeyboardEvent): boolean => {
      const { gestures, canEdit, onProblems, onSave } = latest.current;
      const { actions } = store.getState();
      switch (event.key.toLowerCase()) {
        case "enter":
          onProblems();
          return true;
        case "a":
          gestures.selectAll();
          return true;
        case "s":
          if (canEdit) onSave();
          return true;
        case "z":
          if (canEdit) event.shiftKey ? actions.redo() : actions.undo();
          return true;
        case "y":
          if (canEdit) actions.redo();
          return true;
        case "d":
          if (canEdit) gestures.duplicate();
          return true;
        default:
          return false;
      }
    };

    const plain = (event: KeyboardEvent): boolean => {
      if (event.altKey) return false;
      const { gestures, canEdit, onAdd, onConnect, onFit, onHelp } = latest.current;
      const { actions, selection } = store.getState();
      const [first] = selection.tasks;
      switch (event.key) {
        case "1":
          actions.toggle("readySets");
          return true;
        case "2":
          actions.toggle("criticalPath");
          return true;
        case "3":
          actions.toggle("conflicts");
          return true;
        case "?":
          onHelp();
          return true;
        case "/":
          document.getElementById("designer-search")?.focus();
          return true;
        case "f":
        case "F":
          onFit();
          return true;
        default:
          break;
      }
      if (!canEdit) return false;
      switch (event.key) {
        case "n":
        case "N":
          onAdd();
          return true;
        case "c":
        case "C":
          if (first !== undefined) onConnect(first);
          return true;
        case "l":
        case "L":
          gestures.tidyUp();
          return true;
        case "F2":
          window.dispatchEvent(new Event(RENAME_EVENT));
          return true;
        case "Delete":
        case "Backspace":
          gestures.removeSelection();
          return true;
        default:
          return false;
      }
    };

    const onCopy = (event: ClipboardEvent) => {
      if (isTyping(event.target) || hasTextSelected()) return;
      const text = latest.current.gestures.copy();
      if (text === undefined) return;
      event.preventDefault();
      event.clipboardData?.setData("text/plain", text);
      if (event.type === "cut" && latest.current.canEdit) latest.current.gestures.removeSelection();
    };
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event.target) || !latest.current.canEdit) return;
      if (latest.current.gestures.paste(event.clipboardData?.getData("text/plain") ?? "")) event.preventDefault();
    };

    window.addEventListener("keydown", onKeyDown);
    document.addEventListener("copy", onCopy);
    document.addEventListener("cut", onCopy);
    document.addEventListener("paste", onPaste);
    return () => {
      window.removeEventListener("keydown", onKeyDown);
      document.removeEventListener("copy", onCopy);
      document.removeEventListener("cut", onCopy);
      document.removeEventListener("paste", onPaste);
    };
  }, [store]);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest("[role=menu]") !== null);

const hasTextSelected = (): boolean => (window.getSelection()?.toString() ?? "") !== "";
