"use client";

import { useState } from "react";
import type { ReviewAnswer } from "#kernel/view/review/answer";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { EvidenceLink } from "./evidence-link";
import { VerdictPill } from "./verdict";

/** Findings shown before a reader asks for the rest. */
const SHOWN_FIRST = 5;

/** One question: its answer, the numbers behind it, what stands against it, what to do. */
export const AnswerCard = ({ answer }: { readonly answer: ReviewAnswer }) => (
  <section id={answer.id} aria-labelledby={`${answer.id}-question`} className="box scroll-mt-4 p-4 max-sm:p-3">
    <div className="flex items-start gap-3 max-sm:flex-col max-sm:gap-1.5">
      <h2 id={`${answer.id}-question`} className="min-w-0 flex-1 text-lead font-semibold">
        {answer.question}
      </h2>
      <VerdictPill verdict={answer.verdict} />
    </div>
    <p className="mt-1 text-fg-2">{answer.summary}</p>
    <Figures figures={answer.figures} />
    <Findings findings={answer.findings} total={answer.findingsTotal} />
    {answer.advice === undefined ? null : (
      <p className="mt-3 flex gap-2 rounded-control bg-sunken px-3 py-2 text-small">
        <Icon name="right" className="mt-px flex-none text-fg-3" />
        <span>
          <span className="font-medium">What to do. </span>
          {answer.advice}
        </span>
      </p>
    )}
  </section>
);

const Figures = ({ figures }: Pick<ReviewAnswer, "figures">) =>
  figures.length === 0 ? null : (
    <dl className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(220px,1fr))] gap-x-6 border-t border-hairline pt-2 text-small">
      {figures.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 items-baseline justify-between gap-3 py-0.5">
          <dt className="cut text-fg-3" title={label}>
            {label.replaceAll("_", " ")}
          </dt>
          <dd className="cut max-w-[60%] font-medium tabular-nums" title={value}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );

interface FindingsProps {
  readonly findings: ReviewAnswer["findings"];
  readonly total: number;
}

function Findings({ findings, total }: FindingsProps) {
  const [showsAll, setShowsAll] = useState(false);
  if (findings.length === 0) return null;
  const shown = showsAll ? findings : findings.slice(0, SHOWN_FIRST);
  const more = findings.length - shown.length;
  return (
    <div className="mt-3 border-t border-hairline pt-2">
      <h3 className="text-small font-medium text-fg-2">
        {total === 1 ? "1 exception" : `${total.toLocaleString("en")} exceptions`}
      </h3>
      <ul className="mt-1 flex flex-col">
        {shown.map(({ subject, message, evidence }, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: an answer's findings never move
            key={index}
            className="grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)] gap-x-4 border-b border-hairline py-1.5 text-small last:border-b-0 max-sm:grid-cols-1"
          >
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <EvidenceLink evidence={evidence}>{subject}</EvidenceLink>
            </span>
            <span className="min-w-0 text-fg-2 [overflow-wrap:anywhere]">{message}</span>
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <Button size="small" variant="bare" className="mt-1" onClick={() => setShowsAll(true)}>
          Show {more} more
        </Button>
      ) : null}
      {total > findings.length && more === 0 ? (
        <p className="mt-1 text-small text-fg-3">
          {(total - findings.length).toLocaleString("en")} more are not listed.
        </p>
      ) : null}
    </div>
  );
}
