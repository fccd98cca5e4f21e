import type { ArgumentRow } from "#kernel/view/gate-arguments";
import type { GateCard } from "#kernel/view/inbox";
import { Origin } from "../graph/origin";
import { classNames } from "../ui/class-names";
import { Icon } from "../ui/icon";
import { inlineJson } from "../ui/json-text";
import { Tag } from "../ui/pill";

/** The arguments as they will run, each with where it came from and what it was when last asked. */
export function ArgumentsBox({ card }: { readonly card: GateCard }) {
  const differ = card.arguments.filter((row) => row.change !== "none").length;
  const last = card.comparedWithApproval === undefined ? "asked" : "approved";
  const planLabel = card.planVersionNumber === undefined ? "plan" : `plan v${card.planVersionNumber}`;
  return (
    <section className="box overflow-hidden" aria-labelledby="arguments-heading" id="evidence" tabIndex={-1}>
      <header className="flex h-9 items-center gap-2 border-b border-hairline px-3.5">
        <h2 id="arguments-heading" className="text-body font-semibold whitespace-nowrap">
          What will run
        </h2>
        <code className="cut flex-1 font-mono text-small text-fg-2">{card.capability?.reference}</code>
        {card.compared ? (
          <span className="text-small whitespace-nowrap text-fg-3">
            {differ === 0 ? `as last ${last}` : `${differ} differ from last ${last}`}
          </span>
        ) : null}
      </header>
      {card.comparedWithApproval !== undefined && differ > 0 && card.status === "open" ? (
        <p className="tone-conflict flex items-center gap-2 border-b border-hairline px-3.5 py-2 text-small text-tone">
          <Icon name="warning" small />
          These are not the arguments that were approved before. Look at what changed.
        </p>
      ) : null}
      <dl>
        {card.arguments.map((row) => (
          <Row key={`${row.change}${row.pointer}`} row={row} planLabel={planLabel} compared={card.compared} />
        ))}
        {card.arguments.length === 0 ? (
          <p className="px-3.5 py-2.5 text-small text-fg-3">The call takes no arguments.</p>
        ) : null}
      </dl>
      <p className="flex items-center gap-1.5 px-3.5 py-2 text-micro text-fg-3">
        <Icon name="lock" small />
        <span className="cut" title={card.argumentsHash}>
          Exactly these bytes run, once. <span className="font-mono">sha256 {shortHash(card.argumentsHash)}</span>
        </span>
      </p>
    </section>
  );
}

function Row({
  row,
  planLabel,
  compared,
}: {
  readonly row: ArgumentRow;
  readonly planLabel: string;
  readonly compared: boolean;
}) {
  const shown = compared && row.change !== "none";
  const text = readable(row);
  const isLong = text.length > LONG_CHARACTERS;
  return (
    <div
      className={classNames(
        "grid items-start gap-x-3 gap-y-1 border-b border-hairline px-3.5 py-2 text-small leading-5 max-md:grid-cols-[88px_minmax(0,1fr)]",
        isLong ? "grid-cols-[88px_minmax(0,1fr)]" : "grid-cols-[88px_minmax(0,1fr)_minmax(0,auto)]",
        shown && `tone-${row.change} shadow-[inset_3px_0_var(--d)]`,
      )}
    >
      <dt className="cut text-fg-2" title={row.name}>
        {row.name === "" ? "value" : row.name}
      </dt>
      <dd className="min-w-0">
        <code
          className={classNames(
            "font-mono text-[11.5px] font-medium break-words whitespace-pre-wrap",
            row.change === "removed" && "line-through",
          )}
        >
          {text}
        </code>
        {shown && row.change === "changed" ? (
          <span className="ml-2 text-fg-3">
            was <s className="tone-removed font-mono text-[11.5px] break-words text-tone">{inlineJson(row.before)}</s>
          </span>
        ) : null}
        {shown && row.change === "added" ? (
          <Tag tone="added" icon="plus" className="ml-2">
            new
          </Tag>
        ) : null}
        {shown && row.change === "removed" ? (
          <Tag tone="removed" icon="minus" className="ml-2">
            gone
          </Tag>
        ) : null}
      </dd>
      <dd
        className={classNames(
          "flex min-w-0 flex-wrap gap-1 max-md:col-start-2 max-md:justify-start",
          isLong ? "col-start-2" : "justify-end",
        )}
      >
        {row.from.map((origin) => (
          <Origin key={origin} origin={origin} planLabel={planLabel} />
        ))}
      </dd>
    </div>
  );
}

/**
 * Short values on one line; nested ones and texts with line breaks over several, so that nothing hides at the end of
 * a long line or behind an escape.
 */
function readable({ value }: ArgumentRow): string {
  if (typeof value === "string" && value.includes("\n")) return `"${value}"`;
  const line = inlineJson(value);
  return line.length > 72 && typeof value === "object" ? (JSON.stringify(value, null, 2) ?? line) : line;
}

/** Above this a value takes the whole width, and its origins stand below it. */
const LONG_CHARACTERS = 120;

const shortHash = (hash: string): string => `${hash.slice(0, 4)} ${hash.slice(4, 8)} … ${hash.slice(-4)}`;
