import type { RunViewActions } from "./view-store";

/** Keys of a run and a replay, in the order in which help lists them. */
export const RUN_KEYS: readonly { readonly keys: string; readonly does: string }[] = [
  { keys: "Space", does: "Play or pause playing" },
  { keys: "← →", does: "Event before, next event" },
  { keys: "⇧← ⇧→", does: "Revision before, next revision" },
  { keys: "[ ]", does: "Failure before, next failure" },
  { keys: ", .", does: "Slower, faster" },
  { keys: "Home End", does: "To the start, to the end or to now" },
  { keys: "Esc", does: "Close the inspector" },
  { keys: "?", does: "All keys" },
];

/** Keys belong to the field that has the focus while one has it. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Whether the focused element uses the key itself: a button its space, the graph and lists their arrows. */
function isOwnKey(event: KeyboardEvent): boolean {
  if (!(event.target instanceof HTMLElement)) return false;
  if (event.key === " ") return event.target.closest("button, a, [role=option], [role=combobox]") !== null;
  if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") {
    return (
      event.target.closest("[role=application], [role=tab], [role=separator], [role=menu], [role=radiogroup]") !== null
    );
  }
  return event.key === "Escape" && event.target.closest("[role=dialog], [role=menu], [role=listbox]") !== null;
}

/** Does what the key means on this screen; true when it meant something. */
export function handleRunKey(event: KeyboardEvent, actions: RunViewActions): boolean {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return false;
  if (isTyping(event.target) || isOwnKey(event)) return false;
  switch (event.key) {
    case " ":
      actions.togglePlay();
      return true;
    case "ArrowLeft":
      if (event.shiftKey) actions.stepRevision(-1);
      else actions.step(-1);
      return true;
    case "ArrowRight":
      if (event.shiftKey) actions.stepRevision(1);
      else actions.step(1);
      return true;
    case "[":
      actions.stepFailure(-1);
      return true;
    case "]":
      actions.stepFailure(1);
      return true;
    case ",":
      actions.changeSpeed(-1);
      return true;
    case ".":
      actions.changeSpeed(1);
      return true;
    case "Home":
      actions.seek(0);
      return true;
    case "End":
      actions.seek(Number.MAX_SAFE_INTEGER);
      return true;
    case "Escape":
      actions.clearSelection();
      return true;
    default:
      return false;
  }
}
