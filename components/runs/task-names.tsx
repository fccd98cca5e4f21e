const SHOWN_MAX = 30;

/** A short list of steps under a title; nothing for none. */
export function TaskNames({
  title,
  ids,
  note,
}: {
  readonly title: string;
  readonly ids: readonly string[];
  readonly note?: string;
}) {
  if (ids.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="text-small font-semibold">
        {title} <span className="font-normal text-fg-3">{ids.length}</span>
      </h3>
      <p className="mono max-h-28 overflow-auto text-small leading-5 break-words text-fg-2">
        {ids.slice(0, SHOWN_MAX).join(", ")}
        {ids.length > SHOWN_MAX ? ` and ${ids.length - SHOWN_MAX} more` : ""}
      </p>
      {note === undefined ? null : <p className="text-micro text-fg-3">{note}</p>}
    </section>
  );
}

/** Asked before something that may have taken effect is done a second time. */
export function RepeatEffects({
  ids,
  accepted,
  onAccept,
}: {
  readonly ids: readonly string[];
  readonly accepted: boolean;
  readonly onAccept: (accepted: boolean) => void;
}) {
  if (ids.length === 0) return null;
  return (
    <div className="tone-unknown rounded-box border border-tone-bd bg-tone-bg p-2.5 text-small">
      <p className="text-tone">
        <b className="mono font-semibold">{ids.slice(0, SHOWN_MAX).join(", ")}</b> may have changed something already. A
        repeat may change it a second time.
      </p>
      <label className="mt-1.5 flex items-center gap-2 text-fg">
        <input type="checkbox" checked={accepted} onChange={(event) => onAccept(event.target.checked)} />I know, repeat
        it
      </label>
    </div>
  );
}
