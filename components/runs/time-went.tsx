import { formatDuration } from "#kernel/view/format";
import { GAP_CAUSES, type GapCause, type GapReport } from "#kernel/view/gap";
import type { Tone } from "../ui/pill";

export interface TimeWentProps {
  readonly report: GapReport;
  readonly finished: boolean;
  readonly onSelect: (taskId: string) => void;
}

const CAUSE_WORDS: Readonly<Record<GapCause | "execute", { readonly word: string; readonly tone: Tone }>> = {
  execute: { word: "work", tone: "succeeded" },
  approval: { word: "approval", tone: "awaiting" },
  rate_limit: { word: "rate limit", tone: "held" },
  lock: { word: "lock", tone: "conflict" },
  queue: { word: "queue", tone: "ready" },
  backoff: { word: "backoff", tone: "unknown" },
  retries: { word: "retries", tone: "failed" },
  replanning: { word: "replanning", tone: "changed" },
  pause: { word: "paused", tone: "pending" },
  overhead: { word: "overhead", tone: "neutral" },
};

/** Shorter links of the chain say nothing and would hide the long ones. */
const LINK_SHARE_MIN = 0.001;

/** The gap between what the run took and its lower bound, by cause, and the chain of waits and work behind it. */
export function TimeWent({ report, finished, onSelect }: TimeWentProps) {
  const { makespanMs, boundMs, gapMs, shares, chain } = report;
  const links = chain.filter((link) => link.to - link.from >= makespanMs * LINK_SHARE_MIN);
  const causes = GAP_CAUSES.filter((cause) => shares[cause] >= 0.5).sort((left, right) => shares[right] - shares[left]);
  const percent = (ms: number) => (makespanMs === 0 ? 0 : (ms / makespanMs) * 100);
  return (
    <div className="grid h-full grid-cols-[minmax(280px,2fr)_minmax(320px,3fr)] gap-6 overflow-auto p-4 text-small">
      <section aria-label="The gap by cause">
        <p className="mb-2">
          {finished ? "Took" : "So far"} <b className="font-semibold">{formatDuration(makespanMs)}</b>; the bound is{" "}
          <b className="font-semibold">{formatDuration(boundMs)}</b>, so{" "}
          <b className="font-semibold">{formatDuration(gapMs)}</b> went elsewhere.
        </p>
        <div className="mb-3 flex h-3 overflow-hidden rounded-tag" aria-hidden="true">
          <span style={{ width: `${percent(boundMs)}%`, background: "var(--text-2)" }} />
          {causes.map((cause) => (
            <span
              key={cause}
              className={`tone-${CAUSE_WORDS[cause].tone}`}
              style={{ width: `${percent(shares[cause])}%`, background: "var(--d)", marginLeft: 1 }}
            />
          ))}
        </div>
        <dl className="grid grid-cols-[10px_1fr_auto_44px] items-center gap-x-2 gap-y-1">
          <Row swatch="var(--text-2)" word="lower bound" ms={boundMs} share={percent(boundMs)} />
          {causes.map((cause) => (
            <Row
              key={cause}
              tone={CAUSE_WORDS[cause].tone}
              swatch="var(--d)"
              word={CAUSE_WORDS[cause].word}
              ms={shares[cause]}
              share={percent(shares[cause])}
            />
          ))}
        </dl>
      </section>
      <section aria-label="The chain that decided the end" className="min-w-0">
        <h3 className="mb-2 text-small font-semibold">
          What each moment waited for <span className="font-normal text-fg-3">last to first</span>
        </h3>
        <ol className="grid gap-px">
          {[...links].reverse().map((link) => (
            <li key={link.from}>
              <button
                type="button"
                disabled={link.taskId === undefined}
                onClick={() => link.taskId !== undefined && onSelect(link.taskId)}
                className={`tone-${CAUSE_WORDS[link.cause].tone} grid w-full grid-cols-[84px_minmax(80px,180px)_minmax(0,1fr)_64px] items-center gap-2 rounded-tag px-1 text-left hover:bg-hover`}
              >
                <span className="font-medium text-tone">{CAUSE_WORDS[link.cause].word}</span>
                <span className="cut">{link.taskId ?? "between tasks"}</span>
                <span
                  className="h-1.5 rounded-full"
                  style={{ width: `${Math.max(2, percent(link.to - link.from))}%`, background: "var(--d)" }}
                />
                <span className="text-right">{formatDuration(link.to - link.from)}</span>
              </button>
            </li>
          ))}
        </ol>
        {links.length === chain.length ? null : (
          <p className="mt-1 px-1 text-fg-3">
            {chain.length - links.length} moments shorter than {formatDuration(makespanMs * LINK_SHARE_MIN)} are left
            out.
          </p>
        )}
      </section>
    </div>
  );
}

interface RowProps {
  readonly tone?: Tone;
  readonly swatch: string;
  readonly word: string;
  readonly ms: number;
  readonly share: number;
}

const Row = ({ tone, swatch, word, ms, share }: RowProps) => (
  <>
    <dt className={`contents ${tone === undefined ? "" : `tone-${tone}`}`}>
      <span className="h-2.5 w-2.5 rounded-tag" style={{ background: swatch }} />
      <span>{word}</span>
    </dt>
    <dd className="text-right">{formatDuration(ms)}</dd>
    <dd className="text-right text-fg-3">{Math.round(share)} %</dd>
  </>
);
