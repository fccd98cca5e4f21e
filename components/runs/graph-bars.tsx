import type { RunState } from "#kernel/run/state";
import { Button } from "../ui/button";
import type { Overlay } from "./view-store";

const OVERLAYS: readonly { readonly id: Overlay; readonly label: string }[] = [
  { id: "diff", label: "Replan diff" },
  { id: "ready", label: "Ready set" },
  { id: "critical", label: "Critical path" },
];

export interface OverlayBarProps {
  readonly overlays: ReadonlySet<Overlay>;
  readonly onToggle: (overlay: Overlay) => void;
}

export const OverlayBar = ({ overlays, onToggle }: OverlayBarProps) => (
  <fieldset className="float max-md:hidden" aria-label="Shown on the graph">
    {OVERLAYS.map(({ id, label }) => (
      <Button key={id} variant="bare" size="small" aria-pressed={overlays.has(id)} onClick={() => onToggle(id)}>
        {label}
      </Button>
    ))}
  </fieldset>
);

/** What the newest revision at this moment changed. */
export function DiffSummary({ state }: { readonly state: RunState }) {
  const revision = state.revisions.at(-1);
  if (revision?.diff === undefined) return null;
  const { added, removed, changed, kept } = revision.diff;
  return (
    <p className="float gap-3 px-3 py-1.5 text-small font-medium max-md:hidden">
      <span>
        r{revision.revision - 1} → r{revision.revision}
      </span>
      {added.length === 0 ? null : <span className="tone-added text-tone">+ {added.length} added</span>}
      {removed.length === 0 ? null : <span className="tone-removed text-tone">− {removed.length} removed</span>}
      {changed.length === 0 ? null : <span className="tone-changed text-tone">Δ {changed.length} changed</span>}
      <span className="font-normal text-fg-2">{kept.length} kept</span>
    </p>
  );
}
